#include "approval/gate.h"

#include <utility>

#include "vocabulary/decider.h"

namespace assent::approval {

using base::Result;

PolicyDecision DefaultPolicy::evaluate(const Request& request) const {
  switch (request.risk) {
    case vocabulary::Risk::safe: return PolicyDecision::auto_allow;
    case vocabulary::Risk::mutating:
    case vocabulary::Risk::dangerous: return PolicyDecision::ask;
  }
  return PolicyDecision::deny;
}

Result<Ruling> Gate::check(const Request& request, const base::StopToken& stop) {
  switch (policy_.evaluate(request)) {
    case PolicyDecision::auto_allow:
      return Ruling{.decision = Decision::allow_once, .by = std::string(vocabulary::by_policy)};
    case PolicyDecision::ask: break;
    case PolicyDecision::deny:
      return Ruling{.decision = Decision::deny, .by = std::string(vocabulary::by_policy)};
    default: return Ruling{.decision = Decision::deny, .by = std::string(vocabulary::by_policy)};
  }
  if (request.grantable == Grantable::yes) {
    if (auto grant = TRY(grants_.has(request, stop))) {
      return Ruling{.decision = Decision::allow_once,
                    .by = std::string(vocabulary::by_grant),
                    .via = std::move(grant)};
    }
  }
  return ask_handler(request, stop);
}

Result<Ruling> Gate::ask_handler(const Request& request, const base::StopToken& stop) {
  Answer answer = TRY(handler_.approve(request, stop));
  Ruling ruling{.decision = answer.decision,
                .by = std::move(answer.by),
                .feedback = std::move(answer.feedback)};
  switch (answer.decision) {
    case Decision::allow_once:
    case Decision::deny: return ruling;
    case Decision::allow_session: break;
    default: ruling.decision = Decision::deny; return ruling;
  }
  if (request.grantable != Grantable::yes) {
    ruling.decision = Decision::deny;
    return ruling;
  }
  Grant grant{.id = base::make_id<vocabulary::GrantId>(clock_, rng_),
              .session = request.session,
              .tool_name = request.call.name,
              .work_dir = request.work_dir,
              .digest = request.digest,
              .request = request.id,
              .created_ms = answer.at_ms,
              .expires_ms = answer.at_ms + request.grant_ttl.count()};
  TRY(grants_.save(grant, stop));
  ruling.saved = std::move(grant);
  return ruling;
}

}  // namespace assent::approval
