#pragma once
// The only bridge from the pre-execute stage to the ApprovalService (B-011).

#include <optional>
#include <string>

#include "approval/service.h"
#include "tool/texts.h"

namespace assent::tool {

// B-030: allow or deny, never ask. An empty `refusal` is allow.
struct AskResolution {
  std::string refusal{};
  bool approval_cancelled = false;  // only for the outcome `cancelled` (B-107)
  std::optional<approval::Decided> decided{};
  [[nodiscard]] bool allowed() const { return refusal.empty(); }
};

// Where a question goes. Null parts are denials: the service first, then the agent (B-021 … B-024).
struct AskRoute {
  approval::ApprovalService* service = nullptr;
  session::Session* session = nullptr;
  const scope::ScopePath* path = nullptr;
};

// An error is a failed audit append, never a decision.
base::Result<AskResolution> service_ask(const AskRoute& route, approval::Request draft,
                                        Language language, const base::StopToken& stop);

}  // namespace assent::tool
