#pragma once
// File descriptors as owned values, and the calls on them that every room needs. The raw calls and
// errno stay in fd.cc; all descriptors are made close-on-exec.

#include <sys/types.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace assent::base {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int raw) : raw_(raw) {}
  Fd(Fd&& other) noexcept : raw_(std::exchange(other.raw_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    if (this != &other) {
      reset();
      raw_ = std::exchange(other.raw_, -1);
    }
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  [[nodiscard]] int get() const { return raw_; }
  [[nodiscard]] bool valid() const { return raw_ >= 0; }
  [[nodiscard]] int release() { return std::exchange(raw_, -1); }
  void reset();

 private:
  int raw_ = -1;
};

struct Pipe {
  Fd read;
  Fd write;
};
Result<Pipe> make_pipe();

// Both retry on EINTR. read_some returns 0 at the end of input.
Result<std::size_t> read_some(int fd, std::span<std::byte> out);
Result<void> write_all(int fd, std::string_view bytes);
// Everything up to the end of input; more than `limit` bytes is ErrorKind::limit.
Result<std::string> read_to_end(int fd, std::size_t limit);

}  // namespace assent::base
