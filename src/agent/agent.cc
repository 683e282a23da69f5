#include "agent/agent.h"

#include <utility>

#include "agent/turn.h"

namespace assent::agent {

Agent::Agent(Services services, std::string work_dir, std::optional<Parent> parent)
    : services_(services),
      work_dir_(std::move(work_dir)),
      ref_{.id =
               base::make_id<vocabulary::AgentId>(services.session.clock(), services.session.rng()),
           .session = services.session.id(),
           .parent = parent ? std::optional(parent->agent.id) : std::nullopt},
      path_((parent ? parent->path : scope::ScopePath()).child(ref_.id)),
      alive_(services.roll.enter(ref_)) {}

base::Result<TurnResult> Agent::run_turn(const std::string& prompt, const base::StopToken& stop) {
  const session::Session::Writer writer(services_.session);
  return Turn(*this, stop).run(prompt);
}

}  // namespace assent::agent
