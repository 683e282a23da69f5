#include "sandbox/spawner.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "sandbox/descriptors.h"
#include "sandbox/supervisor.h"

namespace assent::sandbox {

using base::Fd;
using base::Result;

namespace {

void quiet_descriptors() {
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
}

// The helper's own socket becomes descriptor 3; nothing else of the harness stays open.
[[noreturn]] void serve(Fd socket, const std::vector<Body>& bodies) {
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  ::prctl(PR_SET_NAME, "assent-spawn", 0, 0, 0);
  ::setsid();
  quiet_descriptors();
  // What the harness had buffered for its own output is not ours to print.
  ::__fpurge(stdout);
  ::__fpurge(stderr);
  ::dup2(socket.get(), 3);
  ::fcntl(3, F_SETFD, FD_CLOEXEC);
  ::close_range(4, ~0U, 0);
  (void)socket.release();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  ::signal(SIGCHLD, SIG_IGN);  // supervisors are reaped by the kernel
  while (true) {
    auto received = receive_descriptors(3);
    if (!received || received->tag == '\0') ::_exit(0);
    if (received->descriptors.size() != 4) continue;
    // A fork that fails closes the control socket, and the harness reads that as a failed start.
    const pid_t pid = ::fork();
    if (pid != 0) continue;
    ::close(3);
    ::signal(SIGCHLD, SIG_DFL);
    auto& fds = received->descriptors;
    ::_exit(supervise({.control = std::move(fds[0]),
                       .input = std::move(fds[1]),
                       .output = std::move(fds[2]),
                       .errors = std::move(fds[3])},
                      bodies));
  }
}

}  // namespace

Result<Spawner> Spawner::start(std::vector<Body> bodies) {
  std::array<int, 2> pair{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0) {
    return base::failure(base::system_error("socketpair", errno));
  }
  Fd own(pair[0]);
  Fd other(pair[1]);
  const pid_t pid = ::fork();
  if (pid < 0) return base::failure(base::system_error("fork", errno));
  if (pid == 0) serve(std::move(other), bodies);
  return Spawner(std::move(own), pid);
}

Spawner::~Spawner() {
  if (!socket_.valid()) return;
  socket_.reset();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

Result<void> Spawner::spawn(std::span<const int> descriptors) const {
  return send_descriptors(socket_.get(), 'S', descriptors);
}

}  // namespace assent::sandbox
