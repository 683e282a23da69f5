#include "app/exit_code.h"

namespace assent::app {

using event::TurnEndReason;

ExitCode exit_code(const agent::TurnResult& result, FailOn fail_on) {
  switch (result.reason) {
    case TurnEndReason::completed:
      if (result.ended_on_refusal) return ExitCode::refused;
      if (result.any_refusal && fail_on == FailOn::any_refusal) return ExitCode::refused;
      return ExitCode::done;
    case TurnEndReason::blocked: return ExitCode::refused;
    case TurnEndReason::aborted: return ExitCode::cancelled;
    case TurnEndReason::max_tokens:
    case TurnEndReason::limit: return ExitCode::limit;
    case TurnEndReason::error:
    case TurnEndReason::interrupted: break;
  }
  return ExitCode::failed;
}

ExitCode exit_code(const base::Error& error) {
  switch (error.kind) {
    case base::ErrorKind::invalid: return ExitCode::usage;
    case base::ErrorKind::cancelled: return ExitCode::cancelled;
    default: return ExitCode::failed;
  }
}

}  // namespace assent::app
