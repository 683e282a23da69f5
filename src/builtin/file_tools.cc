#include "builtin/file_tools.h"

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

// Arguments were checked against the schema, so the member is there.
std::string text_of(const json::Object& arguments, std::string_view key) {
  return std::string(arguments.at(key).as_string());
}

json::Object text_property(std::string_view description) {
  return {{"type", "string"}, {"description", description}};
}

json::Object path_property() {
  return text_property("The file's path, absolute or relative to the working folder.");
}

json::Object with_escalation(json::Object properties, bool any_text) {
  for (auto& member : escalation_properties()) {
    if (any_text) {
      properties.insert_or_assign(member.key(), json::Object{{"type", "string"}});
    } else {
      properties.insert_or_assign(member.key(), member.value());
    }
  }
  return properties;
}

tool::Output failed_operation(const FileAnswer& answer) {
  return {.content = "Error: " + answer.error->message,
          .error = CallError{.code = ErrorCode::tool_failed},
          .denials = answer.denials};
}

std::string lines_of(const std::string& text, std::int64_t offset, std::int64_t limit) {
  std::size_t from = 0;
  for (std::int64_t line = 1; line < offset && from < text.size(); ++line) {
    const auto end = text.find('\n', from);
    from = end == std::string::npos ? text.size() : end + 1;
  }
  std::size_t to = from;
  for (std::int64_t line = 0; line < limit && to < text.size(); ++line) {
    const auto end = text.find('\n', to);
    to = end == std::string::npos ? text.size() : end + 1;
  }
  return text.substr(from, to - from);
}

std::int64_t integer_or(const json::Object& arguments, std::string_view key,
                        std::int64_t otherwise) {
  const auto* value = arguments.if_contains(key);
  return value == nullptr ? otherwise : value->as_int64();
}

}  // namespace

// --- read_file -----------------------------------------------------------------------------------

ReadFile::ReadFile(Sandboxed sandboxed)
    : sandboxed_(std::move(sandboxed)),
      schema_(object_schema(
          {{"path", path_property()},
           {"offset",
            {{"type", "integer"},
             {"minimum", 1},
             {"description", "The first line to return, from 1."}}},
           {"limit",
            {{"type", "integer"}, {"minimum", 1}, {"description", "How many lines to return."}}}},
          {"path"})) {}

tool::Definition ReadFile::definition(tool::Escalatable) const {
  return {.name = std::string(name()),
          .description = "Reads a text file, or some lines of it.",
          .parameters = schema_};
}

vocabulary::Effects ReadFile::effects(const json::Object& arguments,
                                      const tool::CallView& view) const {
  return policy::read_file_effects(text_of(arguments, "path"), view);
}

tool::Output ReadFile::run(tool::Clearance clearance, const tool::RunContext& context) {
  const tool::CallView view(clearance.work_dir(), {});
  const auto& arguments = clearance.arguments();
  const auto answer = run_file_request(
      sandboxed_, clearance.confinement(),
      {.verb = FileVerb::read, .path = view.resolve(text_of(arguments, "path"))}, context.stop);
  if (!answer) return launch_failure(answer.error());
  if (answer->error) return failed_operation(*answer);
  std::string text = answer->content;
  if (arguments.contains("offset") || arguments.contains("limit")) {
    text = lines_of(text, integer_or(arguments, "offset", 1),
                    integer_or(arguments, "limit", std::numeric_limits<std::int64_t>::max()));
  }
  return {.content = text::cut_middle(text::repair(text), base::limits::tool_output)};
}

// --- write_file and edit_file --------------------------------------------------------------------

ChangingTool::ChangingTool(Sandboxed sandboxed, json::Object properties,
                           std::initializer_list<std::string_view> required)
    : sandboxed_(std::move(sandboxed)),
      properties_(std::move(properties)),
      advertised_(object_schema(properties_, required)),
      schema_(object_schema(with_escalation(properties_, true), required)) {}

tool::Definition ChangingTool::definition(tool::Escalatable escalatable) const {
  json::Value parameters = advertised_;
  if (escalatable == tool::Escalatable::yes) {
    parameters.as_object()["properties"] = with_escalation(properties_, false);
  }
  return {.name = std::string(name()),
          .description = std::string(description()),
          .parameters = std::move(parameters)};
}

vocabulary::Effects ChangingTool::effects(const json::Object& arguments,
                                          const tool::CallView& view) const {
  return policy::write_file_effects(text_of(arguments, "path"), view);
}

approval::EscalationArgs ChangingTool::escalation(const json::Object& arguments) const {
  return escalation_args(arguments);
}

tool::Output ChangingTool::run(tool::Clearance clearance, const tool::RunContext& context) {
  const tool::CallView view(clearance.work_dir(), {});
  FileRequest wanted = request(clearance.arguments());
  wanted.path = view.resolve(wanted.path);
  const auto answer = run_file_request(sandboxed_, clearance.confinement(), wanted, context.stop);
  if (!answer) return launch_failure(answer.error());
  if (answer->error && !answer->denials.empty()) {
    return {.content = denial_lines(answer->denials, clearance.confinement(), context.escalatable,
                                    subject()),
            .error = CallError{.code = ErrorCode::sandbox_denied},
            .denials = answer->denials};
  }
  if (answer->error) return failed_operation(*answer);
  return {.content = fmt::format("wrote {}", wanted.path)};
}

WriteFile::WriteFile(Sandboxed sandboxed)
    : ChangingTool(
          std::move(sandboxed),
          {{"path", path_property()}, {"content", text_property("What the file will hold.")}},
          {"path", "content"}) {}

std::string_view WriteFile::description() const {
  return "Writes a whole file, makes it and missing folders where they do not exist.";
}

FileRequest WriteFile::request(const json::Object& arguments) const {
  return {.verb = FileVerb::write,
          .path = text_of(arguments, "path"),
          .content = text_of(arguments, "content")};
}

std::optional<tool::FileChange> WriteFile::preview(const json::Object& arguments,
                                                   const tool::CallView& view) const {
  std::string path = view.resolve(text_of(arguments, "path"));
  const auto before = view.content(path);
  if (!before) return std::nullopt;
  return tool::FileChange{.path = std::move(path),
                          .before = before->value_or(""),
                          .after = text_of(arguments, "content")};
}

EditFile::EditFile(Sandboxed sandboxed)
    : ChangingTool(std::move(sandboxed),
                   {{"path", path_property()},
                    {"old_text", text_property("Text that stands exactly once in the file.")},
                    {"new_text", text_property("What stands there afterwards.")}},
                   {"path", "old_text", "new_text"}) {}

std::string_view EditFile::description() const {
  return "Replaces text in a file. old_text must stand there exactly once, blanks included.";
}

FileRequest EditFile::request(const json::Object& arguments) const {
  return {.verb = FileVerb::edit,
          .path = text_of(arguments, "path"),
          .content = text_of(arguments, "old_text"),
          .replacement = text_of(arguments, "new_text")};
}

std::optional<tool::FileChange> EditFile::preview(const json::Object& arguments,
                                                  const tool::CallView& view) const {
  std::string path = view.resolve(text_of(arguments, "path"));
  const auto before = view.content(path);
  if (!before || !before->has_value()) return std::nullopt;
  auto after = apply_edit(**before, text_of(arguments, "old_text"), text_of(arguments, "new_text"));
  if (!after) return std::nullopt;
  return tool::FileChange{.path = std::move(path), .before = **before, .after = std::move(*after)};
}

}  // namespace assent::builtin
