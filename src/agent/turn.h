#pragma once
// The turn loop. Internal to `agent`.

#include "agent/agent.h"

namespace assent::agent {

// One turn, on the thread that is the session's writer.
class Agent::Turn final : private tool::CallObserver, private provider::Sink {
 public:
  Turn(Agent& agent, const base::StopToken& stop) : agent_(agent), stop_(stop) {}
  base::Result<TurnResult> run(const std::string& prompt);

 private:
  // How a step left the turn: nullopt goes on with another one.
  using StepEnd = std::optional<TurnResult>;

  base::Result<StepEnd> step(const std::string* prompt);
  base::Result<StepEnd> work(const std::string* prompt);
  base::Result<void> tell(const std::string* prompt);
  base::Result<provider::Request> compose();
  base::Result<StepEnd> answer(provider::Reply reply);
  base::Result<StepEnd> calls(const std::vector<vocabulary::ToolCall>& calls);
  StepEnd at_limit();
  bool wants_more_steps();
  [[nodiscard]] std::string cause_of_abort() const;
  [[nodiscard]] StepEnd finished(event::TurnEndReason reason, std::string detail = {}) const;

  void call_started(const vocabulary::ToolCall& call) override;
  void call_ended(const vocabulary::ToolCall& call, const event::ToolResult& result) override;
  void text_delta(std::string_view text) override;
  void reasoning_delta(std::string_view text) override;
  void retrying(const base::Error& why, base::Milliseconds wait) override;

  Agent& agent_;
  const base::StopToken& stop_;
  std::int64_t step_limit_ = agent_.services_.step_limit;
  bool ended_on_refusal_ = false;
  bool any_refusal_ = false;
};

}  // namespace assent::agent
