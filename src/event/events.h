#pragma once
// The session's event types. Everything that happened is one of these; everything else is a fold
// over them (session.md). Values only; `codec.h` gives each its form on the wire.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "json/value.h"
#include "vocabulary/confinement.h"
#include "vocabulary/effect.h"
#include "vocabulary/grant_scope.h"
#include "vocabulary/ids.h"
#include "vocabulary/message.h"
#include "vocabulary/outcome.h"

namespace assent::event {

// --- session -------------------------------------------------------------------------------------
// First event of every log. `version` is that of the format; a newer one than ours is refused.
struct SessionOpened {
  static constexpr std::int64_t current_version = 1;
  std::int64_t version = current_version;
  std::string cwd;
  std::optional<vocabulary::SessionId> parent{};
  std::string origin;  // "user", "subagent"
  std::int64_t depth = 0;
  bool operator==(const SessionOpened&) const = default;
};
struct SessionClosed {
  bool operator==(const SessionClosed&) const = default;
};

// --- turn and step -------------------------------------------------------------------------------
enum class TurnEndReason : std::uint8_t {
  completed,
  aborted,
  blocked,
  error,
  max_tokens,
  limit,
  interrupted
};
// The word on the wire: "completed", "max-tokens" …
std::string_view to_text(TurnEndReason reason);
struct TurnStarted {
  std::int64_t turn = 0;
  bool operator==(const TurnStarted&) const = default;
};
// `detail` is the cause of an abort, which limit, or the error's message; else empty.
struct TurnEnded {
  std::int64_t turn = 0;
  TurnEndReason reason = TurnEndReason::completed;
  std::string detail{};
  bool operator==(const TurnEnded&) const = default;
};
struct StepStarted {
  std::int64_t turn = 0;
  std::int64_t step = 0;
  bool operator==(const StepStarted&) const = default;
};
struct StepEnded {
  std::int64_t turn = 0;
  std::int64_t step = 0;
  bool operator==(const StepEnded&) const = default;
};

// --- model ---------------------------------------------------------------------------------------
// `source` says who put it there: "user", "context", "plugin:user-approval".
struct UserMessage {
  std::string content;
  std::string source;
  bool operator==(const UserMessage&) const = default;
};
struct AssistantMessage {
  std::string content;
  std::vector<vocabulary::ToolCall> calls{};
  std::string reasoning{};
  vocabulary::Usage usage{};
  bool operator==(const AssistantMessage&) const = default;
};
// What every request of the steps that follow begins with; written where it changed.
struct RequestHeader {
  std::string model;
  std::string system;
  json::Value tools;
  bool operator==(const RequestHeader&) const = default;
};

// --- tools ---------------------------------------------------------------------------------------
// With `replaces`, a human edited the arguments of the model's call that it names: `call.id` is for
// the log only. Questions name the call whose arguments they are about; every other event of the
// call carries the model's id.
struct ToolCalled {
  vocabulary::ToolCall call;
  std::optional<vocabulary::CallId> replaces{};
  bool operator==(const ToolCalled&) const = default;
};
// The whole pipeline let the call pass; `by` names who cleared it: "review", "rule:ID", a request
// id.
struct ToolCleared {
  vocabulary::CallId call_id;
  std::string digest{};
  vocabulary::Confinement confinement{};
  std::string by{};
  bool operator==(const ToolCleared&) const = default;
};
struct ToolStarted {
  vocabulary::CallId call_id;
  bool operator==(const ToolStarted&) const = default;
};
struct ToolResult {
  vocabulary::CallId call_id;
  std::string content{};  // what the model sees
  std::optional<vocabulary::CallError> error{};
  bool operator==(const ToolResult&) const = default;
};

// --- decisions -----------------------------------------------------------------------------------
struct ApprovalAsked {
  vocabulary::RequestId id;
  std::string tool_name;
  std::optional<vocabulary::CallId> call_id{};
  std::optional<std::string> reason{};
  std::string digest{};
  vocabulary::Effects effects{};
  std::string shown{};  // our own first line of the prompt
  bool operator==(const ApprovalAsked&) const = default;
};
struct ApprovalDecided {
  vocabulary::RequestId id;
  vocabulary::ApprovalOutcome outcome = vocabulary::ApprovalOutcome::unavailable;
  std::string by;                            // never, rule, answers, terminal:USER …
  std::optional<vocabulary::GrantId> via{};  // the grant that answered
  std::optional<std::string> feedback{};     // the human's message to the model
  // The tool/call with the arguments that the human put in place of the model's.
  std::optional<vocabulary::CallId> edited{};
  bool operator==(const ApprovalDecided&) const = default;
};
struct SandboxModeSet {
  vocabulary::SandboxMode mode = vocabulary::SandboxMode::read_only;
  bool operator==(const SandboxModeSet&) const = default;
};
struct ApprovalPolicySet {
  vocabulary::ApprovalPolicy policy = vocabulary::ApprovalPolicy::ask;
  bool operator==(const ApprovalPolicySet&) const = default;
};
struct ReviewSet {
  vocabulary::Review review = vocabulary::Review::escalations;
  bool operator==(const ReviewSet&) const = default;
};
struct GrantModeSet {
  vocabulary::GrantMode mode = vocabulary::GrantMode::off;
  bool operator==(const GrantModeSet&) const = default;
};
// Records the user's choice; execution never reads it (B-088).
struct PresetSet {
  std::string preset;
  bool operator==(const PresetSet&) const = default;
};
struct GrantSaved {
  vocabulary::GrantId id;
  vocabulary::RequestId request;
  std::string tool_name;
  std::string work_dir;
  vocabulary::GrantScope scope{};
  std::int64_t created_ms = 0;
  std::int64_t expires_ms = 0;  // 0 never expires
  bool operator==(const GrantSaved&) const = default;
};
struct GrantRevoked {
  vocabulary::GrantId id;
  std::string by;
  bool operator==(const GrantRevoked&) const = default;
};
struct QuestionAsked {
  vocabulary::QuestionId id;
  std::optional<vocabulary::CallId> call_id{};
  json::Value questions;
  bool operator==(const QuestionAsked&) const = default;
};
// Exactly one of `answers` and `error`.
struct QuestionAnswered {
  vocabulary::QuestionId id;
  std::string by;
  std::optional<json::Value> answers{};
  std::optional<vocabulary::ErrorCode> error{};
  bool operator==(const QuestionAnswered&) const = default;
};
// What the kernel refused during the call: `operation subject` as the witness saw them.
struct DeniedOperation {
  std::string operation;
  std::string subject;
  bool operator==(const DeniedOperation&) const = default;
};
struct SandboxDenied {
  vocabulary::CallId call_id;
  std::vector<DeniedOperation> evidence;
  bool operator==(const SandboxDenied&) const = default;
};

// A program of the user's was asked before a call; it is logged before it runs.
struct HookInvoked {
  vocabulary::CallId call_id;
  std::vector<std::string> command{};
  bool operator==(const HookInvoked&) const = default;
};
// `decision`: deny, ask, none; or failed, where it gave none.
struct HookResult {
  vocabulary::CallId call_id;
  std::string decision{};
  std::optional<std::string> reason{};
  bool operator==(const HookResult&) const = default;
};

using Data =
    std::variant<SessionOpened, SessionClosed, TurnStarted, TurnEnded, StepStarted, StepEnded,
                 UserMessage, AssistantMessage, RequestHeader, ToolCalled, ToolCleared, ToolStarted,
                 ToolResult, ApprovalAsked, ApprovalDecided, SandboxModeSet, ApprovalPolicySet,
                 ReviewSet, GrantModeSet, PresetSet, GrantSaved, GrantRevoked, QuestionAsked,
                 QuestionAnswered, SandboxDenied, HookInvoked, HookResult>;

struct Event {
  vocabulary::SessionId session;
  std::int64_t seq = 0;  // from 0, without gaps
  std::int64_t time_ms = 0;
  Data data;
  bool operator==(const Event&) const = default;
};

}  // namespace assent::event
