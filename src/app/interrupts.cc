#include "app/interrupts.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <utility>

namespace assent::app {

Interrupts::Interrupts() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signals_ = base::Fd(::signalfd(-1, &set, SFD_CLOEXEC));
  watcher_ = std::jthread([this] { watch(); });
}

Interrupts::~Interrupts() { ended_.request_stop(); }

void Interrupts::watch() {
  while (true) {
    std::array<pollfd, 2> fds{{{signals_.get(), POLLIN, 0}, {ended_.token().fd(), POLLIN, 0}}};
    (void)::poll(fds.data(), fds.size(), -1);
    if (fds[1].revents != 0) return;
    if (fds[0].revents == 0) continue;
    signalfd_siginfo info{};
    if (::read(signals_.get(), &info, sizeof info) != sizeof info) continue;
    const std::lock_guard lock(mutex_);
    last_signal_ = static_cast<int>(info.ssi_signo);
    if (aim_ != nullptr) aim_->request_stop();
  }
}

Interrupts::Aim::Aim(Interrupts& interrupts, base::StopSource& stop) : interrupts_(interrupts) {
  const std::lock_guard lock(interrupts_.mutex_);
  before_ = std::exchange(interrupts_.aim_, &stop);
}

Interrupts::Aim::~Aim() {
  const std::lock_guard lock(interrupts_.mutex_);
  interrupts_.aim_ = before_;
}

}  // namespace assent::app
