#pragma once
// A tool: what it is called, what it would do, and its body. It asks nobody.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "approval/escalation.h"
#include "base/stop.h"
#include "json/value.h"
#include "sandbox/command.h"
#include "scope/scope_path.h"
#include "session/session.h"
#include "tool/call_view.h"
#include "tool/clearance.h"
#include "vocabulary/effect.h"
#include "vocabulary/ids.h"
#include "vocabulary/modes.h"
#include "vocabulary/outcome.h"
#include "vocabulary/risk.h"

namespace assent::tool {

// What the model is told of a tool.
struct Definition {
  std::string name;
  std::string description;
  json::Value parameters;
};

// Whether the session can widen at all: only then are the escalation fields advertised (K-23,
// B-170).
enum class Escalatable : std::uint8_t { no, yes };
// Whether the body runs in the sandbox.
enum class Confinable : std::uint8_t { no, yes };

struct Output {
  std::string content;
  std::optional<vocabulary::CallError> error{};
  std::vector<sandbox::Denial> denials{};
};

// What a file will hold, for the prompt's diff, the digest and later calls of the batch.
struct FileChange {
  std::string path;  // resolved
  std::string before;
  std::string after;
};

// What a body gets beside its clearance.
struct RunContext {
  vocabulary::AgentRef agent;
  scope::ScopePath path;  // of the agent
  base::StopToken stop;   // the caller's; a body never outlives it by more than its clean-up
  // Whether a wider mode exists and may be asked for: only then is escalation hinted at.
  Escalatable escalatable = Escalatable::no;
  // In force when the body started.
  vocabulary::Knobs knobs{};
  // For events of the body's own: through submit(), because a body is not the writer.
  session::Session& session;
};

// Constant methods: any thread. run(): any thread, several calls at once.
class Tool {
 public:
  virtual ~Tool() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Definition definition(Escalatable escalatable) const = 0;
  // What arguments are checked against. It accepts the escalation fields as any strings, so that
  // the literal texts of source 2 stay reachable (decisions.md, step 1).
  [[nodiscard]] virtual const json::Value& schema() const = 0;
  [[nodiscard]] virtual Confinable confinable() const = 0;
  // What a text calls one use of the tool (P-047): "command" for a shell.
  [[nodiscard]] virtual std::string_view subject() const { return "operation"; }
  // Whether the body is a wave of its own: it talks to the human (P-090).
  [[nodiscard]] virtual bool runs_alone() const { return false; }
  // A tool without a reduction of its own yields the call itself.
  [[nodiscard]] virtual vocabulary::Effects effects(const json::Object& arguments,
                                                    const CallView& view) const;
  // Which arguments of this call ask for a wider mode.
  [[nodiscard]] virtual approval::EscalationArgs escalation(const json::Object& arguments) const;
  // nullopt for a call that changes no file as a whole, or one that will fail.
  [[nodiscard]] virtual std::optional<FileChange> preview(const json::Object& arguments,
                                                          const CallView& view) const;
  // The body. Failures are outputs; nothing is thrown.
  virtual Output run(Clearance clearance, const RunContext& context) = 0;
};

// a tool that declares its risk. One that does not is dangerous.
class RiskedTool {
 public:
  virtual ~RiskedTool() = default;
  [[nodiscard]] virtual vocabulary::Risk risk_level() const = 0;
};

}  // namespace assent::tool
