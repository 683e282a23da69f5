#pragma once
// spawn_agent: hands a task to a child agent that can look but not change (K-16).

#include <string>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "tool/tool.h"

namespace assent::builtin {

struct ChildTask {
  std::string task;
  const tool::RunContext& parent;
};

struct ChildReport {
  vocabulary::SessionId session;
  std::string text;                      // the child's last words
  std::string ended_early{};             // why, where it did not finish
  std::vector<std::string> questions{};  // what it wanted to ask a human and could not (B-101)
  bool operator==(const ChildReport&) const = default;
};

// Who makes children; `agent` implements it. Any thread, several at a time.
class AgentSpawner {
 public:
  virtual ~AgentSpawner() = default;
  // Blocks until the child is idle; the parent's stop ends the child first. ErrorKind::limit where
  // no further child may be made.
  virtual base::Result<ChildReport> spawn(const ChildTask& task) = 0;
};

// {task} → the child's report.
class SpawnAgent final : public tool::Tool, public tool::RiskedTool {
 public:
  // `spawner` must outlive the tool.
  explicit SpawnAgent(AgentSpawner& spawner);
  [[nodiscard]] std::string_view name() const override { return "spawn_agent"; }
  [[nodiscard]] tool::Definition definition(tool::Escalatable escalatable) const override;
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::no; }
  [[nodiscard]] vocabulary::Risk risk_level() const override { return vocabulary::Risk::safe; }
  // None of its own: whatever the child does goes through a pipeline of its own.
  [[nodiscard]] vocabulary::Effects effects(const json::Object& arguments,
                                            const tool::CallView& view) const override;
  tool::Output run(tool::Clearance clearance, const tool::RunContext& context) override;

 private:
  AgentSpawner& spawner_;
  json::Value schema_;
};

}  // namespace assent::builtin
