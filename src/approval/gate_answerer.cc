#include "approval/gate_answerer.h"

#include <utility>

#include <fmt/format.h>

#include "vocabulary/decider.h"

namespace assent::approval {

using vocabulary::ApprovalOutcome;

PolicyDecision TighteningPolicy::evaluate(const Request& request) const {
  const PolicyDecision decision = inner_.evaluate(request);
  return decision == PolicyDecision::auto_allow ? PolicyDecision::ask : decision;
}

std::function<ApprovalService::Answerers::Listener> gate_answerer(Gate& gate) {
  return [&gate](const Asking& asking, const auto&) -> Answered {
    auto ruling = gate.check(asking.request, asking.stop);
    if (!ruling) {
      const bool cancelled = ruling.error().kind == base::ErrorKind::cancelled;
      return {.outcome = cancelled ? ApprovalOutcome::cancelled : ApprovalOutcome::unavailable,
              .by = cancelled
                        ? std::string(vocabulary::by_cancel)
                        : fmt::format("{}: {}", vocabulary::by_failure, ruling.error().message)};
    }
    return {.outcome = ruling->decision == Decision::deny ? ApprovalOutcome::rejected
                                                          : ApprovalOutcome::allowed_once,
            .by = std::move(ruling->by),
            .via = std::move(ruling->via),
            .feedback = std::move(ruling->feedback),
            .edited = std::move(ruling->edited),
            .saved = std::move(ruling->saved)};
  };
}

}  // namespace assent::approval
