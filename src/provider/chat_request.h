#pragma once
// The body of a chat completions request.

#include <string>

#include "base/result.h"
#include "provider/provider.h"

namespace assent::provider {

// What the servers that speak this API disagree about.
enum class Dialect : std::uint8_t {
  openai,
  // Once a conversation holds calls, every assistant message of it must carry reasoning_content,
  // even an empty one, or the server refuses it with 400 (DeepSeek, thinking mode).
  deepseek,
};

// The request in canonical JSON, so that the same conversation gives the same bytes and prompt
// caches hit. The content of an assistant message is always sent, even when empty (P-028).
// ErrorKind::internal for a tool message that answers no call.
base::Result<std::string> chat_request(const Request& request, const std::string& model,
                                       Dialect dialect);

}  // namespace assent::provider
