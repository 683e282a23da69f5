#include "builtin/sandboxed.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "sandbox/words.h"
#include "text/utf8.h"

namespace assent::builtin {
namespace {

using sandbox::Denial;
using sandbox::Operation;

// How many refused operations a line names, and how many bytes of each.
constexpr std::size_t named_operations = 3;
constexpr std::size_t named_bytes = 200;

bool is_network(const Denial& denial) {
  return denial.operation == Operation::connect || denial.operation == Operation::socket;
}

std::string named(const std::vector<Denial>& denials) {
  std::string text;
  std::vector<std::string> seen;
  for (const auto& denial : denials) {
    std::string one = fmt::format("{} {}", sandbox::to_text(denial.operation),
                                  json::write_text(text::cut(denial.subject, named_bytes)));
    if (std::ranges::find(seen, one) == seen.end()) seen.push_back(std::move(one));
  }
  for (std::size_t i = 0; i < std::min(seen.size(), named_operations); ++i) {
    text += (i == 0 ? "" : ", ") + seen[i];
  }
  if (seen.size() > named_operations) {
    text += fmt::format(" and {} more", seen.size() - named_operations);
  }
  return text;
}

}  // namespace

std::string denial_lines(const std::vector<Denial>& denials,
                         const vocabulary::Confinement& confinement, tool::Escalatable escalatable,
                         std::string_view subject) {
  std::string lines;
  const std::string_view mode = vocabulary::to_text(confinement.mode);
  if (!std::ranges::all_of(denials, is_network)) {
    lines += fmt::format("[sandbox: file access denied under {} mode]\n", mode);
  }
  if (std::ranges::any_of(denials, is_network)) {
    lines += fmt::format("[sandbox: network access denied under {} mode]\n", mode);
  }
  if (lines.empty() || escalatable == tool::Escalatable::no) return lines;
  const auto wider = vocabulary::wider_modes(confinement.mode);
  // The narrowest mode that could be enough: only writes into the folder fit workspace-write.
  lines += fmt::format(
      "[sandbox: escalation available — retry this exact {} once with sandbox_permissions \"{}\" "
      "and "
      "a justification of one sentence, if it is needed; refused: {}]\n",
      subject, vocabulary::to_text(wider.back()), named(denials));
  return lines;
}

std::string denial_note(const std::vector<Denial>& denials) {
  if (denials.empty()) return {};
  return fmt::format("[note: the sandbox refused {}]\n", named(denials));
}

tool::Output launch_failure(const base::Error& error) {
  using vocabulary::ErrorCode;
  const bool stopped = error.kind == base::ErrorKind::cancelled;
  return {.content = stopped
                         ? "Error: the call was aborted"
                         : fmt::format("Error: the sandbox cannot run this call: {}; nothing ran",
                                       error.message),
          .error = vocabulary::CallError{.code = stopped ? ErrorCode::aborted
                                                         : ErrorCode::sandbox_unavailable}};
}

json::Object escalation_properties() {
  return {
      {"sandbox_permissions",
       {{"type", "string"},
        {"enum", {"workspace-write", "danger-full-access"}},
        {"description",
         "Only for a retry behind a [sandbox: … denied] marker: the mode to run this one call in. "
         "A "
         "human is asked."}}},
      {"justification",
       {{"type", "string"},
        {"description", "Required with sandbox_permissions: one sentence for the human, why."}}}};
}

approval::EscalationArgs escalation_args(const json::Object& arguments) {
  const auto text = [&](std::string_view key) -> std::optional<std::string> {
    const auto* value = arguments.if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
  };
  return {.sandbox_permissions = text("sandbox_permissions"),
          .justification = text("justification")};
}

json::Value object_schema(json::Object properties,
                          std::initializer_list<std::string_view> required) {
  return json::Object{{"type", "object"},
                      {"properties", std::move(properties)},
                      {"required", json::Array(required.begin(), required.end())},
                      {"additionalProperties", false}};
}

}  // namespace assent::builtin
