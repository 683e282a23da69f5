#include "sandbox/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/file.h"
#include "sandbox/child.h"
#include "sandbox/descriptors.h"
#include "sandbox/spawn_request.h"
#include "sandbox/witness.h"

namespace assent::sandbox {
namespace {

using base::Fd;
using base::Result;

constexpr std::size_t failure_text_limit = 4096;

// Every child of this process, killed; their own children become ours, because we are their reaper.
void kill_children() {
  const auto listed = base::read_file("/proc/thread-self/children", 1 << 20);
  if (!listed) return;
  const char* at = listed->c_str();
  char* end = nullptr;
  for (long pid = std::strtol(at, &end, 10); end != at; pid = std::strtol(at, &end, 10)) {
    ::kill(static_cast<pid_t>(pid), SIGKILL);
    at = end;
  }
}

class Supervision {
 public:
  Supervision(CallDescriptors descriptors, std::span<const Body> bodies)
      : call_(std::move(descriptors)), bodies_(bodies) {}

  SpawnReport run(const SpawnRequest& request) {
    auto started = start(request);
    if (!started) return {.failure = started.error().message};
    roots_ = {.roots = request.writable, .protected_paths = request.protected_paths};
    roots_.roots.insert(roots_.roots.end(),
                        {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"});
    watch();
    sweep();
    if (!failure_.empty()) return {.failure = failure_};
    SpawnReport report{.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : 0,
                       .signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0};
    if (witness_) report.denials = witness_->ledger();
    return report;
  }

  [[nodiscard]] int control() const { return call_.control.get(); }

 private:
  Result<void> start(const SpawnRequest& request) {
    std::array<int, 2> pair{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
      return base::failure(base::system_error("socketpair", errno));
    }
    status_socket_ = Fd(pair[0]);
    const Fd child_end(pair[1]);
    sigset_t mask;
    ::sigemptyset(&mask);
    ::sigaddset(&mask, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &mask, nullptr);
    signals_ = Fd(::signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!signals_.valid()) return base::failure(base::system_error("signalfd", errno));
    const pid_t self = ::getpid();
    child_ = ::fork();
    if (child_ < 0) return base::failure(base::system_error("fork", errno));
    if (child_ == 0) {
      ::sigprocmask(SIG_UNBLOCK, &mask, nullptr);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      if (::getppid() != self) ::_exit(125);
      become_command(request,
                     {.input = call_.input.get(),
                      .output = call_.output.get(),
                      .errors = call_.errors.get(),
                      .status = child_end.get()},
                     bodies_);
    }
    // The command's ends are its own now: the harness sees their end when the command's side
    // closes.
    call_.input.reset();
    call_.output.reset();
    call_.errors.reset();
    return {};
  }

  void watch() {
    while (!ended_) {
      std::array<pollfd, 4> fds{{{signals_.get(), POLLIN, 0},
                                 {call_.control.get(), POLLIN, 0},
                                 {status_socket_.get(), POLLIN, 0},
                                 {listener_.get(), POLLIN, 0}}};
      if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) break;
      if (fds[2].revents != 0) take_status();
      if (fds[3].revents != 0) {
        if ((fds[3].revents & POLLIN) == 0 || !witness_->serve_one()) listener_.reset();
      }
      // Any byte or the end of the harness: the call is over.
      if (fds[1].revents != 0) kill_children();
      if (fds[0].revents != 0) reap();
    }
  }

  void take_status() {
    auto received = receive_descriptors(status_socket_.get());
    if (!received || received->tag == '\0') {
      status_socket_.reset();
    } else if (received->tag == 'L' && received->descriptors.size() == 1) {
      listener_ = std::move(received->descriptors.front());
      witness_.emplace(listener_.get(), roots_);
    } else if (received->tag == 'F') {
      failure_ = base::read_to_end(status_socket_.get(), failure_text_limit)
                     .value_or("the sandbox could not be set up");
      if (failure_.empty()) failure_ = "the sandbox could not be set up";
      status_socket_.reset();
    }
  }

  void reap() {
    signalfd_siginfo info{};
    while (::read(signals_.get(), &info, sizeof info) > 0) {
    }
    int status = 0;
    for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
      if (pid != child_) continue;
      status_ = status;
      ended_ = true;
    }
  }

  // What the command left behind ends with it.
  void sweep() {
    while (status_socket_.valid()) take_status();
    while (true) {
      kill_children();
      int status = 0;
      if (::waitpid(-1, &status, 0) < 0 && errno == ECHILD) return;
    }
  }

  CallDescriptors call_;
  std::span<const Body> bodies_;
  WritableRoots roots_;
  Fd status_socket_;
  Fd signals_;
  Fd listener_;
  std::optional<Witness> witness_;
  pid_t child_ = -1;
  int status_ = 0;
  bool ended_ = false;
  std::string failure_;
};

}  // namespace

int supervise(CallDescriptors descriptors, std::span<const Body> bodies) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const auto bytes = receive_message(descriptors.control.get());
  if (!bytes) return 1;
  const auto request = decode_request(*bytes);
  if (!request) return 1;
  Supervision supervision(std::move(descriptors), bodies);
  const SpawnReport report = supervision.run(*request);
  return send_message(supervision.control(), encode(report)) ? 0 : 1;
}

}  // namespace assent::sandbox
