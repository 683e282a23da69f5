#include "provider/chat_request.h"

#include <algorithm>
#include <utility>

namespace assent::provider {
namespace {

using vocabulary::Message;
using vocabulary::Role;

json::Object assistant_message(const Message& message, bool with_reasoning) {
  json::Object out{{"role", "assistant"}, {"content", message.content}};
  if (with_reasoning) out["reasoning_content"] = message.reasoning;
  if (message.calls.empty()) return out;
  json::Array calls;
  for (const vocabulary::ToolCall& call : message.calls) {
    calls.push_back({{"id", call.id.text()},
                     {"type", "function"},
                     {"function", {{"name", call.name}, {"arguments", call.arguments}}}});
  }
  out["tool_calls"] = std::move(calls);
  return out;
}

base::Result<json::Object> message_object(const Message& message, bool with_reasoning) {
  switch (message.role) {
    case Role::user: return json::Object{{"role", "user"}, {"content", message.content}};
    case Role::assistant: return assistant_message(message, with_reasoning);
    case Role::tool:
      if (!message.answers) break;
      return json::Object{{"role", "tool"},
                          {"tool_call_id", message.answers->text()},
                          {"content", message.content}};
  }
  return base::failure(base::ErrorKind::internal, "a tool message answers no call");
}

}  // namespace

base::Result<std::string> chat_request(const Request& request, const std::string& model,
                                       Dialect dialect) {
  const bool with_reasoning =
      dialect == Dialect::deepseek &&
      std::ranges::any_of(request.messages, [](const Message& m) { return !m.calls.empty(); });
  json::Array messages;
  if (!request.system.empty()) {
    messages.push_back({{"role", "system"}, {"content", request.system}});
  }
  for (const Message& message : request.messages) {
    messages.push_back(TRY(message_object(message, with_reasoning)));
  }
  json::Object body{{"model", model},
                    {"messages", std::move(messages)},
                    {"stream", true},
                    {"stream_options", {{"include_usage", true}}}};
  if (!request.tools.empty()) {
    json::Array tools;
    for (const ToolSpec& tool : request.tools) {
      tools.push_back({{"type", "function"},
                       {"function",
                        {{"name", tool.name},
                         {"description", tool.description},
                         {"parameters", tool.parameters}}}});
    }
    body["tools"] = std::move(tools);
  }
  return json::write(body);
}

}  // namespace assent::provider
