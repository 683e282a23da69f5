#include "sandbox/child_path.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <deque>

#include <fmt/format.h>

namespace assent::sandbox {
namespace {

constexpr int most_links = 40;  // as the kernel's MAXSYMLINKS

std::optional<std::string> read_link(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
  if (size < 0) return std::nullopt;
  return std::string(target.data(), static_cast<std::size_t>(size));
}

void push_front(std::deque<std::string>& parts, std::string_view path) {
  std::deque<std::string> front;
  while (!path.empty()) {
    const auto end = path.find('/');
    if (end != 0) front.emplace_back(path.substr(0, end));
    if (end == std::string_view::npos) break;
    path.remove_prefix(end + 1);
  }
  parts.insert(parts.begin(), front.begin(), front.end());
}

}  // namespace

std::optional<std::string> child_descriptor(pid_t pid, int fd) {
  return read_link(fmt::format("/proc/{}/fd/{}", pid, fd));
}

std::optional<std::string> resolve_child_path(pid_t pid, int dirfd, std::string_view path,
                                              LastLink last) {
  std::string at;
  if (!path.starts_with('/')) {
    const auto base = dirfd == AT_FDCWD ? read_link(fmt::format("/proc/{}/cwd", pid))
                                        : child_descriptor(pid, dirfd);
    if (!base || !base->starts_with('/')) return std::nullopt;
    at = *base == "/" ? "" : *base;
  }
  std::deque<std::string> parts;
  push_front(parts, path);
  int links = 0;
  while (!parts.empty()) {
    const std::string part = std::move(parts.front());
    parts.pop_front();
    if (part == ".") continue;
    if (part == "..") {
      at.resize(at.rfind('/') == std::string::npos ? 0 : at.rfind('/'));
      continue;
    }
    std::string next = at + "/" + part;
    if (next == "/proc/self" || next == "/proc/thread-self") {
      at = fmt::format("/proc/{}", pid);
      continue;
    }
    struct stat info {};
    if (::lstat(next.c_str(), &info) != 0) {
      if (!parts.empty()) return std::nullopt;
      return next;
    }
    if (S_ISLNK(info.st_mode) && (!parts.empty() || last == LastLink::follow)) {
      const auto target = read_link(next);
      if (!target || ++links > most_links) return std::nullopt;
      // A magic link to a pipe or socket: no path at all.
      if (next.starts_with("/proc/") && !target->starts_with('/') && target->contains(':')) {
        return target;
      }
      if (target->starts_with('/')) at.clear();
      push_front(parts, *target);
      continue;
    }
    at = std::move(next);
  }
  return at.empty() ? "/" : at;
}

}  // namespace assent::sandbox
