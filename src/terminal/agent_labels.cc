#include "terminal/agent_labels.h"

#include <algorithm>

#include <fmt/format.h>

namespace assent::terminal {

std::string AgentLabels::of(const vocabulary::AgentRef& agent) {
  if (!agent.parent) return {};
  const std::lock_guard lock(mutex_);
  auto found = std::ranges::find(children_, agent.id);
  if (found == children_.end()) found = children_.insert(found, agent.id);
  return fmt::format("child {}", found - children_.begin() + 1);
}

}  // namespace assent::terminal
