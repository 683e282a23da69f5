#include "approval/gate.h"

#include <algorithm>
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
  Ruling ruling{.decision = Decision::deny,
                .by = std::move(answer.by),
                .feedback = std::move(answer.feedback)};
  switch (answer.decision) {
    case Decision::allow_once: ruling.decision = Decision::allow_once; return ruling;
    case Decision::deny: ruling.edited = std::move(answer.edited); return ruling;
    case Decision::allow_session: break;
    default: return ruling;
  }
  const bool offered = !answer.scope || std::ranges::find(request.wider_scopes, *answer.scope) !=
                                            request.wider_scopes.end();
  if (request.grantable != Grantable::yes || !offered) return ruling;
  Grant grant{.id = base::make_id<vocabulary::GrantId>(clock_, rng_),
              .session = request.session,
              .tool_name = request.call.name,
              .work_dir = request.work_dir,
              .scope = answer.scope.value_or(
                  vocabulary::GrantScope{vocabulary::GrantKind::exact, request.digest}),
              .request = request.id,
              .created_ms = answer.at_ms,
              .expires_ms = answer.at_ms + request.grant_ttl.count()};
  TRY(grants_.save(grant, stop));
  ruling.decision = Decision::allow_session;
  ruling.saved = std::move(grant);
  return ruling;
}

}  // namespace assent::approval
