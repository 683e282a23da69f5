#pragma once
// A clock that stands still until it is told to move. Any thread.

#include <atomic>

#include "base/clock.h"

namespace assent::base::testing {

class FakeClock final : public Clock {
 public:
  explicit FakeClock(std::int64_t start_ms = 1'700'000'000'000) : now_(start_ms) {}
  [[nodiscard]] std::int64_t now_ms() const override { return now_.load(); }
  void advance(Milliseconds by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_;
};

}  // namespace assent::base::testing
