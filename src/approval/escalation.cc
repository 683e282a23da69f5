#include "approval/escalation.h"

#include <utility>

#include <fmt/format.h>

#include "vocabulary/decider.h"

namespace assent::approval {

using base::ErrorKind;
using base::failure;
using base::Result;
using vocabulary::ApprovalOutcome;
using vocabulary::SandboxMode;

Result<void> validate_escalation_args(const EscalationArgs& args) {
  if (args.sandbox_permissions && !args.justification) {
    return failure(ErrorKind::invalid,
                   "invalid escalation: sandbox_permissions requires a justification");
  }
  if (args.justification && !args.sandbox_permissions) {
    return failure(ErrorKind::invalid,
                   "invalid escalation: justification is only valid together with "
                   "sandbox_permissions");
  }
  if (args.justification &&
      args.justification->find_first_not_of(" \t\n\v\f\r") == std::string::npos) {
    return failure(ErrorKind::invalid, "invalid justification: expected a non-empty sentence");
  }
  return {};
}

Result<std::optional<Escalation>> check_escalation(const EscalationArgs& args,
                                                   SandboxMode effective) {
  TRY(validate_escalation_args(args));
  if (!args.sandbox_permissions) return std::nullopt;
  const auto mode = vocabulary::sandbox_mode_from(*args.sandbox_permissions);
  if (!mode || !vocabulary::is_strictly_wider(*mode, effective)) {
    return failure(
        ErrorKind::invalid,
        fmt::format("sandbox escalation to \"{}\" is not strictly wider than this call's current "
                    "\"{}\" mode; to run it in the current mode, send the call again without "
                    "sandbox_permissions and justification",
                    *args.sandbox_permissions, vocabulary::to_text(effective)));
  }
  return Escalation{*mode, *args.justification};
}

std::string escalation_reason(const Escalation& escalation) {
  return fmt::format("escalate sandbox to {}: {}", vocabulary::to_text(escalation.mode),
                     escalation.justification);
}

namespace {

std::string refusal(const Decided& decided, std::string_view mode, std::string_view subject) {
  switch (decided.outcome) {
    case ApprovalOutcome::allowed_once: return {};
    case ApprovalOutcome::rejected:
      if (decided.by == vocabulary::by_never) {
        return fmt::format(
            "sandbox escalation to \"{}\" requires approval, and approval prompts are disabled in "
            "this session",
            mode);
      }
      if (decided.by == vocabulary::by_repeat) {
        return fmt::format("escalating this {} to \"{}\" was already rejected in this turn",
                           subject, mode);
      }
      return fmt::format("the user rejected escalating this {} to \"{}\"", subject, mode);
    case ApprovalOutcome::cancelled:
      return fmt::format("approval for escalating to \"{}\" was cancelled", mode);
    case ApprovalOutcome::unavailable: break;
  }
  return fmt::format(
      "sandbox escalation to \"{}\" requires approval, but no approval channel is available", mode);
}

}  // namespace

Result<EscalationVerdict> approve_escalation(const Escalation& escalation,
                                             const EscalationRoute& route, Request draft,
                                             std::string_view subject,
                                             const base::StopToken& stop) {
  const std::string_view mode = vocabulary::to_text(escalation.mode);
  if (route.approver == nullptr) {
    return EscalationVerdict{
        .refusal = fmt::format(
            "sandbox escalation to \"{}\" requires approval, but no approval service is composed",
            mode)};
  }
  if (route.session == nullptr || route.path == nullptr) {
    return EscalationVerdict{
        .refusal =
            fmt::format("sandbox escalation to \"{}\" requires approval, but the call has no "
                        "agent to route it through",
                        mode)};
  }
  draft.reason = escalation_reason(escalation);
  draft.justification = escalation.justification;
  draft.grantable = Grantable::no;
  Decided decided =
      TRY(route.approver->request(*route.session, *route.path, std::move(draft), stop));
  std::string text = refusal(decided, mode, subject);
  if (decided.feedback && !text.empty()) text += ": " + *decided.feedback;
  return EscalationVerdict{.decided = std::move(decided), .refusal = std::move(text)};
}

}  // namespace assent::approval
