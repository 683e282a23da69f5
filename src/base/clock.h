#pragma once
// Time comes in through an interface, so that a test ticks by hand. Any thread.

#include <chrono>
#include <cstdint>

namespace assent::base {

using Milliseconds = std::chrono::milliseconds;

class Clock {
 public:
  virtual ~Clock() = default;
  // Milliseconds since the Unix epoch; what events carry.
  [[nodiscard]] virtual std::int64_t now_ms() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t now_ms() const override;
};

}  // namespace assent::base
