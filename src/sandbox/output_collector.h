#pragma once
// Keeps the head and the tail of a stream of any length in bounded memory.

#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/command.h"

namespace assent::sandbox {

class OutputCollector {
 public:
  explicit OutputCollector(std::size_t limit) : half_(limit / 2) {}

  void add(std::string_view bytes);
  // Head, a line that says how many bytes are left out, tail.
  [[nodiscard]] Output finish() const;

 private:
  std::size_t half_;
  std::string head_;
  std::string tail_;  // the last `half_` bytes, with some slack before it is trimmed
  std::uint64_t size_ = 0;
};

}  // namespace assent::sandbox
