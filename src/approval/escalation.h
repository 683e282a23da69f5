#pragma once
// Deny, then retry wider (source 2, layer 6): the pairing check, the strict widening, the question.

#include <optional>
#include <string>

#include "approval/service.h"
#include "base/result.h"
#include "vocabulary/modes.h"

namespace assent::approval {

// The two arguments of a call that ask for more than its mode, as the model wrote them.
struct EscalationArgs {
  std::optional<std::string> sandbox_permissions{};
  std::optional<std::string> justification{};
  bool operator==(const EscalationArgs&) const = default;
};

struct Escalation {
  vocabulary::SandboxMode mode;
  std::string justification;
  bool operator==(const Escalation&) const = default;
};

// B-065 … B-068: both or neither, the justification not blank. nullopt where neither is given.
// Pure.
base::Result<void> validate_escalation_args(const EscalationArgs& args);

// The whole check before anyone is asked: the pair, then strict widening over `effective` (B-060 …
// B-064). nullopt where the call asks for nothing. ErrorKind::invalid carries the literal of source
// 2 and how to mend the call (K-23). Pure.
base::Result<std::optional<Escalation>> check_escalation(const EscalationArgs& args,
                                                         vocabulary::SandboxMode effective);

// B-073: what the human reads, composed by the system.
std::string escalation_reason(const Escalation& escalation);

// What approve_escalation asks with. Null parts are denials, in this order (B-070 … B-072).
struct EscalationRoute {
  ApprovalService* approver = nullptr;
  session::Session* session = nullptr;  // of the calling agent
  const scope::ScopePath* path = nullptr;
};

struct EscalationVerdict {
  std::optional<Decided> decided{};  // none where nobody could be asked
  std::string refusal{};             // what the model reads; empty where it was allowed
};

// Steps 2 to 5 of B-070; `draft.reason` and `draft.grantable` are set here: an escalation is never
// grantable. `subject` is "command" or "operation". An error is a failed audit append.
base::Result<EscalationVerdict> approve_escalation(const Escalation& escalation,
                                                   const EscalationRoute& route, Request draft,
                                                   std::string_view subject,
                                                   const base::StopToken& stop);

}  // namespace assent::approval
