#pragma once
// A handler that answers as told and remembers what it was asked, and a policy that says one thing.

#include <functional>
#include <vector>

#include "approval/types.h"

namespace assent::approval::testing {

// One thread.
class FakeHandler final : public Handler {
 public:
  std::function<base::Result<Answer>(const Request&)> answer = [](const auto&) {
    return Answer{.decision = Decision::deny, .by = "fake:user"};
  };
  std::vector<Request> asked{};

  base::Result<Answer> approve(const Request& request, const base::StopToken& stop) override {
    if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
    asked.push_back(request);
    return answer(request);
  }
};

class FixedPolicy final : public Policy {
 public:
  explicit FixedPolicy(PolicyDecision decision) : decision_(decision) {}
  [[nodiscard]] PolicyDecision evaluate(const Request&) const override { return decision_; }

 private:
  PolicyDecision decision_;
};

}  // namespace assent::approval::testing
