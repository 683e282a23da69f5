#pragma once
// A model, whatever API it speaks: messages and tool definitions in, one assistant message out.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "json/value.h"
#include "vocabulary/message.h"

namespace assent::provider {

struct ToolSpec {
  std::string name;
  std::string description;
  json::Value parameters;  // a JSON Schema of type object
};

struct Request {
  std::string system;
  std::vector<vocabulary::Message> messages;
  std::vector<ToolSpec> tools;
};

enum class Finish : std::uint8_t { stop, tool_calls, length, content_filter };

struct Reply {
  vocabulary::Message message;  // role assistant; its calls are complete
  Finish finish = Finish::stop;
  vocabulary::Usage usage{};
};

// What happens while the reply is made. Called on the thread that called generate().
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void text_delta(std::string_view text) = 0;
  virtual void reasoning_delta(std::string_view text) = 0;
  // A failed attempt is repeated after this wait; nothing of it was passed on.
  virtual void retrying(const base::Error& why, base::Milliseconds wait) = 0;
};

class Provider {
 public:
  virtual ~Provider() = default;
  // Blocks until the reply is complete, `stop` fires (ErrorKind::cancelled) or it failed for good.
  // A stream that breaks off is an error: its calls never reach the caller. Arguments that
  // are not JSON stay as the model wrote them and fail in the tool's validation. Any thread,
  // several calls at a time: a session's agents share one provider.
  virtual base::Result<Reply> generate(const Request& request, Sink& sink,
                                       const base::StopToken& stop) = 0;
  // For events and messages: "deepseek-chat", "script".
  [[nodiscard]] virtual std::string name() const = 0;
};

}  // namespace assent::provider
