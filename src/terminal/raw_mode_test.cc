#include "terminal/raw_mode.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>

#include <gtest/gtest.h>

#include "terminal/testing/pseudo_terminal.h"

namespace assent::terminal {
namespace {

using testing::PseudoTerminal;

bool is_raw(int terminal) {
  termios mode{};
  EXPECT_EQ(::tcgetattr(terminal, &mode), 0);
  return (mode.c_lflag & (ICANON | ECHO)) == 0;
}

bool is_as_found(int terminal) {
  termios mode{};
  EXPECT_EQ(::tcgetattr(terminal, &mode), 0);
  constexpr tcflag_t found = ICANON | ECHO | ISIG | IEXTEN;
  return (mode.c_lflag & found) == found && (mode.c_iflag & ICRNL) != 0;
}

TEST(RawMode, IsPutBackAtItsEnd) {
  PseudoTerminal terminal;
  {
    const RawMode raw(terminal.program(), terminal.program(), Drawing::sequences);
    EXPECT_TRUE(is_raw(terminal.program()));
    EXPECT_TRUE(terminal.wait_for("\x1b[?2004h"));
    struct sigaction action {};
    ASSERT_EQ(::sigaction(SIGQUIT, nullptr, &action), 0);
    EXPECT_NE(action.sa_handler, SIG_DFL);
  }
  EXPECT_TRUE(is_as_found(terminal.program()));
  EXPECT_TRUE(terminal.wait_for("\x1b[?2004l"));
  struct sigaction action {};
  ASSERT_EQ(::sigaction(SIGQUIT, nullptr, &action), 0);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

TEST(RawMode, ADumbTerminalGetsNoSequences) {
  PseudoTerminal terminal;
  { const RawMode raw(terminal.program(), terminal.program(), Drawing::plain); }
  MUST(base::write_all(terminal.program(), "end"));
  EXPECT_TRUE(terminal.wait_for("end"));
  EXPECT_EQ(terminal.shown(), "end");
}

TEST(RawMode, ASignalThatSomebodyElseHandlesStaysTheirs) {
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGPIPE, &ignore, &before), 0);
  PseudoTerminal terminal;
  { const RawMode raw(terminal.program(), terminal.program(), Drawing::sequences); }
  struct sigaction after {};
  ASSERT_EQ(::sigaction(SIGPIPE, &before, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
}

TEST(RawMode, TellsOfAWindowThatChanged) {
  PseudoTerminal terminal;
  RawMode raw(terminal.program(), terminal.program(), Drawing::sequences);
  EXPECT_EQ(raw.take_events(), RawMode::Events{});
  ::raise(SIGWINCH);
  pollfd wake{.fd = raw.wake_fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&wake, 1, 5000), 1);
  EXPECT_EQ(raw.take_events(), (RawMode::Events{.resized = true}));
  EXPECT_EQ(raw.take_events(), RawMode::Events{});
  EXPECT_EQ(::poll(&wake, 1, 0), 0);
}

// A child in a session of its own, for which `terminal` is the controlling terminal. It says "r"
// once the terminal is raw, and does `last`.
pid_t start_child(const PseudoTerminal& terminal, int ready, void (*last)()) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)::setsid();
  (void)::ioctl(terminal.program(), TIOCSCTTY, 0);
  for (int signal = 1; signal < NSIG; ++signal) (void)::signal(signal, SIG_DFL);
  RawMode raw(terminal.program(), terminal.program(), Drawing::sequences);
  (void)!::write(ready, "r", 1);
  last();
  // Not pause(): a thread sanitizer holds a signal back that comes right before it.
  while (true) (void)::usleep(10'000);
}

void wait_until_ready(int ready) {
  char word = 0;
  ASSERT_EQ(::read(ready, &word, 1), 1);
}

void wait_here() {}
void exit_quietly() { std::exit(7); }
void abort_here() { std::abort(); }

TEST(RawMode, IsPutBackWheneverTheProcessEnds) {
  struct Ending {
    void (*last)();
    int signal;  // sent by us; 0: it ends by itself
    int ends_by;
  };
  const std::vector<Ending> rows{{exit_quietly, 0, 0},          {abort_here, 0, SIGABRT},
                                 {wait_here, SIGTERM, SIGTERM}, {wait_here, SIGHUP, SIGHUP},
                                 {wait_here, SIGINT, SIGINT},   {wait_here, SIGQUIT, SIGQUIT},
                                 {wait_here, SIGSEGV, SIGSEGV}, {wait_here, SIGBUS, SIGBUS}};
  for (const auto& row : rows) {
    PseudoTerminal terminal;
    const base::Pipe ready = MUST(base::make_pipe());
    const pid_t child = start_child(terminal, ready.write.get(), row.last);
    wait_until_ready(ready.read.get());
    if (row.signal != 0) {
      EXPECT_TRUE(is_raw(terminal.program()));
      ::kill(child, row.signal);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WIFSIGNALED(status) ? WTERMSIG(status) : 0, row.ends_by) << status;
    EXPECT_TRUE(is_as_found(terminal.program())) << row.ends_by;
    EXPECT_TRUE(terminal.wait_for("\x1b[?2004l")) << row.ends_by;
  }
}

TEST(RawMode, IsPutBackAroundAStop) {
  PseudoTerminal terminal;
  const base::Pipe ready = MUST(base::make_pipe());
  // Its parent is us, outside its session, so its group is orphaned and a stop by the terminal
  // would be ignored: one more process between makes it a job.
  const pid_t shell = ::fork();
  if (shell == 0) {
    (void)::setsid();
    (void)::ioctl(terminal.program(), TIOCSCTTY, 0);
    for (int signal = 1; signal < NSIG; ++signal) (void)::signal(signal, SIG_DFL);
    (void)::signal(SIGTTOU, SIG_IGN);
    const pid_t job = ::fork();
    if (job == 0) {
      (void)::setpgid(0, 0);
      (void)::tcsetpgrp(terminal.program(), ::getpid());
      (void)::signal(SIGTTOU, SIG_DFL);
      RawMode raw(terminal.program(), terminal.program(), Drawing::sequences);
      (void)!::write(ready.write.get(), "r", 1);
      pollfd wake{.fd = raw.wake_fd(), .events = POLLIN, .revents = 0};
      while (::poll(&wake, 1, -1) < 0) {
      }
      ::_exit(raw.take_events().continued && is_raw(terminal.program()) ? 0 : 1);
    }
    int status = 0;
    if (::waitpid(job, &status, WUNTRACED) != job || !WIFSTOPPED(status)) ::_exit(2);
    if (WSTOPSIG(status) != SIGTSTP || !is_as_found(terminal.program())) ::_exit(3);
    ::kill(job, SIGCONT);
    if (::waitpid(job, &status, 0) != job || !WIFEXITED(status)) ::_exit(4);
    ::_exit(WEXITSTATUS(status) == 0 ? 0 : 5);
  }
  wait_until_ready(ready.read.get());
  terminal.type("\x1a");  // Ctrl-Z
  int status = 0;
  ASSERT_EQ(::waitpid(shell, &status, 0), shell);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace assent::terminal
