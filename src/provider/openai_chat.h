#pragma once
// Provider over the chat completions API that OpenAI began and most servers speak.

#include <string>

#include "base/clock.h"
#include "base/rng.h"
#include "net/http_client.h"
#include "provider/api_error.h"
#include "provider/chat_request.h"
#include "provider/provider.h"
#include "provider/retry.h"

namespace assent::provider {

struct ChatSettings {
  Endpoint endpoint;  // base_url without a slash at its end: "https://api.openai.com/v1"
  Dialect dialect = Dialect::openai;
};

// What an OpenAiChat works with; all of it outlives the provider.
struct ChatServices {
  net::HttpClient& http;
  const base::Clock& clock;
  base::Rng& rng;
  Waiter& waiter;
};

// Attempts, waits and time-outs are those of limits.h. An attempt is repeated only while nothing of
// it was passed to the sink; a wait that the server asks for beyond request_wait_max is an error
// that says so. No message carries the key.
class OpenAiChat final : public Provider {
 public:
  OpenAiChat(ChatSettings settings, ChatServices services);

  base::Result<Reply> generate(const Request& request, Sink& sink,
                               const base::StopToken& stop) override;
  [[nodiscard]] std::string name() const override { return settings_.endpoint.model; }

 private:
  struct Attempt;

  Attempt attempt(const net::HttpRequest& request, Sink& sink, const base::StopToken& stop);

  ChatSettings settings_;
  ChatServices services_;
};

}  // namespace assent::provider
