#include "event/state.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "vocabulary/decider.h"

namespace assent::event {

using base::ErrorKind;
using base::failure;
using base::Result;

// --- what may come next --------------------------------------------------------------------------

struct Check {
  const State& state;

  static Result<void> require(bool holds, std::string_view what) {
    if (holds) return {};
    return failure(ErrorKind::invalid, std::string(what));
  }
  [[nodiscard]] Result<void> in_turn(std::string_view what) const {
    return require(state.turn_open_, fmt::format("{} outside an open turn", what));
  }
  [[nodiscard]] Result<void> waits(const vocabulary::CallId& id, std::string_view what) const {
    return require(
        state.waiting(id) != nullptr,
        fmt::format("{} for \"{}\", which is no call without a result", what, id.text()));
  }

  Result<void> operator()(const SessionOpened& e) const {
    TRY(require(!state.opened(), "a session opens once"));
    TRY(require(e.version >= 1, "session/opened without a version"));
    return require(e.version <= SessionOpened::current_version,
                   "the session was written by a newer version of assent: upgrade to read it");
  }
  Result<void> operator()(const SessionClosed&) const {
    return require(!state.turn_open_, "session/closed inside a turn");
  }
  Result<void> operator()(const TurnStarted& e) const {
    TRY(require(!state.turn_open_, "turn/start inside a turn"));
    return require(e.turn == state.turn_ + 1, "turns are numbered from 1 without gaps");
  }
  Result<void> operator()(const TurnEnded& e) const {
    TRY(in_turn("turn/end"));
    TRY(require(!state.step_open_, "turn/end inside a step"));
    TRY(require(state.unanswered_.empty(), "turn/end before every call has its result"));
    return require(e.turn == state.turn_, "turn/end of another turn");
  }
  Result<void> operator()(const StepStarted& e) const {
    TRY(in_turn("step/start"));
    TRY(require(!state.step_open_, "step/start inside a step"));
    TRY(require(state.unanswered_.empty(), "step/start before every call has its result"));
    return require(e.turn == state.turn_ && e.step == state.step_ + 1,
                   "steps are numbered from 1 in each turn without gaps");
  }
  Result<void> operator()(const StepEnded& e) const {
    TRY(require(state.step_open_, "step/end outside a step"));
    TRY(require(state.unanswered_.empty(), "step/end before every call has its result"));
    return require(e.turn == state.turn_ && e.step == state.step_, "step/end of another step");
  }
  Result<void> operator()(const UserMessage&) const {
    return require(state.unanswered_.empty(), "user/message between a call and its result");
  }
  Result<void> operator()(const AssistantMessage&) const {
    TRY(require(state.step_open_, "assistant/message outside a step"));
    return require(state.unanswered_.empty(), "assistant/message before every call has its result");
  }
  Result<void> operator()(const RequestHeader&) const { return in_turn("request/header"); }
  Result<void> operator()(const ToolCalled& e) const {
    if (e.replaces) return waits(*e.replaces, "tool/call that replaces");
    return waits(e.call.id, "tool/call");
  }
  Result<void> operator()(const ToolCleared& e) const {
    TRY(waits(e.call_id, "tool/cleared"));
    TRY(require(state.waiting(e.call_id)->logged, "tool/cleared before its tool/call"));
    return require(!state.waiting(e.call_id)->started, "tool/cleared after its tool/started");
  }
  Result<void> operator()(const ToolStarted& e) const {
    TRY(waits(e.call_id, "tool/started"));
    TRY(require(state.waiting(e.call_id)->cleared, "tool/started without its tool/cleared"));
    return require(!state.waiting(e.call_id)->started, "a call starts once");
  }
  Result<void> operator()(const ToolResult& e) const {
    TRY(waits(e.call_id, "tool/result"));
    return require(state.waiting(e.call_id)->logged, "tool/result before its tool/call");
  }
  Result<void> operator()(const ApprovalAsked& e) const {
    TRY(in_turn("approval/asked"));
    TRY(require(!e.tool_name.empty(), "approval/asked without a tool"));
    return require(!e.id.empty() && !state.has_open_approval(e.id),
                   "approval/asked with an id that is open already");
  }
  Result<void> operator()(const ApprovalDecided& e) const {
    TRY(in_turn("approval/decided"));
    return require(state.has_open_approval(e.id), "approval/decided without its approval/asked");
  }
  Result<void> operator()(const GrantSaved& e) const {
    return require(std::ranges::find(state.grants_, e.id) == state.grants_.end(),
                   "grant/saved with an id that counts already");
  }
  Result<void> operator()(const GrantRevoked& e) const {
    return require(std::ranges::find(state.grants_, e.id) != state.grants_.end(),
                   "grant/revoked for a grant that does not count");
  }
  // Everything else may stand anywhere after session/opened.
  template <class Anywhere>
  Result<void> operator()(const Anywhere&) const {
    return {};
  }
};

Result<void> State::check(const Data& data) const {
  if (!opened() && !std::holds_alternative<SessionOpened>(data)) {
    return failure(ErrorKind::invalid, "the first event of a session is session/opened");
  }
  return std::visit(Check{*this}, data);
}

// --- the fold ------------------------------------------------------------------------------------

struct Apply {
  State& state;
  std::int64_t time_ms;

  template <class T>
  void set(T& knob, T value) const {
    if (knob != value) ++state.policy_epoch_;
    knob = value;
  }
  [[nodiscard]] UnansweredCall* waiting(const vocabulary::CallId& id) const {
    return const_cast<UnansweredCall*>(state.waiting(id));
  }

  void operator()(const SessionOpened& e) const { state.opened_ = e; }
  void operator()(const TurnStarted& e) const {
    state.turn_open_ = true;
    state.turn_ = e.turn;
    state.step_ = 0;
    state.rejected_in_turn_.clear();
    state.rejections_in_a_row_ = 0;
  }
  void operator()(const TurnEnded& e) const {
    state.turn_open_ = false;
    state.last_turn_end_ = e.reason;
  }
  void operator()(const StepStarted& e) const {
    state.step_open_ = true;
    state.step_ = e.step;
  }
  void operator()(const StepEnded&) const { state.step_open_ = false; }
  void operator()(const AssistantMessage& e) const {
    for (const auto& call : e.calls) state.unanswered_.push_back({.call = call});
  }
  void operator()(const RequestHeader& e) const { state.request_ = e; }
  void operator()(const ToolCalled& e) const {
    waiting(e.replaces ? *e.replaces : e.call.id)->logged = true;
  }
  void operator()(const ToolCleared& e) const { waiting(e.call_id)->cleared = true; }
  void operator()(const ToolStarted& e) const { waiting(e.call_id)->started = true; }
  void operator()(const ToolResult& e) const {
    const auto* call = state.waiting(e.call_id);
    state.unanswered_.erase(state.unanswered_.begin() + (call - state.unanswered_.data()));
  }
  void operator()(const ApprovalAsked& e) const {
    state.open_approvals_.push_back({.id = e.id,
                                     .tool_name = e.tool_name,
                                     .call_id = e.call_id,
                                     .reason = e.reason,
                                     .digest = e.digest,
                                     .asked_ms = time_ms});
  }
  void operator()(const ApprovalDecided& e) const {
    if (vocabulary::is_human(e.by)) count(e);
    std::erase_if(state.open_approvals_, [&](const OpenQuestion& open) { return open.id == e.id; });
  }
  void count(const ApprovalDecided& e) const {
    if (e.outcome == vocabulary::ApprovalOutcome::allowed_once) state.rejections_in_a_row_ = 0;
    // New arguments are a human's help, not a no.
    if (e.outcome != vocabulary::ApprovalOutcome::rejected || e.edited) return;
    ++state.rejections_in_a_row_;
    const auto asked = std::ranges::find(state.open_approvals_, e.id, &OpenQuestion::id);
    if (asked != state.open_approvals_.end()) state.rejected_in_turn_.push_back(asked->digest);
  }
  void operator()(const SandboxModeSet& e) const { set(state.knobs_.sandbox, e.mode); }
  void operator()(const ApprovalPolicySet& e) const { set(state.knobs_.approval, e.policy); }
  void operator()(const ReviewSet& e) const { set(state.knobs_.review, e.review); }
  void operator()(const GrantModeSet& e) const { set(state.knobs_.grants, e.mode); }
  void operator()(const GrantSaved& e) const { state.grants_.push_back(e.id); }
  void operator()(const GrantRevoked& e) const { std::erase(state.grants_, e.id); }
  void operator()(const PresetSet& e) const { state.preset_ = e.preset; }
  template <class LogOnly>
  void operator()(const LogOnly&) const {}
};

void State::apply(const Event& event) { std::visit(Apply{*this, event.time_ms}, event.data); }

const UnansweredCall* State::waiting(const vocabulary::CallId& id) const {
  const auto found = std::ranges::find(unanswered_, id, [](const auto& c) { return c.call.id; });
  return found == unanswered_.end() ? nullptr : &*found;
}

bool State::has_open_approval(const vocabulary::RequestId& id) const {
  return std::ranges::find(open_approvals_, id, &OpenQuestion::id) != open_approvals_.end();
}

bool State::rejected_in_turn(const std::string& digest) const {
  return std::ranges::find(rejected_in_turn_, digest) != rejected_in_turn_.end();
}

void Conversation::apply(const Event& event) {
  if (const auto* user = std::get_if<UserMessage>(&event.data)) {
    messages_.push_back({.role = vocabulary::Role::user, .content = user->content});
  } else if (const auto* assistant = std::get_if<AssistantMessage>(&event.data)) {
    messages_.push_back({.role = vocabulary::Role::assistant,
                         .content = assistant->content,
                         .calls = assistant->calls,
                         .reasoning = assistant->reasoning});
  } else if (const auto* result = std::get_if<ToolResult>(&event.data)) {
    messages_.push_back(
        {.role = vocabulary::Role::tool, .content = result->content, .answers = result->call_id});
  }
}

// --- repair --------------------------------------------------------------------------------------

std::vector<Data> repair(const State& state) {
  using vocabulary::ErrorCode;
  std::vector<Data> events;
  for (const auto& open : state.unanswered()) {
    if (!open.logged) events.emplace_back(ToolCalled{.call = open.call});
    events.emplace_back(ToolResult{
        .call_id = open.call.id,
        .content =
            open.started
                ? "Error: the program was interrupted while this call ran; its outcome is "
                  "unknown. Verify what happened before you go on; repeat only what is read-only "
                  "or idempotent, or ask the user."
                : "Error: the program was interrupted before this call started; nothing ran.",
        .error = vocabulary::CallError{.code = open.started ? ErrorCode::tool_outcome_unknown
                                                            : ErrorCode::tool_not_started}});
  }
  if (state.step_open()) events.emplace_back(StepEnded{state.turn(), state.step()});
  if (state.turn_open()) {
    events.emplace_back(TurnEnded{.turn = state.turn(), .reason = TurnEndReason::interrupted});
  }
  return events;
}

}  // namespace assent::event
