#pragma once
// Which model a person means: from --model, --base-url and the environment to settings.

#include <map>
#include <string>
#include <variant>

#include "base/result.h"
#include "provider/openai_chat.h"

namespace assent::provider {

struct ScriptSettings {
  std::string file;
};

using ModelSettings = std::variant<ChatSettings, ScriptSettings>;

struct ModelWish {
  std::string model{};     // --model; may begin with openai:, deepseek: or script:
  std::string base_url{};  // --base-url
};

using Environment = std::map<std::string, std::string>;

// A prefix picks the API. Without one it follows the URL (--base-url, else OPENAI_BASE_URL), else
// the model's name, else the key that is set (OPENAI_API_KEY before DEEPSEEK_API_KEY). A key goes
// to its own service or to a server that was named for it, never to another one's.
// ErrorKind::unavailable: nothing says what to use (three lines on what to set), the key is
// missing, or this build does not speak the API. ErrorKind::invalid: a URL that cannot be meant.
base::Result<ModelSettings> choose_model(const ModelWish& wish, const Environment& environment);

}  // namespace assent::provider
