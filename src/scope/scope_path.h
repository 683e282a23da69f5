#pragma once
// Where a call comes from in the agent tree: the chain that listeners and guards are looked up
// along (P-052, B-017).

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "vocabulary/ids.h"

namespace assent::scope {

// A value: agents from the farthest ancestor to the own one. An empty path is a call without agent,
// which only global registrations see.
class ScopePath {
 public:
  ScopePath() = default;
  explicit ScopePath(std::vector<vocabulary::AgentId> from_root) : agents_(std::move(from_root)) {}

  [[nodiscard]] const std::vector<vocabulary::AgentId>& from_root() const { return agents_; }
  [[nodiscard]] bool empty() const { return agents_.empty(); }
  [[nodiscard]] ScopePath child(vocabulary::AgentId own) const {
    auto agents = agents_;
    agents.push_back(std::move(own));
    return ScopePath(std::move(agents));
  }

 private:
  std::vector<vocabulary::AgentId> agents_;
};

// Whom a registration concerns: everyone, or one agent and its descendants. Never the reverse.
using ScopeTag = std::optional<vocabulary::AgentId>;

inline bool covers(const ScopeTag& tag, const ScopePath& path) {
  return !tag || std::ranges::find(path.from_root(), *tag) != path.from_root().end();
}

}  // namespace assent::scope
