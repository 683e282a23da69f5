#pragma once
// A terminal for tests: the program's end is a real one, the human's end types and collects.

#include <pty.h>
#include <sys/ioctl.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/fd.h"
#include "base/stop.h"

namespace assent::terminal::testing {

class PseudoTerminal {
 public:
  explicit PseudoTerminal(unsigned short columns = 80, unsigned short rows = 24) {
    int master = -1;
    int slave = -1;
    const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    if (::openpty(&master, &slave, nullptr, nullptr, &size) != 0) {
      base::detail::die(base::last_system_error("openpty"), __FILE__, __LINE__);
    }
    human_ = base::Fd(master);
    program_ = base::Fd(slave);
    reader_ = std::jthread([this] { collect(); });
  }
  ~PseudoTerminal() {
    program_.reset();  // the reader's read ends
    reader_.join();
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  [[nodiscard]] int program() const { return program_.get(); }

  void type(std::string_view text) const { MUST(base::write_all(human_.get(), text)); }
  void resize(unsigned short columns, unsigned short rows) const {
    const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
    (void)::ioctl(human_.get(), TIOCSWINSZ, &size);
  }
  // All that was shown so far, sequences included.
  std::string shown() {
    const std::lock_guard lock(mutex_);
    return shown_;
  }
  // Waits until `text` has been shown behind the first `from` bytes; false after five seconds.
  bool wait_for(std::string_view text, std::size_t from = 0) {
    for (int i = 0; i < 5000; ++i) {
      const std::string all = shown();
      if (all.size() >= from && all.find(text, from) != std::string::npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

 private:
  void collect() {
    std::array<std::byte, 4096> chunk;
    while (true) {
      const auto got = base::read_some(human_.get(), chunk);
      if (!got || *got == 0) return;  // EIO: no program has it open any more
      const std::lock_guard lock(mutex_);
      shown_.append(reinterpret_cast<const char*>(chunk.data()), *got);
    }
  }

  base::Fd human_;
  base::Fd program_;
  std::mutex mutex_;
  std::string shown_;
  std::jthread reader_;
};

}  // namespace assent::terminal::testing
