#include "sandbox/witness.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "sandbox/child_path.h"
#include "vocabulary/effect.h"

namespace assent::sandbox {
namespace {

constexpr long nr_openat2 = 437;
constexpr long nr_fchmodat2 = 452;
constexpr long nr_setxattrat = 463;
constexpr long nr_removexattrat = 466;
constexpr long nr_file_setattr = 469;

int argument_int(const seccomp_notif& notice, int index) {
  return static_cast<int>(notice.data.args[index]);
}

bool read_memory(pid_t pid, std::uint64_t address, void* out, std::size_t size) {
  iovec local{.iov_base = out, .iov_len = size};
  iovec remote{.iov_base = reinterpret_cast<void*>(address), .iov_len = size};
  return ::process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

// A text of at most PATH_MAX bytes, read a page's rest at a time: what lies behind it may be
// unmapped.
std::optional<std::string> read_text(pid_t pid, std::uint64_t address) {
  std::string text;
  constexpr std::uint64_t page = 4096;
  while (text.size() < PATH_MAX) {
    std::array<char, page> chunk{};
    const std::size_t size = page - (address + text.size()) % page;
    if (!read_memory(pid, address + text.size(), chunk.data(), size)) return std::nullopt;
    const auto* end = static_cast<const char*>(std::memchr(chunk.data(), 0, size));
    text.append(chunk.data(), end == nullptr ? size : static_cast<std::size_t>(end - chunk.data()));
    if (end != nullptr) return text;
  }
  return std::nullopt;
}

std::string parent_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// Lookups of users and hosts ask these daemons first and go on without them: being kept from them
// changes nothing that anybody asked for.
bool optional_daemon(const std::string& path) {
  return path == "/run/nscd/socket" || path == "/var/run/nscd/socket" ||
         vocabulary::path_within(path, "/run/systemd/userdb");
}

// What connecting to a name that is no reachable socket fails with by itself (unix(7)); zero where
// a socket is there to talk to.
int plain_connect_error(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return errno;
  if (!S_ISSOCK(info.st_mode)) return ECONNREFUSED;
  return ::access(path.c_str(), W_OK) == 0 ? 0 : EACCES;
}

// Whether plain permissions would have allowed it: only then was it the confinement that refused.
bool plainly_allowed(Operation operation, const std::string& path) {
  struct stat info {};
  const bool exists = ::lstat(path.c_str(), &info) == 0;
  switch (operation) {
    case Operation::write:
      return exists ? ::access(path.c_str(), W_OK) == 0
                    : ::access(parent_of(path).c_str(), W_OK) == 0;
    case Operation::create: return !exists && ::access(parent_of(path).c_str(), W_OK) == 0;
    case Operation::remove:
    case Operation::rename:
    case Operation::link: return exists && ::access(parent_of(path).c_str(), W_OK) == 0;
    case Operation::change: return exists && (::geteuid() == 0 || info.st_uid == ::geteuid());
    case Operation::connect:
    case Operation::socket: return true;
  }
  return true;
}

}  // namespace

bool WritableRoots::permits(const std::string& path) const {
  const auto within = [&](const std::string& root) { return vocabulary::path_within(path, root); };
  return std::ranges::any_of(roots, within) && std::ranges::none_of(protected_paths, within);
}

bool Witness::serve_one() {
  seccomp_notif notice{};
  if (::ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &notice) != 0) return errno == EINTR;
  const int error = judge(notice);
  seccomp_notif_resp answer{.id = notice.id, .val = 0, .error = -error, .flags = 0};
  if (error == 0) answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  // The process may be gone by now (ENOENT); its next call is then nobody's.
  (void)::ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  return true;
}

int Witness::judge(const seccomp_notif& notice) {
  switch (notice.data.nr) {
    case SYS_connect:
    case SYS_bind:
    case SYS_socket: return judge_socket(notice);
    case SYS_fchmod:
    case SYS_fchown:
    case SYS_fsetxattr:
    case SYS_fremovexattr: return judge_descriptor(notice);
    case SYS_fchmodat:
    case nr_fchmodat2:
    case SYS_fchownat:
    case SYS_utimensat:
    case SYS_setxattr:
    case SYS_lsetxattr:
    case SYS_removexattr:
    case SYS_lremovexattr:
    case nr_setxattrat:
    case nr_removexattrat:
    case nr_file_setattr:
#if defined(__x86_64__)
    case SYS_chmod:
    case SYS_chown:
    case SYS_lchown:
    case SYS_utime:
    case SYS_utimes:
    case SYS_futimesat:
#endif
      return judge_attributes(notice);
    default: return judge_paths(notice);
  }
}

void Witness::record(Operation operation, const std::string& subject, pid_t pid) {
  const Denial denial{.operation = operation, .subject = subject, .pid = pid};
  if (ledger_.size() >= ledger_limit || (!ledger_.empty() && ledger_.back() == denial)) return;
  ledger_.push_back(denial);
}

// Landlock decides; where it will refuse, the ledger says what was tried.
void Witness::changes(pid_t pid, Operation operation, int dirfd, std::uint64_t address,
                      LastLink last) {
  const auto text = read_text(pid, address);
  if (!text || text->empty()) return;
  const auto path = resolve_child_path(pid, dirfd, *text, last);
  if (!path || !path->starts_with('/') || roots_.permits(*path)) return;
  // There is no controlling terminal to open; that is nobody's refusal.
  if (*path == "/dev/tty") return;
  if (plainly_allowed(operation, *path)) record(operation, *path, pid);
}

int Witness::judge_paths(const seccomp_notif& notice) {
  const auto pid = static_cast<pid_t>(notice.pid);
  const auto& args = notice.data.args;
  const auto at = [&](int index) { return argument_int(notice, index); };
  switch (notice.data.nr) {
    case SYS_openat: changes(pid, Operation::write, at(0), args[1], LastLink::follow); break;
    case nr_openat2: {
      // The flags stand in memory; a read-only open is no change.
      std::uint64_t flags = 0;
      if (!read_memory(pid, args[2], &flags, sizeof flags)) break;
      if ((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) == 0) break;
      changes(pid, Operation::write, at(0), args[1], LastLink::follow);
      break;
    }
    case SYS_mkdirat:
    case SYS_mknodat: changes(pid, Operation::create, at(0), args[1], LastLink::keep); break;
    case SYS_symlinkat: changes(pid, Operation::create, at(1), args[2], LastLink::keep); break;
    case SYS_unlinkat: changes(pid, Operation::remove, at(0), args[1], LastLink::keep); break;
    case SYS_renameat:
    case SYS_renameat2:
      changes(pid, Operation::rename, at(0), args[1], LastLink::keep);
      changes(pid, Operation::create, at(2), args[3], LastLink::keep);
      break;
    case SYS_linkat:
      changes(pid, Operation::link, at(0), args[1], LastLink::keep);
      changes(pid, Operation::create, at(2), args[3], LastLink::keep);
      break;
    case SYS_truncate: changes(pid, Operation::write, AT_FDCWD, args[0], LastLink::follow); break;
#if defined(__x86_64__)
    case SYS_open:
    case SYS_creat: changes(pid, Operation::write, AT_FDCWD, args[0], LastLink::follow); break;
    case SYS_mkdir:
    case SYS_mknod: changes(pid, Operation::create, AT_FDCWD, args[0], LastLink::keep); break;
    case SYS_symlink: changes(pid, Operation::create, AT_FDCWD, args[1], LastLink::keep); break;
    case SYS_rmdir:
    case SYS_unlink: changes(pid, Operation::remove, AT_FDCWD, args[0], LastLink::keep); break;
    case SYS_rename:
      changes(pid, Operation::rename, AT_FDCWD, args[0], LastLink::keep);
      changes(pid, Operation::create, AT_FDCWD, args[1], LastLink::keep);
      break;
    case SYS_link:
      changes(pid, Operation::link, AT_FDCWD, args[0], LastLink::keep);
      changes(pid, Operation::create, AT_FDCWD, args[1], LastLink::keep);
      break;
#endif
    default: break;
  }
  return 0;
}

// Attributes: Landlock has no right for them, so the answer is given here.
int Witness::attribute(pid_t pid, int dirfd, std::uint64_t address, LastLink last) {
  std::optional<std::string> path;
  const auto text = address == 0 ? std::optional<std::string>("") : read_text(pid, address);
  if (!text) return EFAULT;
  if (text->empty()) {
    path = child_descriptor(pid, dirfd);
  } else {
    path = resolve_child_path(pid, dirfd, *text, last);
  }
  if (!path) return ENOENT;
  if (!path->starts_with('/') || roots_.permits(*path)) return 0;
  if (plainly_allowed(Operation::change, *path)) record(Operation::change, *path, pid);
  return EACCES;
}

int Witness::judge_attributes(const seccomp_notif& notice) {
  const auto pid = static_cast<pid_t>(notice.pid);
  const auto& args = notice.data.args;
  const auto follows = [&](int flags) {
    const bool keep = (static_cast<int>(args[flags]) & AT_SYMLINK_NOFOLLOW) != 0;
    return keep ? LastLink::keep : LastLink::follow;
  };
  switch (notice.data.nr) {
    case SYS_fchmodat: return attribute(pid, argument_int(notice, 0), args[1], LastLink::follow);
    case nr_fchmodat2:
    case SYS_utimensat: return attribute(pid, argument_int(notice, 0), args[1], follows(3));
    case SYS_fchownat: return attribute(pid, argument_int(notice, 0), args[1], follows(4));
    case nr_setxattrat:
    case nr_removexattrat: return attribute(pid, argument_int(notice, 0), args[1], follows(2));
    case nr_file_setattr: return attribute(pid, argument_int(notice, 0), args[1], follows(4));
    case SYS_lsetxattr:
    case SYS_lremovexattr: return attribute(pid, AT_FDCWD, args[0], LastLink::keep);
#if defined(__x86_64__)
    case SYS_lchown: return attribute(pid, AT_FDCWD, args[0], LastLink::keep);
    case SYS_futimesat: return attribute(pid, argument_int(notice, 0), args[1], LastLink::follow);
#endif
    default: return attribute(pid, AT_FDCWD, args[0], LastLink::follow);
  }
}

int Witness::judge_descriptor(const seccomp_notif& notice) {
  const auto pid = static_cast<pid_t>(notice.pid);
  const auto path = child_descriptor(pid, argument_int(notice, 0));
  if (!path) return EBADF;
  if (!path->starts_with('/') || roots_.permits(*path)) return 0;
  if (plainly_allowed(Operation::change, *path)) record(Operation::change, *path, pid);
  return EACCES;
}

int Witness::judge_socket(const seccomp_notif& notice) {
  const auto pid = static_cast<pid_t>(notice.pid);
  if (notice.data.nr == SYS_socket) {
    record(Operation::socket,
           (argument_int(notice, 1) & 0xF) == SOCK_STREAM ? "stream" : "datagram", pid);
    return EACCES;
  }
  sockaddr_storage address{};
  const std::size_t size = std::min<std::size_t>(notice.data.args[2], sizeof address);
  if (size < sizeof(sa_family_t) || !read_memory(pid, notice.data.args[1], &address, size))
    return 0;
  const bool connects = notice.data.nr == SYS_connect;
  std::array<char, INET6_ADDRSTRLEN> host{};
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    ::inet_ntop(AF_INET, &v4.sin_addr, host.data(), host.size());
    if (connects) {
      record(Operation::connect, fmt::format("{}:{}", host.data(), ntohs(v4.sin_port)), pid);
    }
    return 0;  // Landlock refuses it
  }
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    ::inet_ntop(AF_INET6, &v6.sin6_addr, host.data(), host.size());
    if (connects) {
      record(Operation::connect, fmt::format("[{}]:{}", host.data(), ntohs(v6.sin6_port)), pid);
    }
    return 0;
  }
  if (address.ss_family != AF_UNIX) return 0;
  const auto& local = reinterpret_cast<const sockaddr_un&>(address);
  const std::size_t length = size - offsetof(sockaddr_un, sun_path);
  if (length == 0 || local.sun_path[0] == '\0') return 0;  // unnamed or abstract: Landlock's scope
  const std::string text(local.sun_path, ::strnlen(local.sun_path, length));
  const auto path = resolve_child_path(pid, AT_FDCWD, text, LastLink::follow);
  if (path && roots_.permits(*path)) return 0;
  if (!connects) {
    if (path && plainly_allowed(Operation::create, *path)) record(Operation::create, *path, pid);
    return 0;  // Landlock refuses the new name
  }
  if (!path) return ENOENT;
  if (const int plain = plain_connect_error(*path); plain != 0) return plain;
  if (!optional_daemon(*path)) record(Operation::connect, *path, pid);
  return EACCES;
}

}  // namespace assent::sandbox
