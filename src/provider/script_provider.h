#pragma once
// The script model: a file of prepared assistant messages, for the demo and for every test (P-030).

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "provider/provider.h"

namespace assent::provider {

// Plays one message a step, to whichever agent asks next. After the last one every step is an empty
// message that ends the turn.
class ScriptProvider final : public Provider {
 public:
  // JSON lines, empty ones skipped: {"text": …, "tool_calls": [{"id", "name", "arguments"}]}. Both
  // members may be absent, and so may `arguments` ({}); an object is written canonically, a text is
  // passed on as it stands. Anything else is ErrorKind::invalid: "FILE:3: …".
  static base::Result<ScriptProvider> parse(std::string_view text, std::string_view file);
  static base::Result<ScriptProvider> load(const std::string& file);

  // A session that goes on starts behind what it has already played.
  void skip(std::size_t messages) { *next_ = messages; }

  base::Result<Reply> generate(const Request& request, Sink& sink,
                               const base::StopToken& stop) override;
  [[nodiscard]] std::string name() const override { return "script"; }

 private:
  std::vector<vocabulary::Message> messages_{};
  // Apart, so that a provider can be moved before it is used.
  std::unique_ptr<std::atomic<std::size_t>> next_ = std::make_unique<std::atomic<std::size_t>>(0);
};

}  // namespace assent::provider
