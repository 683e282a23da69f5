#pragma once
// What the first-party tools share: the sandbox that their bodies run in, and the words for what it
// refused.

#include <string>
#include <vector>

#include "json/value.h"
#include "sandbox/launcher.h"
#include "tool/tool.h"

namespace assent::builtin {

// `launcher` must outlive the tools.
struct Sandboxed {
  sandbox::Launcher& launcher;
  std::string workspace;              // absolute, resolved
  std::vector<std::string> masked{};  // never readable: our own state, keys, logins
  std::vector<std::string> read_only{};

  [[nodiscard]] sandbox::Policy policy(const vocabulary::Confinement& confinement) const {
    return {.confinement = confinement,
            .workspace = workspace,
            .read_only = read_only,
            .masked = masked};
  }
};

// The marker line for each kind of denial and, where `escalatable`, the hint line (B-056, B-057).
// Both end with a newline; empty without denials.
std::string denial_lines(const std::vector<sandbox::Denial>& denials,
                         const vocabulary::Confinement& confinement, tool::Escalatable escalatable,
                         std::string_view subject);

// A call that succeeded although something was refused on the way: a note, neither marker nor hint.
std::string denial_note(const std::vector<sandbox::Denial>& denials);

// The output where the launcher itself failed: SANDBOX_UNAVAILABLE, or ABORTED where the stop
// fired.
tool::Output launch_failure(const base::Error& error);

// `sandbox_permissions` and `justification` for a schema's properties.
json::Object escalation_properties();
// The two arguments as the model wrote them.
approval::EscalationArgs escalation_args(const json::Object& arguments);
// A schema of type object from its properties, with the names of those that must be there.
json::Value object_schema(json::Object properties,
                          std::initializer_list<std::string_view> required);

}  // namespace assent::builtin
