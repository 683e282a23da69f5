#pragma once
// Hooks: programs of the user's that are asked before a call runs, and can only tighten
// (channels.md, "Hooks into us").

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/limits.h"
#include "base/result.h"
#include "json/value.h"
#include "sandbox/launcher.h"
#include "tool/pre_execute.h"

namespace assent::listener {

// What a hook counts as that crashed, timed out, is missing or was not understood.
enum class OnFailure : std::uint8_t { deny, ask };

struct HookSpec {
  std::vector<std::string> command;  // argv
  base::Milliseconds timeout = base::limits::hook_timeout;
  OnFailure on_failure = OnFailure::deny;
  bool operator==(const HookSpec&) const = default;
};

// The pre-execute listener that asks every hook, in order, until one denies; the strictest answer
// counts, and the rest of the chain may be stricter still. Each hook runs unconfined as the user's
// own program, with the environment that commands get; hook/invoked stands in the log before it
// runs and hook/result behind it. `launcher` must outlive the function.
std::function<tool::PreExecute::Chain::Listener> hook_listener(std::vector<HookSpec> hooks,
                                                               sandbox::Launcher& launcher,
                                                               std::string work_dir);

// What a hook reads on its standard input: {event, session, agent, parent?, cwd, risk, mode,
// escalating?, effects, call: {id, name, arguments}}. Pure.
json::Value hook_input(const tool::Execution& execution, const std::string& work_dir);

// What a hook wrote: {"decision": "deny" | "ask" | "none", "reason"?, "context"?}, nothing else. A
// deny needs a reason (B-006). ErrorKind::invalid otherwise. Pure.
base::Result<tool::PreToolDecision> hook_decision(std::string_view output);

}  // namespace assent::listener
