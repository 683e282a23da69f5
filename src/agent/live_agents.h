#pragma once
// Which agents live right now, and who owns whom. Any thread.

#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "question/questions.h"
#include "scope/registration.h"
#include "vocabulary/ids.h"

namespace assent::agent {

class AgentRoll final : public question::LiveAgents {
 public:
  // The agent lives until the registration goes.
  [[nodiscard]] scope::Registration enter(const vocabulary::AgentRef& agent);

  [[nodiscard]] bool is_live(const vocabulary::AgentId& agent) const override;
  // Live, and its parent, if it has one, is not: an agent that was a child once and was resumed on
  // its own is a root (B-157).
  [[nodiscard]] bool is_root(const vocabulary::AgentId& agent) const override;

 private:
  struct Roll {
    mutable std::mutex mutex;
    std::map<vocabulary::AgentId, std::optional<vocabulary::AgentId>> parents;
  };
  std::shared_ptr<Roll> roll_ = std::make_shared<Roll>();
};

}  // namespace assent::agent
