#include "terminal/raw_mode.h"

#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "base/result.h"

namespace assent::terminal {
namespace {

constexpr std::string_view paste_on = "\x1b[?2004h";
constexpr std::string_view paste_off = "\x1b[?2004l";

constexpr std::array ending_signals{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGILL,  SIGABRT,
                                    SIGBUS, SIGFPE, SIGSEGV, SIGSYS,  SIGTRAP, SIGXCPU, SIGXFSZ};
constexpr std::array watched_signals{SIGTSTP, SIGCONT, SIGWINCH};

// What the handlers see. Written before they are set; afterwards only the atomics change.
struct Shared {
  int input = -1;
  int output = -1;
  int wake = -1;
  bool sequences = false;
  termios found{};
  termios raw{};
  std::atomic<bool> live = false;
  std::atomic<bool> resized = false;
  std::atomic<bool> continued = false;
};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait");
constinit Shared shared;

// All below is safe in a signal handler.

// A process in the background that sets the mode would be stopped, and spoil the foreground's.
bool in_foreground() {
  const pid_t group = ::tcgetpgrp(shared.input);
  return group < 0 || group == ::getpgrp();
}

void write_sequence(std::string_view sequence) {
  if (shared.sequences) (void)!::write(shared.output, sequence.data(), sequence.size());
}

void enter() {
  if (!in_foreground()) return;
  (void)::tcsetattr(shared.input, TCSANOW, &shared.raw);
  write_sequence(paste_on);
}

void leave() {
  if (!shared.live || !in_foreground()) return;
  write_sequence(paste_off);
  (void)::tcsetattr(shared.input, TCSANOW, &shared.found);
}

void wake() {
  const std::uint64_t one = 1;
  (void)!::write(shared.wake, &one, sizeof one);
}

void act(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  (void)::sigaction(signal, &action, nullptr);
}

void on_end(int signal) {
  leave();
  act(signal, SIG_DFL);
  (void)::raise(signal);  // delivered when this returns
}

void on_watched(int signal) {
  const int kept = errno;
  if (signal == SIGTSTP) {
    leave();
    act(SIGTSTP, SIG_DFL);
    sigset_t stop;
    ::sigemptyset(&stop);
    ::sigaddset(&stop, SIGTSTP);
    (void)::raise(SIGTSTP);
    (void)::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);  // stands still here
    act(SIGTSTP, on_watched);
  } else if (signal == SIGCONT) {
    enter();
    shared.continued = true;
    wake();
  } else {
    shared.resized = true;
    wake();
  }
  errno = kept;
}

bool is_default(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
         action.sa_handler == SIG_DFL;
}

bool is_ours(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
         (action.sa_handler == on_end || action.sa_handler == on_watched);
}

}  // namespace

Drawing drawing_of(const char* term) {
  const std::string_view name = term == nullptr ? "" : term;
  return name.empty() || name == "dumb" ? Drawing::plain : Drawing::sequences;
}

RawMode::RawMode(int input, int output, Drawing drawing)
    : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (shared.live || !wake_.valid() || ::tcgetattr(input, &shared.found) != 0) {
    base::detail::die(base::last_system_error("raw terminal mode"), __FILE__, __LINE__);
  }
  shared.input = input;
  shared.output = output;
  shared.wake = wake_.get();
  shared.sequences = drawing == Drawing::sequences;
  shared.raw = shared.found;
  shared.raw.c_iflag &= ~static_cast<tcflag_t>(ICRNL | INLCR | IGNCR);
  shared.raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO | IEXTEN);
  shared.raw.c_cc[VMIN] = 1;
  shared.raw.c_cc[VTIME] = 0;
  shared.resized = shared.continued = false;
  shared.live = true;
  static const bool at_exit = std::atexit(leave) == 0;
  (void)at_exit;
  for (const int signal : ending_signals) {
    if (is_default(signal)) act(signal, on_end);
  }
  for (const int signal : watched_signals) {
    if (is_default(signal)) act(signal, on_watched);
  }
  enter();
}

RawMode::~RawMode() {
  for (const int signal : ending_signals) {
    if (is_ours(signal)) act(signal, SIG_DFL);
  }
  for (const int signal : watched_signals) {
    if (is_ours(signal)) act(signal, SIG_DFL);
  }
  leave();
  shared.live = false;
}

RawMode::Events RawMode::take_events() {
  std::uint64_t count = 0;
  (void)!::read(wake_.get(), &count, sizeof count);
  return {.resized = shared.resized.exchange(false), .continued = shared.continued.exchange(false)};
}

}  // namespace assent::terminal
