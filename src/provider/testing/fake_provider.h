#pragma once
// A Provider that answers with prepared replies and keeps what it was asked. One thread at a time.

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "provider/provider.h"

namespace assent::provider::testing {

// A reply of this text and these calls.
inline Reply make_reply(std::string text, std::vector<vocabulary::ToolCall> calls = {}) {
  const Finish finish = calls.empty() ? Finish::stop : Finish::tool_calls;
  return {.message = {.role = vocabulary::Role::assistant,
                      .content = std::move(text),
                      .calls = std::move(calls)},
          .finish = finish};
}

class FakeProvider final : public Provider {
 public:
  // Runs before the prepared reply is given; an error it returns is given instead.
  using Hook = std::function<base::Result<void>(const Request&, Sink&, const base::StopToken&)>;

  void add(base::Result<Reply> reply, Hook hook = {}) {
    steps_.push_back({std::move(reply), std::move(hook)});
  }

  // Without a step left: an empty message that ends the turn.
  base::Result<Reply> generate(const Request& request, Sink& sink,
                               const base::StopToken& stop) override {
    requests.push_back(request);
    if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
    if (steps_.empty()) return make_reply("");
    Step step = std::move(steps_.front());
    steps_.pop_front();
    if (step.hook) TRY(step.hook(request, sink, stop));
    if (step.reply && !step.reply->message.content.empty()) {
      sink.text_delta(step.reply->message.content);
    }
    return std::move(step.reply);
  }
  [[nodiscard]] std::string name() const override { return "fake"; }

  std::vector<Request> requests{};

 private:
  struct Step {
    base::Result<Reply> reply;
    Hook hook;
  };
  std::deque<Step> steps_{};
};

}  // namespace assent::provider::testing
