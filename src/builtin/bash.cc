#include "builtin/bash.h"

#include <csignal>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/limits.h"
#include "policy/effects.h"
#include "text/utf8.h"

namespace assent::builtin {
namespace {

using vocabulary::CallError;
using vocabulary::ErrorCode;

json::Object properties(json::Object escalation) {
  json::Object own{
      {"command", {{"type", "string"}, {"description", "What bash runs."}}},
      {"description", {{"type", "string"}, {"description", "What it does, in five to ten words."}}},
      {"timeoutMs",
       {{"type", "integer"},
        {"minimum", 1},
        {"maximum", base::limits::bash_timeout_max.count()},
        {"description", fmt::format("Milliseconds until it is ended; {} by default.",
                                    base::limits::bash_timeout.count())}}}};
  for (auto& member : escalation) own.insert_or_assign(member.key(), member.value());
  return own;
}

std::string signal_name(int signal) {
  const char* name = ::sigabbrev_np(signal);
  return name == nullptr ? fmt::format("{}", signal) : fmt::format("SIG{}", name);
}

void ensure_line_end(std::string& text) {
  if (!text.empty() && text.back() != '\n') text += '\n';
}

}  // namespace

Bash::Bash(Sandboxed sandboxed)
    : sandboxed_(std::move(sandboxed)),
      schema_(object_schema(properties({{"sandbox_permissions", {{"type", "string"}}},
                                        {"justification", {{"type", "string"}}}}),
                            {"command"})) {}

tool::Definition Bash::definition(tool::Escalatable escalatable) const {
  const bool wider = escalatable == tool::Escalatable::yes;
  std::string description =
      "Runs a command with bash in the working folder, inside a sandbox. Trying is safe: what the "
      "sandbox does not permit is refused by the kernel and shown as a [sandbox: …] marker, which "
      "is "
      "policy and no fault of the command.";
  if (wider) {
    description +=
        " If the refused thing is needed, retry the same command once, in the same turn, with "
        "sandbox_permissions and a justification; a human is asked. A rejection is final for that "
        "command.";
  } else {
    description += " A refusal is final.";
  }
  return {.name = std::string(name()),
          .description = std::move(description),
          .parameters = object_schema(properties(wider ? escalation_properties() : json::Object{}),
                                      {"command"})};
}

vocabulary::Effects Bash::effects(const json::Object& arguments, const tool::CallView& view) const {
  return policy::bash_effects(arguments.at("command").as_string(), view);
}

approval::EscalationArgs Bash::escalation(const json::Object& arguments) const {
  return escalation_args(arguments);
}

tool::Output Bash::run(tool::Clearance clearance, const tool::RunContext& context) {
  const auto* wanted = clearance.arguments().if_contains("timeoutMs");
  const auto timeout =
      wanted == nullptr ? base::limits::bash_timeout : base::Milliseconds(wanted->as_int64());
  const sandbox::Command command{
      .what = sandbox::Program{policy::bash_argv(clearance.arguments().at("command").as_string())},
      .cwd = clearance.work_dir(),
      .timeout = timeout,
      .output_limit = base::limits::tool_output};
  auto finished =
      sandboxed_.launcher.run(command, sandboxed_.policy(clearance.confinement()), context.stop);
  if (!finished) return launch_failure(finished.error());
  tool::Output output{
      .content = render(*finished, clearance.confinement(), context.escalatable, timeout),
      .denials = finished->denials};
  if (finished->stopped) output.error = CallError{.code = ErrorCode::aborted};
  if (finished->timed_out) output.error = CallError{.code = ErrorCode::tool_timeout};
  return output;
}

std::string render(const sandbox::Finished& finished, const vocabulary::Confinement& confinement,
                   tool::Escalatable escalatable, base::Milliseconds timeout) {
  std::string text = text::repair(finished.output.text);
  ensure_line_end(text);
  if (!finished.errors.text.empty()) {
    text += "[stderr]\n" + text::repair(finished.errors.text);
    ensure_line_end(text);
  }
  if (text.empty()) text = "(no output)\n";
  const bool failed = finished.exit_code != 0 || finished.signal != 0;
  text += failed ? denial_lines(finished.denials, confinement, escalatable, "command")
                 : denial_note(finished.denials);
  if (finished.stopped) {
    text += "[stopped: the call was aborted]\n";
  } else if (finished.timed_out) {
    text += fmt::format("[timed out after {}ms]\n", timeout.count());
  }
  if (finished.signal != 0) {
    text += fmt::format("[killed by signal: {}]\n", signal_name(finished.signal));
  } else if (finished.exit_code != 0) {
    text += fmt::format("[exit code: {}]\n", finished.exit_code);
  }
  return text;
}

}  // namespace assent::builtin
