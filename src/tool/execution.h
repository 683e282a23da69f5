#pragma once
// One call as listeners, policy and guards see it: read-only (B-013).

#include <optional>

#include "base/stop.h"
#include "json/value.h"
#include "policy/review.h"
#include "scope/scope_path.h"
#include "vocabulary/effect.h"
#include "vocabulary/ids.h"
#include "vocabulary/message.h"
#include "vocabulary/modes.h"
#include "vocabulary/risk.h"

namespace assent::tool {

struct Execution {
  const vocabulary::ToolCall& call;
  const json::Object& arguments;
  const vocabulary::Effects& effects;
  vocabulary::Risk risk;
  // The mode that the call would run under if it is not escalated, and the one that it asks for.
  vocabulary::SandboxMode mode;
  std::optional<vocabulary::SandboxMode> escalating;
  policy::Confined confined;
  vocabulary::Review review;
  std::optional<vocabulary::AgentRef> agent;
  const scope::ScopePath& path;
  const base::StopToken& stop;
};

}  // namespace assent::tool
