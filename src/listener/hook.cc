#include "listener/hook.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "json/schema.h"
#include "text/utf8.h"
#include "vocabulary/effect.h"

namespace assent::listener {

using base::ErrorKind;
using base::failure;
using base::Result;
using tool::AskHuman;
using tool::Deny;
using tool::Execution;
using tool::PreToolDecision;

namespace {

constexpr std::string_view by_hook = "hook";

const json::Value& answer_schema() {
  static const json::Value schema =
      json::Object{{"type", "object"},
                   {"properties",
                    {{"decision", {{"enum", {"deny", "ask", "none"}}}},
                     {"reason", {{"type", "string"}}},
                     {"context", {{"type", "string"}}}}},
                   {"required", {"decision"}},
                   {"additionalProperties", false}};
  return schema;
}

std::optional<std::string> text_of(const json::Object& answer, std::string_view key) {
  const auto* value = answer.if_contains(key);
  return value == nullptr ? std::nullopt : std::optional(std::string(value->as_string()));
}

// One hook at work for one call.
class Asked {
 public:
  Asked(const HookSpec& hook, sandbox::Launcher& launcher, const Execution& execution,
        const std::string& work_dir)
      : hook_(hook), launcher_(launcher), execution_(execution), work_dir_(work_dir) {}

  PreToolDecision decide() const {
    auto decision = run();
    if (decision) return std::move(*decision);
    std::string why =
        fmt::format("the hook {} failed: {}", hook_.command.front(), decision.error().message);
    if (hook_.on_failure == OnFailure::ask) {
      return AskHuman{.reason = std::move(why), .by = std::string(by_hook)};
    }
    return Deny{.reason = std::move(why), .by = std::string(by_hook)};
  }

 private:
  Result<PreToolDecision> run() const {
    TRY(execution_.log.append(
        event::HookInvoked{.call_id = execution_.call.id, .command = hook_.command}));
    auto decision = answer();
    event::HookResult result{.call_id = execution_.call.id};
    if (!decision) {
      result.decision = "failed";
      result.reason = text::repair(decision.error().message);
    } else if (const auto* deny = std::get_if<Deny>(&*decision)) {
      result.decision = "deny";
      result.reason = deny->reason;
    } else if (const auto* human = std::get_if<AskHuman>(&*decision)) {
      result.decision = "ask";
      result.reason = human->reason;
    } else {
      result.decision = "none";
    }
    TRY(execution_.log.append(std::move(result)));
    return decision;
  }

  Result<PreToolDecision> answer() const {
    const sandbox::Command command{.what = sandbox::Program{hook_.command},
                                   .cwd = work_dir_,
                                   .input = json::write(hook_input(execution_, work_dir_)),
                                   .timeout = hook_.timeout,
                                   .output_limit = base::limits::hook_output};
    const sandbox::Policy unconfined{
        .confinement = {.mode = vocabulary::SandboxMode::danger_full_access},
        .workspace = work_dir_};
    const auto ran = TRY(launcher_.run(command, unconfined, execution_.stop));
    if (ran.stopped) return failure(ErrorKind::cancelled, "the call was cancelled");
    if (ran.timed_out) {
      return failure(ErrorKind::unavailable,
                     fmt::format("no answer within {} ms", hook_.timeout.count()));
    }
    if (ran.signal != 0 || ran.exit_code != 0) {
      const std::string ended = ran.signal != 0 ? fmt::format("killed by signal {}", ran.signal)
                                                : fmt::format("exit code {}", ran.exit_code);
      const std::string said(text::cut(ran.errors.text, base::limits::http_error_shown));
      return failure(ErrorKind::unavailable,
                     text::repair(said.empty() ? ended : fmt::format("{}: {}", ended, said)));
    }
    if (ran.output.size > base::limits::hook_output) {
      return failure(ErrorKind::limit, "it wrote more than a decision takes");
    }
    return hook_decision(ran.output.text);
  }

  const HookSpec& hook_;
  sandbox::Launcher& launcher_;
  const Execution& execution_;
  const std::string& work_dir_;
};

}  // namespace

json::Value hook_input(const Execution& execution, const std::string& work_dir) {
  json::Array effects;
  for (const auto& effect : execution.effects) effects.emplace_back(vocabulary::to_text(effect));
  json::Object input{{"event", "pre_tool"},
                     {"cwd", work_dir},
                     {"risk", vocabulary::to_text(execution.risk)},
                     {"mode", vocabulary::to_text(execution.mode)},
                     {"effects", std::move(effects)},
                     {"call", json::Object{{"id", execution.call.id.text()},
                                           {"name", execution.call.name},
                                           {"arguments", execution.arguments}}}};
  if (execution.escalating) input["escalating"] = vocabulary::to_text(*execution.escalating);
  if (execution.agent) {
    input["session"] = execution.agent->session.text();
    input["agent"] = execution.agent->id.text();
    if (execution.agent->parent) input["parent"] = execution.agent->parent->text();
  }
  return input;
}

Result<PreToolDecision> hook_decision(std::string_view output) {
  const auto parsed = json::parse(output);
  if (!parsed)
    return failure(ErrorKind::invalid, "its output is no JSON: " + parsed.error().message);
  if (auto fits = json::check(*parsed, answer_schema()); !fits) {
    return failure(ErrorKind::invalid, "its output: " + fits.error().message);
  }
  const json::Object& answer = parsed->as_object();
  const std::string_view decision = answer.at("decision").as_string();
  auto reason = text_of(answer, "reason");
  const std::string context = text_of(answer, "context").value_or("");
  if (decision == "deny") {
    if (!reason || reason->empty()) return failure(ErrorKind::invalid, "a deny without a reason");
    if (!context.empty()) *reason += "\n" + context;
    return Deny{.reason = std::move(*reason), .by = std::string(by_hook)};
  }
  if (decision == "ask") {
    return AskHuman{.reason = std::move(reason), .by = std::string(by_hook), .context = context};
  }
  return tool::Allow{.context = context};
}

std::function<tool::PreExecute::Chain::Listener> hook_listener(std::vector<HookSpec> hooks,
                                                               sandbox::Launcher& launcher,
                                                               std::string work_dir) {
  return [hooks = std::move(hooks), &launcher, work_dir = std::move(work_dir)](
             const Execution& execution, const auto& next) {
    PreToolDecision strictest = tool::Allow{};
    for (const auto& hook : hooks) {
      strictest =
          tool::stricter(std::move(strictest), Asked(hook, launcher, execution, work_dir).decide());
      if (std::holds_alternative<Deny>(strictest)) return strictest;
    }
    return tool::stricter(std::move(strictest), next());
  };
}

}  // namespace assent::listener
