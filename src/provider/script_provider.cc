#include "provider/script_provider.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/limits.h"
#include "json/fields.h"

namespace assent::provider {
namespace {

using base::ErrorKind;

base::Result<vocabulary::ToolCall> call_from(const json::Value& value) {
  const auto fields = TRY(json::Fields::create(value));
  TRY(fields.only({"id", "name", "arguments"}));
  vocabulary::ToolCall call{.id = vocabulary::CallId(TRY(fields.text("id"))),
                            .name = TRY(fields.text("name")),
                            .arguments = "{}"};
  if (call.id.empty()) return base::failure(ErrorKind::invalid, "id: expected a text");
  if (call.name.empty()) return base::failure(ErrorKind::invalid, "name: expected a text");
  const json::Value* arguments = fields.find("arguments");
  if (arguments == nullptr) return call;
  if (const auto* text = arguments->if_string()) {
    call.arguments = *text;
  } else if (arguments->is_object()) {
    call.arguments = json::write(*arguments);
  } else {
    return base::failure(ErrorKind::invalid, "arguments: expected an object or a text");
  }
  return call;
}

base::Result<vocabulary::Message> message_from(std::string_view line) {
  const json::Value value = TRY(json::parse(line));
  const auto fields = TRY(json::Fields::create(value));
  TRY(fields.only({"text", "tool_calls"}));
  vocabulary::Message message{.role = vocabulary::Role::assistant};
  message.content = TRY(fields.optional_text("text")).value_or("");
  if (fields.find("tool_calls") == nullptr) return message;
  for (const json::Value& entry : *TRY(fields.array("tool_calls"))) {
    vocabulary::ToolCall call = TRY(call_from(entry));
    if (std::ranges::count(message.calls, call.id, &vocabulary::ToolCall::id) != 0) {
      return base::failure(ErrorKind::invalid, fmt::format("id: {} occurs twice", call.id.text()));
    }
    message.calls.push_back(std::move(call));
  }
  return message;
}

}  // namespace

base::Result<ScriptProvider> ScriptProvider::parse(std::string_view text, std::string_view file) {
  ScriptProvider script;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto message = message_from(line);
    if (!message) return base::failure(message.error().in(fmt::format("{}:{}", file, number)));
    script.messages_.push_back(std::move(*message));
  }
  return script;
}

base::Result<ScriptProvider> ScriptProvider::load(const std::string& file) {
  return parse(TRY(base::read_file(file, base::limits::config_size)), file);
}

base::Result<Reply> ScriptProvider::generate(const Request&, Sink& sink,
                                             const base::StopToken& stop) {
  if (stop.stop_requested()) {
    return base::failure(ErrorKind::cancelled, "the model request was cancelled");
  }
  Reply reply{.message = {.role = vocabulary::Role::assistant}};
  const std::size_t step = (*next_)++;
  if (step < messages_.size()) reply.message = messages_[step];
  if (!reply.message.calls.empty()) reply.finish = Finish::tool_calls;
  if (!reply.message.content.empty()) sink.text_delta(reply.message.content);
  return reply;
}

}  // namespace assent::provider
