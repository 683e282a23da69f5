#include "base/fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include <fmt/format.h>

namespace assent::base {

void Fd::reset() {
  if (raw_ >= 0) ::close(raw_);
  raw_ = -1;
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failure(system_error("pipe2", errno));
  return Pipe{Fd(ends[0]), Fd(ends[1])};
}

Result<std::size_t> read_some(int fd, std::span<std::byte> out) {
  while (true) {
    const ssize_t got = ::read(fd, out.data(), out.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return failure(system_error("read", errno));
  }
}

Result<void> write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno != EINTR) {
      return failure(system_error("write", errno));
    }
  }
  return {};
}

Result<std::string> read_to_end(int fd, std::size_t limit) {
  std::string text;
  std::array<std::byte, 16384> chunk;
  while (true) {
    const std::size_t got = TRY(read_some(fd, chunk));
    if (got == 0) return text;
    if (text.size() + got > limit) {
      return failure(ErrorKind::limit, fmt::format("more than {} bytes", limit));
    }
    text.append(reinterpret_cast<const char*>(chunk.data()), got);
  }
}

}  // namespace assent::base
