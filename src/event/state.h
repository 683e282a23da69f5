#pragma once
// The fold of a session's events: what is true now. Pure; the same events give the same state.

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/events.h"
#include "vocabulary/modes.h"

namespace assent::event {

struct UnansweredCall {
  vocabulary::ToolCall call;
  bool logged = false;   // a tool/call stands
  bool cleared = false;  // a tool/cleared stands
  bool started = false;  // a tool/started stands
  bool operator==(const UnansweredCall&) const = default;
};

struct OpenQuestion {
  vocabulary::RequestId id;
  std::string tool_name;
  std::optional<vocabulary::CallId> call_id{};
  std::optional<std::string> reason{};
  std::string digest{};
  std::int64_t asked_ms = 0;
  bool operator==(const OpenQuestion&) const = default;
};

// What the model has seen: user messages, assistant messages and tool results only (B-162). Apart
// from State, which stays small however long a session grows. Not thread-safe.
class Conversation {
 public:
  void apply(const Event& event);
  [[nodiscard]] const std::vector<vocabulary::Message>& messages() const { return messages_; }

 private:
  std::vector<vocabulary::Message> messages_;
};

// Not thread-safe; the session's writer owns it.
class State {
 public:
  // Whether `data` may come next (B-152 and the order of session.md): the first event is
  // session/opened, steps lie in turns, an approval pair needs an open turn, a non-empty tool and
  // an id that is not open, a decided needs its asked, a call goes through tool/call, tool/cleared,
  // tool/started and tool/result in this order and only the first and the last of them always
  // stand: nothing starts without a clearance. ErrorKind::invalid otherwise.
  [[nodiscard]] base::Result<void> check(const Data& data) const;
  // Takes the event in; it must have passed check().
  void apply(const Event& event);

  [[nodiscard]] bool opened() const { return opened_.has_value(); }
  [[nodiscard]] const SessionOpened& header() const { return *opened_; }
  [[nodiscard]] const vocabulary::Knobs& knobs() const { return knobs_; }
  // The last permission/preset, empty before the first. Display only (B-088).
  [[nodiscard]] const std::string& preset_choice() const { return preset_; }
  // B-033: a turn/start stands after the last turn/end.
  [[nodiscard]] bool turn_open() const { return turn_open_; }
  [[nodiscard]] bool step_open() const { return step_open_; }
  [[nodiscard]] std::int64_t turn() const { return turn_; }
  [[nodiscard]] std::int64_t step() const { return step_; }
  [[nodiscard]] std::optional<TurnEndReason> last_turn_end() const { return last_turn_end_; }
  [[nodiscard]] const std::optional<RequestHeader>& request_header() const { return request_; }
  // Calls of the last assistant message that have no result yet, in the model's order.
  [[nodiscard]] const std::vector<UnansweredCall>& unanswered() const { return unanswered_; }
  // Asked and not decided, also those that a crash left behind (B-161).
  [[nodiscard]] const std::vector<OpenQuestion>& open_approvals() const { return open_approvals_; }
  // Counts every narrowing or widening of a knob: a clearance remembers the value it was made
  // under.
  [[nodiscard]] std::int64_t policy_epoch() const { return policy_epoch_; }
  // Saved and not revoked, in order; whether one has expired is the clock's to say.
  [[nodiscard]] const std::vector<vocabulary::GrantId>& grants() const { return grants_; }
  // Whether a human rejected a call with this digest in the open turn (B-122).
  [[nodiscard]] bool rejected_in_turn(const std::string& digest) const;
  // Rejections by a human in the open turn since the last time one allowed something.
  [[nodiscard]] int rejections_in_a_row() const { return rejections_in_a_row_; }

  bool operator==(const State&) const = default;

 private:
  std::optional<SessionOpened> opened_;
  vocabulary::Knobs knobs_;
  std::string preset_;
  bool turn_open_ = false;
  bool step_open_ = false;
  std::int64_t turn_ = 0;
  std::int64_t step_ = 0;
  std::int64_t policy_epoch_ = 0;
  std::optional<TurnEndReason> last_turn_end_;
  std::optional<RequestHeader> request_;
  std::vector<UnansweredCall> unanswered_;
  std::vector<OpenQuestion> open_approvals_;
  std::vector<std::string> rejected_in_turn_;
  int rejections_in_a_row_ = 0;
  std::vector<vocabulary::GrantId> grants_;

  [[nodiscard]] const UnansweredCall* waiting(const vocabulary::CallId& id) const;
  [[nodiscard]] bool has_open_approval(const vocabulary::RequestId& id) const;
  friend struct Check;
  friend struct Apply;
};

// What balances a log whose writer died (P-010 … P-012): an error result for every call without one
// (TOOL_NOT_STARTED, or TOOL_OUTCOME_UNKNOWN where a tool/started stands), then step/end, then
// turn/end {interrupted}. Empty for a balanced log. An approval that was asked and not decided
// stays open: nobody decided it.
std::vector<Data> repair(const State& state);

}  // namespace assent::event
