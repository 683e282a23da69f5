#pragma once
// A Waiter that lets no time pass and keeps what it was asked to wait.

#include <functional>
#include <vector>

#include "provider/retry.h"

namespace assent::provider::testing {

class FakeWaiter final : public Waiter {
 public:
  bool wait(base::Milliseconds time, const base::StopToken& stop) override {
    waits.push_back(time);
    if (on_wait) on_wait();
    return stop.stop_requested();
  }
  std::vector<base::Milliseconds> waits{};
  std::function<void()> on_wait{};
};

}  // namespace assent::provider::testing
