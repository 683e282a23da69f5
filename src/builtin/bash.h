#pragma once
// bash: runs a command in the working folder, in the sandbox.

#include "builtin/sandboxed.h"
#include "tool/tool.h"

namespace assent::builtin {

// {command, description?, timeoutMs?} and the escalation fields. The command is the argument of
// `/bin/bash --noprofile --norc -c`, byte for byte what the human was shown. A command that the
// sandbox refused something is no error result (P-105): the model reads its output, the markers and
// the code.
class Bash final : public tool::Tool, public tool::RiskedTool {
 public:
  explicit Bash(Sandboxed sandboxed);
  [[nodiscard]] std::string_view name() const override { return "bash"; }
  [[nodiscard]] std::string_view subject() const override { return "command"; }
  [[nodiscard]] tool::Definition definition(tool::Escalatable escalatable) const override;
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::yes; }
  [[nodiscard]] vocabulary::Risk risk_level() const override { return vocabulary::Risk::dangerous; }
  [[nodiscard]] vocabulary::Effects effects(const json::Object& arguments,
                                            const tool::CallView& view) const override;
  [[nodiscard]] approval::EscalationArgs escalation(const json::Object& arguments) const override;
  tool::Output run(tool::Clearance clearance, const tool::RunContext& context) override;

 private:
  Sandboxed sandboxed_;
  json::Value schema_;
};

// P-046: standard output, a [stderr] section, then the markers in this order: denial, hint,
// time-out, signal or exit code. Exit code 0 is not mentioned; without any output it says so.
std::string render(const sandbox::Finished& finished, const vocabulary::Confinement& confinement,
                   tool::Escalatable escalatable, base::Milliseconds timeout);

}  // namespace assent::builtin
