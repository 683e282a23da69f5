#pragma once
// How a question ended, and why a call has no ordinary result.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assent::vocabulary {

// B-051: exactly these four. There is no lasting one (B-052).
enum class ApprovalOutcome : std::uint8_t { allowed_once, rejected, cancelled, unavailable };

std::string_view to_text(ApprovalOutcome outcome);
std::optional<ApprovalOutcome> approval_outcome_from(std::string_view text);

// session.md, error codes of tool/result.
enum class ErrorCode : std::uint8_t {
  denied,
  rejected,
  cancelled,
  unavailable,
  escalation_invalid,
  stale_clearance,
  aborted,
  aborted_before_dispatch,
  unknown_tool,
  invalid_args,
  tool_failed,
  tool_timeout,
  tool_not_started,
  tool_outcome_unknown,
  sandbox_unavailable,
  sandbox_denied,
  secret_in_arguments,
  no_provider,
  ask_aborted,
  empty_questions,
  caller_not_live,
  delegated_caller,
};

std::string_view to_text(ErrorCode code);  // DENIED, REJECTED …
std::optional<ErrorCode> error_code_from(std::string_view text);

// `by` names who decided (rule, listener, hook, guard, never, a channel and user); empty elsewhere.
struct CallError {
  ErrorCode code = ErrorCode::denied;
  std::string by{};
  std::string rule{};
  bool operator==(const CallError&) const = default;
};

}  // namespace assent::vocabulary
