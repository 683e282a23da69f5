#include "app/interrupts.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace assent::app {
namespace {

sigset_t interrupting() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
  return set;
}

}  // namespace

Interrupts::Interrupts(base::StopSource& stop) {
  const sigset_t set = interrupting();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = base::Fd(::signalfd(-1, &set, SFD_CLOEXEC));
  watcher_ = std::jthread([this, &stop] {
    while (true) {
      std::array<pollfd, 2> fds{{{signals_.get(), POLLIN, 0}, {ended_.token().fd(), POLLIN, 0}}};
      (void)::poll(fds.data(), fds.size(), -1);
      if (fds[1].revents != 0) return;
      if (fds[0].revents == 0) continue;
      signalfd_siginfo info{};
      (void)!::read(signals_.get(), &info, sizeof info);
      // The second one does not wait for a clean end.
      if (stop.stop_requested()) ::_exit(4);
      stop.request_stop();
    }
  });
}

Interrupts::~Interrupts() { ended_.request_stop(); }

}  // namespace assent::app
