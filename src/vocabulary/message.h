#pragma once
// The model's conversation, in the shape that all model APIs share.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "vocabulary/ids.h"

namespace assent::vocabulary {

// A complete call as the model wrote it; `arguments` is the raw text, not yet parsed.
struct ToolCall {
  CallId id;
  std::string name;
  std::string arguments;
  bool operator==(const ToolCall&) const = default;
};

struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  bool operator==(const Usage&) const = default;
};

enum class Role : std::uint8_t { user, assistant, tool };

struct Message {
  Role role = Role::user;
  std::string content{};
  std::vector<ToolCall> calls{};    // assistant only
  std::string reasoning{};          // assistant only; returned to models that want it back
  std::optional<CallId> answers{};  // tool only: the call that this is the result of
  bool operator==(const Message&) const = default;
};

}  // namespace assent::vocabulary
