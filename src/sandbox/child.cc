#include "sandbox/child.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/fd.h"
#include "sandbox/descriptors.h"
#include "sandbox/landlock.h"
#include "sandbox/seccomp_program.h"

namespace assent::sandbox {
namespace {

using base::Result;

Result<void> check(int result, const char* call) {
  if (result < 0) return base::failure(base::system_error(call, errno));
  return {};
}

// Descriptors 0 to 2 are the command's, the status socket keeps its number, everything else is
// closed.
Result<void> arrange_descriptors(const ChildDescriptors& descriptors) {
  const std::array sources{descriptors.input, descriptors.output, descriptors.errors};
  for (int target = 0; target < 3; ++target) {
    TRY(check(::dup2(sources[static_cast<std::size_t>(target)], target), "dup2"));
  }
  const auto status = static_cast<unsigned>(descriptors.status);
  if (status > 3) TRY(check(::close_range(3, status - 1, 0), "close_range"));
  return check(::close_range(status + 1, ~0U, 0), "close_range");
}

Result<void> limit_resources() {
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  return check(::setrlimit(RLIMIT_CORE, &no_core), "setrlimit");
}

// As root the command keeps its uid and nothing of its power.
Result<void> drop_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    // EPERM: a process without CAP_SETPCAP has no power to drop either.
    (void)::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  (void)::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> none{};
  return check(static_cast<int>(::syscall(SYS_capset, &header, none.data())), "capset");
}

Result<void> confine(const SpawnRequest& request) {
  TRY(drop_capabilities());
  TRY(check(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl(PR_SET_NO_NEW_PRIVS)"));
  const LandlockRules rules{
      .writable = request.writable,
      .write_only_files = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"},
      .readable = readable_around(request.masked)};
  return restrict_self(rules);
}

// The confinement is shown to hold before anything runs under it.
Result<void> prove(const std::string& canary) {
  const base::Fd opened(::open(canary.c_str(), O_WRONLY | O_CLOEXEC));
  if (opened.valid() || errno != EACCES) {
    return base::failure(base::ErrorKind::unavailable,
                         "the sandbox did not refuse a write that it has to refuse");
  }
  if (::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
    return base::failure(base::ErrorKind::unavailable, "no_new_privs is not set");
  }
  return {};
}

Result<void> filter(int status) {
  const int listener = install_filter(seccomp_program({.landlock_tcp = landlock_abi() >= 4}));
  TRY(check(listener, "seccomp"));
  if (::prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != SECCOMP_MODE_FILTER) {
    return base::failure(base::ErrorKind::unavailable, "the system call filter is not on");
  }
  TRY(send_descriptors(status, 'L', std::array{listener}));
  ::close(listener);
  return {};
}

Result<void> prepare(const SpawnRequest& request, const ChildDescriptors& descriptors) {
  TRY(arrange_descriptors(descriptors));
  TRY(check(::setsid(), "setsid"));
  TRY(check(::chdir(request.cwd.c_str()), "chdir"));
  TRY(limit_resources());
  if (request.confine == Confine::no) return send_descriptors(descriptors.status, 'N', {});
  TRY(confine(request));
  TRY(prove(request.canary));
  // A body is not exec'ed: the witness may read its memory only while it is dumpable.
  TRY(check(::prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "prctl(PR_SET_DUMPABLE)"));
  return filter(descriptors.status);
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> raw;
  for (const auto& text : texts) raw.push_back(const_cast<char*>(text.c_str()));
  raw.push_back(nullptr);
  return raw;
}

[[noreturn]] void fail(int status, const base::Error& error) {
  (void)send_descriptors(status, 'F', {});
  (void)base::write_all(status, error.message);
  ::_exit(125);
}

}  // namespace

void become_command(const SpawnRequest& request, const ChildDescriptors& descriptors,
                    std::span<const Body> bodies) {
  const auto ready = prepare(request, descriptors);
  if (!ready) fail(descriptors.status, ready.error());
  const auto environment = pointers(request.environment);
  ::environ = const_cast<char**>(environment.data());
  if (request.body >= 0) {
    if (static_cast<std::size_t>(request.body) >= bodies.size()) {
      fail(descriptors.status, base::Error{base::ErrorKind::internal, "an unknown body"});
    }
    ::close(descriptors.status);
    const int code = bodies[static_cast<std::size_t>(request.body)]();
    std::fflush(nullptr);
    ::_exit(code);
  }
  ::fcntl(descriptors.status, F_SETFD, FD_CLOEXEC);
  const auto argv = pointers(request.argv);
  ::execvp(argv[0], argv.data());
  fail(descriptors.status, base::system_error("exec", errno).in(request.argv[0]));
}

}  // namespace assent::sandbox
