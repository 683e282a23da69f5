#pragma once
// The Gate as the innermost answerer (K-11): source 1's protocol inside source 2's waterfall.

#include "approval/gate.h"
#include "approval/service.h"

namespace assent::approval {

// Wraps a policy so that it can only tighten: an automatic allow counts as ask, so that the
// explicit ask of a listener is never turned into a silent allow (K-07).
class TighteningPolicy final : public Policy {
 public:
  explicit TighteningPolicy(const Policy& inner) : inner_(inner) {}
  [[nodiscard]] PolicyDecision evaluate(const Request& request) const override;

 private:
  const Policy& inner_;
};

// allow_once, allow_session → allowed-once; deny → rejected; a cancelled wait → cancelled; any
// other failure of handler or grant store → unavailable (K-09). `gate` must outlive the returned
// function.
std::function<ApprovalService::Answerers::Listener> gate_answerer(Gate& gate);

}  // namespace assent::approval
