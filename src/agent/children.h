#pragma once
// Child agents: each a full agent with a session of its own, the same pipeline, read-only tools and
// nobody to ask (K-16, P-082).

#include <atomic>
#include <string>

#include "agent/agent.h"
#include "builtin/spawn_agent.h"
#include "tool/registry.h"

namespace assent::agent {

// What a child is made of; all must outlive the Children.
struct Nursery {
  session::Services session;
  provider::Provider& provider;
  // The parent's, but for the tools: listeners, guards and the approval service are the same ones.
  const tool::Parts& parts;
  const tool::ToolSource& tools;  // of the parent; the safe ones become the child's
  AgentRoll& roll;
  std::string work_dir;
};

// Any thread. A child runs on the thread of the call that made it: no pool to starve.
class Children final : public builtin::AgentSpawner {
 public:
  explicit Children(Nursery nursery) : nursery_(std::move(nursery)) {}

  // The child's session opens with the parent's sandbox mode, policy `never` and no grants. A child
  // at the depth of limits::agent_depth gets no spawn_agent. ErrorKind::limit beyond
  // limits::live_children; ErrorKind::cancelled where the parent's stop ended it.
  base::Result<builtin::ChildReport> spawn(const builtin::ChildTask& task) override;

 private:
  base::Result<builtin::ChildReport> raise(const builtin::ChildTask& task);
  [[nodiscard]] base::Result<tool::ReadOnlyTools> tools_at(std::size_t depth) const;

  Nursery nursery_;
  std::atomic<int> alive_ = 0;
};

}  // namespace assent::agent
