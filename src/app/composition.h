#pragma once
// The whole program, built by hand, once, in one readable function. The only place that knows
// concrete types.

#include <memory>
#include <string>
#include <vector>

#include "agent/agent.h"
#include "agent/children.h"
#include "app/places.h"
#include "app/settings.h"
#include "approval/gate.h"
#include "approval/gate_answerer.h"
#include "approval/inbox.h"
#include "approval/service.h"
#include "approval/session_grants.h"
#include "permission/presets.h"
#include "provider/provider.h"
#include "question/questions.h"
#include "sandbox/launcher.h"
#include "session/session.h"
#include "store/event_store.h"
#include "tool/pipeline.h"

namespace assent::app {

// The channel that a human sits at; null parts are a headless run.
struct Channel {
  approval::Handler* handler = nullptr;
  question::Provider* questions = nullptr;
  agent::Reporter* reporter = nullptr;
};

// What is there before a session is: made early, while the process is small and has no thread.
struct Ground {
  base::SystemClock clock{};
  base::SystemRng rng{};
  std::unique_ptr<sandbox::Launcher> launcher{};
  std::unique_ptr<store::EventStore> store{};
};
// Forks the spawn helper and opens the store.
base::Result<std::unique_ptr<Ground>> lay_ground(const Places& places);

// Whether the user is asked to go on where a turn has taken all its steps (K-19).
enum class AtLimit : std::uint8_t { end, ask };

struct Plan {
  Settings settings{};
  Places places{};
  std::string workspace{};  // resolved and checked
  Channel channel{};
  int step_limit = 0;
  AtLimit at_limit = AtLimit::end;
  // The session to go on with; empty for a new one.
  vocabulary::SessionId resume{};
};

// Members stand in the order in which they need each other. Not movable: they refer to one another.
class Composition {
 public:
  // `ground`, `provider` and the channel's parts must outlive it.
  static base::Result<std::unique_ptr<Composition>> create(const Plan& plan, Ground& ground,
                                                           provider::Provider& provider);
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;

  [[nodiscard]] session::Session& session() { return *session_; }
  [[nodiscard]] agent::Agent& agent() { return *agent_; }
  // Null where no human could grant anything.
  [[nodiscard]] approval::SessionGrants* grants() { return grants_.get(); }
  [[nodiscard]] const permission::PresetTable& presets() const { return presets_; }
  [[nodiscard]] const tool::SandboxStanding& sandbox() const { return parts_.sandbox; }

 private:
  Composition(const Plan& plan, Ground& ground);
  base::Result<void> open_session(const Plan& plan, Ground& ground);
  base::Result<void> add_tools(const Plan& plan, Ground& ground, provider::Provider& provider);
  base::Result<void> add_channel(const Channel& channel, Ground& ground);

  permission::PresetTable presets_ = permission::PresetTable::shipped();
  std::unique_ptr<session::Session> session_;

  approval::DefaultPolicy default_policy_;
  approval::TighteningPolicy gate_policy_{default_policy_};
  approval::Inbox inbox_;
  std::unique_ptr<approval::SessionGrants> grants_;
  std::unique_ptr<approval::Gate> gate_;
  approval::ApprovalService approval_;

  agent::AgentRoll roll_;
  question::UserQuestions questions_{roll_};

  tool::ToolRegistry registry_;
  tool::PreExecute pre_execute_ = tool::PreExecute::with_policy(tool::policy_listener);
  tool::Guards guards_;
  tool::Parts parts_;
  tool::Pipeline pipeline_{parts_};
  std::unique_ptr<agent::Children> children_;
  std::unique_ptr<agent::Agent> agent_;

  std::vector<scope::Registration> registrations_;
};

}  // namespace assent::app
