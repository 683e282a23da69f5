#include "agent/live_agents.h"

namespace assent::agent {

scope::Registration AgentRoll::enter(const vocabulary::AgentRef& agent) {
  const std::lock_guard lock(roll_->mutex);
  roll_->parents.insert_or_assign(agent.id, agent.parent);
  return scope::Registration([weak = std::weak_ptr<Roll>(roll_), id = agent.id] {
    if (auto roll = weak.lock()) {
      const std::lock_guard undo(roll->mutex);
      roll->parents.erase(id);
    }
  });
}

bool AgentRoll::is_live(const vocabulary::AgentId& agent) const {
  const std::lock_guard lock(roll_->mutex);
  return roll_->parents.contains(agent);
}

bool AgentRoll::is_root(const vocabulary::AgentId& agent) const {
  const std::lock_guard lock(roll_->mutex);
  const auto found = roll_->parents.find(agent);
  if (found == roll_->parents.end()) return false;
  return !found->second || !roll_->parents.contains(*found->second);
}

}  // namespace assent::agent
