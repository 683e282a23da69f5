#include "tool/headline.h"

#include <fmt/format.h>

namespace assent::tool {

using vocabulary::SandboxMode;

std::string headline(const Planned& plan, const vocabulary::Confinement& confinement) {
  if (plan.escalation) {
    const std::string_view what = plan.tool->subject();
    if (confinement.mode == SandboxMode::danger_full_access) {
      return fmt::format("gives this one {} all files and the network", what);
    }
    return fmt::format("lets this one {} change files in this folder", what);
  }
  for (const auto& effect : plan.effects) {
    const auto* path = std::get_if<vocabulary::PathEffect>(&effect);
    if (path == nullptr || path->access == vocabulary::PathAccess::read) continue;
    const std::string_view verb =
        path->access == vocabulary::PathAccess::remove ? "deletes" : "changes";
    return fmt::format("{} {}", verb, path->path);
  }
  for (const auto& effect : plan.effects) {
    if (std::holds_alternative<vocabulary::ExecuteEffect>(effect)) return "runs a command";
  }
  return fmt::format("uses the tool {}", plan.call.name);
}

std::string one_line(const Planned& plan) {
  for (const auto* key : {"command", "path"}) {
    const auto* value = plan.arguments.if_contains(key);
    if (value != nullptr && value->is_string()) {
      return fmt::format("{} {}", plan.call.name, std::string_view(value->get_string()));
    }
  }
  return plan.call.name;
}

}  // namespace assent::tool
