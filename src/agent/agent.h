#pragma once
// One live agent: turns of steps, each step one model request and the calls that it led to.

#include <memory>
#include <optional>
#include <string>

#include "agent/live_agents.h"
#include "agent/reporter.h"
#include "base/result.h"
#include "base/stop.h"
#include "event/events.h"
#include "provider/provider.h"
#include "question/questions.h"
#include "session/session.h"
#include "tool/pipeline.h"
#include "tool/texts.h"
#include "vocabulary/ids.h"

namespace assent::agent {

// What an agent works with; all must outlive it.
struct Services {
  session::Session& session;
  provider::Provider& provider;
  const tool::Pipeline& pipeline;
  const tool::ToolSource& tools;
  AgentRoll& roll;
  Reporter* reporter = nullptr;  // nobody need listen
  int step_limit = 0;            // steps of one turn
  // Asks the user whether to go on for as many steps again (K-19); without it the turn ends there.
  question::UserQuestions* at_limit = nullptr;
  tool::Language language = tool::Language::en;  // of what the channel and a failed run say
};

struct TurnResult {
  event::TurnEndReason reason = event::TurnEndReason::completed;
  std::string detail{};
  // Whether the last calls before the end held one that was refused by rule, hook, guard, human or
  // `never`, and whether any of the turn was: for the exit code.
  bool ended_on_refusal = false;
  bool any_refusal = false;
  bool operator==(const TurnResult&) const = default;
};

// Whom a child works for; none for a root agent.
struct Parent {
  vocabulary::AgentRef agent;
  scope::ScopePath path;
};

// Not thread-safe: one turn at a time, on the caller's thread, which becomes the session's writer.
class Agent {
 public:
  Agent(Services services, std::string work_dir, std::optional<Parent> parent = {});

  [[nodiscard]] const vocabulary::AgentRef& ref() const { return ref_; }

  // One user prompt up to idle. The turn is balanced in the log whatever happened; an error means
  // that the log itself could not be written.
  base::Result<TurnResult> run_turn(const std::string& prompt, const base::StopToken& stop);

 private:
  class Turn;
  Services services_;
  std::string work_dir_;
  vocabulary::AgentRef ref_;
  scope::ScopePath path_;
  scope::Registration alive_;
  // What the model was last told of the knobs; none before the first turn of this process.
  std::optional<vocabulary::Knobs> told_;
};

}  // namespace assent::agent
