#include "approval/service.h"

#include <utility>

#include "vocabulary/decider.h"

namespace assent::approval {

using base::Result;
using vocabulary::ApprovalOutcome;

namespace {

bool in_vocabulary(ApprovalOutcome outcome) {
  return vocabulary::approval_outcome_from(vocabulary::to_text(outcome)).has_value();
}

event::ApprovalAsked asked_event(const Request& request) {
  return {.id = request.id,
          .tool_name = request.call.name,
          .call_id = request.call.id.empty() ? std::nullopt : std::optional(request.call.id),
          .reason = request.reason.empty() ? std::nullopt : std::optional(request.reason),
          .digest = request.digest,
          .effects = request.effects,
          .shown = request.headline};
}

}  // namespace

Result<Decided> ApprovalService::request(session::Session& session, const scope::ScopePath& path,
                                         Request draft, const base::StopToken& stop) {
  if (!session.state().turn_open()) {
    return base::failure(
        base::ErrorKind::invalid,
        "approval.request() outside an open turn: the pair would be no part of any "
        "turn in the log");
  }
  draft.id = base::make_id<vocabulary::RequestId>(session.clock(), session.rng());
  draft.created_ms = session.clock().now_ms();
  TRY(session.append(asked_event(draft)));
  const Answered answered = decide(session, path, draft, stop);
  std::vector<event::Data> events;
  events.emplace_back(event::ApprovalDecided{.id = draft.id,
                                             .outcome = answered.outcome,
                                             .by = answered.by,
                                             .via = answered.via,
                                             .feedback = answered.feedback});
  if (answered.saved && answered.outcome == ApprovalOutcome::allowed_once) {
    events.emplace_back(event::GrantSaved{.id = answered.saved->id,
                                          .request = draft.id,
                                          .tool_name = answered.saved->tool_name,
                                          .digest = answered.saved->digest,
                                          .created_ms = answered.saved->created_ms,
                                          .expires_ms = answered.saved->expires_ms});
  }
  TRY(session.append(std::move(events)));
  return Decided{.id = draft.id,
                 .outcome = answered.outcome,
                 .by = answered.by,
                 .feedback = answered.feedback};
}

Answered ApprovalService::decide(const session::Session& session, const scope::ScopePath& path,
                                 const Request& request, const base::StopToken& stop) const {
  if (stop.stop_requested())
    return {.outcome = ApprovalOutcome::cancelled, .by = std::string(vocabulary::by_cancel)};
  if (session.state().knobs().approval == vocabulary::ApprovalPolicy::never) {
    return {.outcome = ApprovalOutcome::rejected, .by = std::string(vocabulary::by_never)};
  }
  if (session.state().rejected_in_turn(request.digest)) {
    return {.outcome = ApprovalOutcome::rejected, .by = std::string(vocabulary::by_repeat)};
  }
  Answered answered;
  try {
    answered = answerers_.run({request, stop}, path, [] {
      return Answered{.outcome = ApprovalOutcome::unavailable,
                      .by = std::string(vocabulary::by_nobody)};
    });
  } catch (...) {
    answered = {.outcome = ApprovalOutcome::unavailable, .by = std::string(vocabulary::by_failure)};
  }
  // A late answer to a question that was withdrawn is not one (B-148).
  if (stop.stop_requested())
    return {.outcome = ApprovalOutcome::cancelled, .by = std::string(vocabulary::by_cancel)};
  if (!in_vocabulary(answered.outcome)) {
    return {.outcome = ApprovalOutcome::unavailable, .by = std::string(vocabulary::by_failure)};
  }
  return answered;
}

}  // namespace assent::approval
