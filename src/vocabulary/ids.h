#pragma once
// The ids that travel between rooms.

#include <optional>

#include "base/id.h"

namespace assent::vocabulary {

using SessionId = base::Id<struct SessionTag>;
using AgentId = base::Id<struct AgentTag>;
// One approval question and its answer carry the same one (B-034).
using RequestId = base::Id<struct RequestTag>;
using QuestionId = base::Id<struct QuestionTag>;
using GrantId = base::Id<struct GrantTag>;
// As the model wrote it; unique within one assistant message only.
using CallId = base::Id<struct CallTag>;

// Who acts: a value, for texts, routes and logs. The live agent is `agent`'s.
struct AgentRef {
  AgentId id;
  SessionId session;
  std::optional<AgentId> parent{};
  bool operator==(const AgentRef&) const = default;
};

}  // namespace assent::vocabulary
