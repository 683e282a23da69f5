#include "vocabulary/outcome.h"

#include "vocabulary/words.h"

namespace assent::vocabulary {
namespace {

constexpr Words<ApprovalOutcome, 4> outcome_words{
    {{{ApprovalOutcome::allowed_once, "allowed-once"},
      {ApprovalOutcome::rejected, "rejected"},
      {ApprovalOutcome::cancelled, "cancelled"},
      {ApprovalOutcome::unavailable, "unavailable"}}}};

constexpr Words<ErrorCode, 22> code_words{
    {{{ErrorCode::denied, "DENIED"},
      {ErrorCode::rejected, "REJECTED"},
      {ErrorCode::cancelled, "CANCELLED"},
      {ErrorCode::unavailable, "UNAVAILABLE"},
      {ErrorCode::escalation_invalid, "ESCALATION_INVALID"},
      {ErrorCode::stale_clearance, "STALE_CLEARANCE"},
      {ErrorCode::aborted, "ABORTED"},
      {ErrorCode::aborted_before_dispatch, "ABORTED_BEFORE_DISPATCH"},
      {ErrorCode::unknown_tool, "UNKNOWN_TOOL"},
      {ErrorCode::invalid_args, "INVALID_ARGS"},
      {ErrorCode::tool_failed, "TOOL_FAILED"},
      {ErrorCode::tool_timeout, "TOOL_TIMEOUT"},
      {ErrorCode::tool_not_started, "TOOL_NOT_STARTED"},
      {ErrorCode::tool_outcome_unknown, "TOOL_OUTCOME_UNKNOWN"},
      {ErrorCode::sandbox_unavailable, "SANDBOX_UNAVAILABLE"},
      {ErrorCode::sandbox_denied, "FS_SANDBOX_DENIED"},
      {ErrorCode::secret_in_arguments, "SECRET_IN_ARGUMENTS"},
      {ErrorCode::no_provider, "NO_PROVIDER"},
      {ErrorCode::ask_aborted, "ASK_ABORTED"},
      {ErrorCode::empty_questions, "EMPTY_QUESTIONS"},
      {ErrorCode::caller_not_live, "CALLER_NOT_LIVE"},
      {ErrorCode::delegated_caller, "DELEGATED_CALLER"}}}};

}  // namespace

std::string_view to_text(ApprovalOutcome outcome) { return outcome_words.text(outcome); }
std::optional<ApprovalOutcome> approval_outcome_from(std::string_view text) {
  return outcome_words.from(text);
}
std::string_view to_text(ErrorCode code) { return code_words.text(code); }
std::optional<ErrorCode> error_code_from(std::string_view text) { return code_words.from(text); }

}  // namespace assent::vocabulary
