#include "approval/service.h"

#include <charconv>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/foreign_call.h"
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

// "c1" → "c1#2" → "c1#3".
vocabulary::CallId next_id(const vocabulary::CallId& id) {
  const std::string& text = id.text();
  const auto mark = text.rfind('#');
  std::size_t number = 1;
  if (mark != std::string::npos) {
    const auto [end, error] =
        std::from_chars(text.data() + mark + 1, text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) number = 1;
  }
  const std::string stem = number == 1 ? text : text.substr(0, mark);
  return vocabulary::CallId(fmt::format("{}#{}", stem, number + 1));
}

// The grant stands directly behind the decision that it was given with.
std::vector<event::Data> decided_events(const Request& request, const Answered& answered,
                                        const Decided& decided) {
  std::vector<event::Data> events;
  events.emplace_back(event::ApprovalDecided{
      .id = decided.id,
      .outcome = decided.outcome,
      .by = decided.by,
      .via = answered.via,
      .feedback = decided.feedback,
      .edited = decided.edited ? std::optional(decided.edited->id) : std::nullopt});
  if (answered.saved && answered.outcome == ApprovalOutcome::allowed_once) {
    events.emplace_back(event::GrantSaved{.id = answered.saved->id,
                                          .request = request.id,
                                          .tool_name = answered.saved->tool_name,
                                          .work_dir = answered.saved->work_dir,
                                          .scope = answered.saved->scope,
                                          .created_ms = answered.saved->created_ms,
                                          .expires_ms = answered.saved->expires_ms});
  }
  return events;
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
  Decided decided{.id = draft.id,
                  .outcome = answered.outcome,
                  .by = answered.by,
                  .feedback = answered.feedback};
  if (answered.edited && answered.outcome == ApprovalOutcome::rejected) {
    decided.edited = vocabulary::ToolCall{
        .id = next_id(draft.call.id), .name = draft.call.name, .arguments = *answered.edited};
  }
  TRY(session.append(decided_events(draft, answered, decided)));
  return decided;
}

namespace {

Answered by(ApprovalOutcome outcome, std::string_view who) {
  return {.outcome = outcome, .by = std::string(who)};
}

// What a question needs that may outlive the one who asked it.
struct Question {
  ApprovalService::Answerers::Chain answerers;
  Request request;
  base::StopSource withdrawn;
};

Answered put(const Question& question) {
  const auto nobody = [] { return by(ApprovalOutcome::unavailable, vocabulary::by_nobody); };
  try {
    return question.answerers.run({question.request, question.withdrawn.token()}, nobody);
  } catch (...) {
    return by(ApprovalOutcome::unavailable, vocabulary::by_failure);
  }
}

}  // namespace

Answered ApprovalService::decide(session::Session& session, const scope::ScopePath& path,
                                 const Request& request, const base::StopToken& stop) const {
  const auto cancelled = by(ApprovalOutcome::cancelled, vocabulary::by_cancel);
  const auto never = [&] {
    return session.state().knobs().approval == vocabulary::ApprovalPolicy::never;
  };
  if (stop.stop_requested()) return cancelled;
  if (never()) return by(ApprovalOutcome::rejected, vocabulary::by_never);
  if (session.state().rejected_in_turn(request.digest)) {
    return by(ApprovalOutcome::rejected, vocabulary::by_repeat);
  }
  const std::stop_callback wake(stop.std_token(), session.waker());
  const auto question =
      std::make_shared<Question>(Question{answerers_.chain(path), request, base::StopSource(stop)});
  std::optional<Answered> answered;
  try {
    base::ForeignCall<Answered> call([question] { return put(*question); }, session.waker());
    session.serve_until([&] { return call.ended() || stop.stop_requested() || never(); },
                        request.expires_ms);
    if (!call.ended()) {
      question->withdrawn.request_stop();
      call.wait(question->withdrawn.token());
    }
    answered = call.take();
  } catch (const std::system_error&) {
    return by(ApprovalOutcome::unavailable, vocabulary::by_failure);  // no thread to ask on
  }
  // A late answer to a question that was withdrawn is not one (B-148).
  if (stop.stop_requested()) return cancelled;
  if (never()) return by(ApprovalOutcome::rejected, vocabulary::by_never);
  if (request.expires_ms != 0 && session.clock().now_ms() >= request.expires_ms) {
    return by(ApprovalOutcome::unavailable, vocabulary::by_deadline);
  }
  if (!answered || !in_vocabulary(answered->outcome)) {
    return by(ApprovalOutcome::unavailable, vocabulary::by_failure);
  }
  return std::move(*answered);
}

}  // namespace assent::approval
