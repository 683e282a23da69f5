#pragma once
// One call as listeners, policy and guards see it: read-only (B-013). A value, because a listener
// that does not return when it is told to stop is left behind with it.

#include <optional>

#include "base/stop.h"
#include "json/value.h"
#include "policy/review.h"
#include "scope/scope_path.h"
#include "session/log_pass.h"
#include "vocabulary/effect.h"
#include "vocabulary/ids.h"
#include "vocabulary/message.h"
#include "vocabulary/modes.h"
#include "vocabulary/risk.h"

namespace assent::tool {

struct Execution {
  vocabulary::ToolCall call;
  json::Object arguments;
  vocabulary::Effects effects;
  vocabulary::Risk risk;
  // The mode that the call would run under if it is not escalated, and the one that it asks for.
  vocabulary::SandboxMode mode;
  std::optional<vocabulary::SandboxMode> escalating;
  policy::Confined confined;
  vocabulary::Review review;
  std::optional<vocabulary::AgentRef> agent;
  scope::ScopePath path;
  base::StopToken stop;
  // For events of a listener's own; it counts only while the listener is waited for.
  session::LogPass log{};
};

}  // namespace assent::tool
