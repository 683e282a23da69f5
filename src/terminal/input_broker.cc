#include "terminal/input_broker.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/fd.h"

namespace assent::terminal {

using base::ErrorKind;
using base::failure;
using base::Result;

namespace {

constexpr std::chrono::milliseconds forever{-1};
constexpr char end_of_transmission = 4;  // Ctrl-D
constexpr char erase_line = 21;          // Ctrl-U
constexpr char erase_word = 23;          // Ctrl-W

bool continues(char c) { return (c & '\xC0') == '\x80'; }

}  // namespace

InputBroker::InputBroker(int input, int echo, std::chrono::milliseconds settle)
    : input_(input), echo_(echo), settle_(settle), terminal_(::isatty(input) != 0) {
  if (!terminal_ || ::tcgetattr(input_, &saved_) != 0) return;
  // Characters as they are typed, unseen; signals stay the terminal's.
  termios raw = saved_;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  ::tcsetattr(input_, TCSADRAIN, &raw);
}

InputBroker::~InputBroker() {
  if (terminal_) ::tcsetattr(input_, TCSADRAIN, &saved_);
}

void InputBroker::show(std::string_view text) const {
  if (terminal_) (void)base::write_all(echo_, text);
}

InputBroker::Wait InputBroker::wait_for_input(const base::StopToken& stop,
                                              std::chrono::milliseconds at_most) const {
  std::array<pollfd, 2> fds{{{input_, POLLIN, 0}, {stop.fd(), POLLIN, 0}}};
  while (true) {
    const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(at_most.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (stop.stop_requested()) return Wait::stopped;
    return ready == 0 ? Wait::late : Wait::input;
  }
}

bool InputBroker::read_more() {
  std::array<std::byte, 4096> chunk;
  const auto got = base::read_some(input_, chunk);
  if (!got || *got == 0) {
    ended_ = true;
    return false;
  }
  received_.append(reinterpret_cast<const char*>(chunk.data()), *got);
  return true;
}

// What comes in before the question has stood for its time was not meant for it.
Result<void> InputBroker::settle(const base::StopToken& stop) {
  using Steady = std::chrono::steady_clock;
  const auto end = Steady::now() + settle_;
  while (true) {
    ahead_ += std::exchange(received_, {});
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Steady::now());
    if (left.count() <= 0 || ended_) return {};
    switch (wait_for_input(stop, left)) {
      case Wait::stopped: return failure(ErrorKind::cancelled, "cancelled");
      case Wait::late: return {};
      case Wait::input: read_more(); break;
    }
  }
}

Result<std::string> InputBroker::read_line(Purpose purpose, const base::StopToken& stop) {
  const std::lock_guard turn(turn_);
  if (stop.stop_requested()) return failure(ErrorKind::cancelled, "cancelled");
  if (terminal_ && purpose == Purpose::answer) TRY(settle(stop));
  if (purpose == Purpose::prompt) {
    received_.insert(0, std::exchange(ahead_, {}));
  }
  return edit_line(received_, stop);
}

Result<std::string> InputBroker::edit_line(std::string& source, const base::StopToken& stop) {
  std::string line;
  std::size_t at = 0;
  while (true) {
    while (at < source.size()) {
      const char c = source[at++];
      if (c == '\n' || (terminal_ && c == '\r')) {
        source.erase(0, at);
        show("\n");
        return line;
      }
      if (!terminal_) {
        line += c;
        continue;
      }
      if (c == '\x7f' || c == '\b') {
        while (!line.empty() && continues(line.back())) line.pop_back();
        if (!line.empty()) {
          line.pop_back();
          show("\b \b");
        }
      } else if (c == erase_line || c == erase_word) {
        const auto keep =
            c == erase_line ? std::string::npos : line.find_last_of(' ', line.size() - 2);
        while (line.size() > (keep == std::string::npos ? 0 : keep + 1)) {
          if (!continues(line.back())) show("\b \b");
          line.pop_back();
        }
      } else if (c == end_of_transmission && line.empty()) {
        source.erase(0, at);
        show("\n");
        ended_ = true;
        return failure(ErrorKind::not_found, "end of input");
      } else if (static_cast<unsigned char>(c) >= ' ') {
        line += c;
        show({&c, 1});
      }
    }
    source.clear();
    at = 0;
    if (ended_) {
      // A last line without its end counts on a pipe, as it does for every reader of lines.
      if (!line.empty() && !terminal_) return line;
      return failure(ErrorKind::not_found, "end of input");
    }
    if (wait_for_input(stop, forever) == Wait::stopped) {
      // On a terminal what was typed so far was meant for the question that has gone.
      if (!terminal_) source.insert(0, line);
      return failure(ErrorKind::cancelled, "cancelled");
    }
    read_more();
  }
}

}  // namespace assent::terminal
