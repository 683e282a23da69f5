#include "app/models.h"

#include <utility>

#include "net/curl_http_client.h"
#include "provider/model_choice.h"
#include "provider/openai_chat.h"
#include "provider/retry.h"
#include "provider/script_provider.h"

namespace assent::app {
namespace {

class ScriptModel final : public Model {
 public:
  explicit ScriptModel(provider::ScriptProvider provider) : provider_(std::move(provider)) {}
  provider::Provider& provider() override { return provider_; }
  [[nodiscard]] bool is_script() const override { return true; }

 private:
  provider::ScriptProvider provider_;
};

class ChatModel final : public Model {
 public:
  ChatModel(provider::ChatSettings settings, const base::Clock& clock, base::Rng& rng)
      : provider_(std::move(settings), {http_, clock, rng, waiter_}) {}
  provider::Provider& provider() override { return provider_; }
  [[nodiscard]] bool is_script() const override { return false; }

 private:
  net::CurlHttpClient http_;
  provider::StopWaiter waiter_;
  provider::OpenAiChat provider_;
};

}  // namespace

base::Result<std::unique_ptr<Model>> open_model(const Settings& settings,
                                                const Environment& environment,
                                                const base::Clock& clock, base::Rng& rng) {
  auto chosen = TRY(provider::choose_model({.model = settings.model, .base_url = settings.base_url},
                                           environment));
  if (const auto* script = std::get_if<provider::ScriptSettings>(&chosen)) {
    return std::make_unique<ScriptModel>(TRY(provider::ScriptProvider::load(script->file)));
  }
  return std::make_unique<ChatModel>(std::get<provider::ChatSettings>(std::move(chosen)), clock,
                                     rng);
}

}  // namespace assent::app
