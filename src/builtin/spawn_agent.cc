#include "builtin/spawn_agent.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include "builtin/sandboxed.h"

namespace assent::builtin {

SpawnAgent::SpawnAgent(AgentSpawner& spawner)
    : spawner_(spawner), schema_(object_schema({{"task", {{"type", "string"}}}}, {"task"})) {}

tool::Definition SpawnAgent::definition(tool::Escalatable) const {
  return {.name = std::string(name()),
          .description =
              "Hands a task to a child agent with a conversation of its own, and returns its "
              "report. It can read and search but change nothing, and it cannot reach the user: "
              "the questions that it could not ask stand in its report, for you to ask. Say in the "
              "task everything that it must know. Several children of one message work at the same "
              "time.",
          .parameters = schema_};
}

vocabulary::Effects SpawnAgent::effects(const json::Object&, const tool::CallView&) const {
  return {};
}

tool::Output SpawnAgent::run(tool::Clearance clearance, const tool::RunContext& context) {
  const auto report = spawner_.spawn(
      {.task = std::string(clearance.arguments().at("task").as_string()), .parent = context});
  if (!report) {
    const bool stopped = report.error().kind == base::ErrorKind::cancelled;
    return {.content = fmt::format("Error: {}", report.error().message),
            .error = vocabulary::CallError{.code = stopped ? vocabulary::ErrorCode::aborted
                                                           : vocabulary::ErrorCode::tool_failed}};
  }
  std::string text = report->text.empty() ? "(the child said nothing)" : report->text;
  if (!report->ended_early.empty()) {
    text += fmt::format("\n[the child ended early: {}]", report->ended_early);
  }
  if (!report->questions.empty()) {
    text += "\n[open questions of the child, which only the user can answer:";
    for (const auto& question : report->questions) text += "\n - " + question;
    text += "]";
  }
  text += fmt::format("\n[session of the child: {}]", report->session.text());
  return {.content = std::move(text)};
}

}  // namespace assent::builtin
