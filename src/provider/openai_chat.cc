#include "provider/openai_chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/limits.h"
#include "net/sse.h"
#include "provider/chat_assembler.h"

namespace assent::provider {
namespace {

using base::ErrorKind;

// Sends the events of a stream to the assembler, and keeps the body of anything else.
class StreamReceiver final : public net::HttpReceiver, private net::SseHandler {
 public:
  explicit StreamReceiver(ChatAssembler& assembler) : assembler_(assembler) {}

  base::Result<void> head(const net::HttpHead& head) override {
    head_ = head;
    return {};
  }
  base::Result<void> body(std::string_view piece) override {
    if (is_stream()) return parser_.feed(piece, *this);
    refusal_.append(piece.substr(0, base::limits::http_error_body - refusal_.size()));
    return {};
  }

  [[nodiscard]] const net::HttpHead& response() const { return head_; }
  [[nodiscard]] const std::string& refusal() const { return refusal_; }
  // Some servers forget the type of the stream; none calls it JSON or a page.
  [[nodiscard]] bool is_stream() const {
    const std::string* type = head_.find("content-type");
    return head_.status == 200 && (type == nullptr || (!type->starts_with("application/json") &&
                                                       !type->starts_with("text/html")));
  }

 private:
  base::Result<void> event(const net::SseEvent& event) override {
    return assembler_.add(event.data);
  }

  ChatAssembler& assembler_;
  net::SseParser parser_{};
  net::HttpHead head_{};
  std::string refusal_{};
};

base::Error after_attempts(base::Error error, int attempts) {
  if (attempts > 1) error.message += fmt::format(" ({} attempts)", attempts);
  return error;
}

}  // namespace

struct OpenAiChat::Attempt {
  std::variant<Reply, Failure> outcome;
  bool forwarded = false;
};

OpenAiChat::OpenAiChat(ChatSettings settings, ChatServices services)
    : settings_(std::move(settings)), services_(services) {}

base::Result<Reply> OpenAiChat::generate(const Request& request, Sink& sink,
                                         const base::StopToken& stop) {
  const net::HttpRequest http{
      .method = "POST",
      .url = settings_.endpoint.base_url + "/chat/completions",
      .headers = {{"Content-Type", "application/json"},
                  {"Accept", "text/event-stream"},
                  {"User-Agent", "assent"}},
      .bearer = settings_.endpoint.key,
      .body = TRY(chat_request(request, settings_.endpoint.model, settings_.dialect))};
  for (int made = 1;; ++made) {
    Attempt result = attempt(http, sink, stop);
    if (auto* reply = std::get_if<Reply>(&result.outcome)) return std::move(*reply);
    auto& failure = std::get<Failure>(result.outcome);
    failure.error.message = without_key(std::move(failure.error.message), http.bearer);
    if (stop.stop_requested() || failure.error.kind == ErrorKind::cancelled) {
      return base::failure(ErrorKind::cancelled, "the model request was cancelled");
    }
    if (result.forwarded || !failure.again || made == base::limits::request_attempts) {
      return base::failure(after_attempts(std::move(failure.error), made));
    }
    const base::Milliseconds wait = failure.wait.value_or(backoff(made, services_.rng));
    if (wait > base::limits::request_wait_max) {
      failure.error.message += fmt::format("; it asks to wait {} s", wait.count() / 1000);
      return base::failure(after_attempts(std::move(failure.error), made));
    }
    sink.retrying(failure.error, wait);
    if (services_.waiter.wait(wait, stop)) {
      return base::failure(ErrorKind::cancelled, "the model request was cancelled");
    }
  }
}

OpenAiChat::Attempt OpenAiChat::attempt(const net::HttpRequest& request, Sink& sink,
                                        const base::StopToken& stop) {
  ChatAssembler assembler(sink);
  StreamReceiver receiver(assembler);
  const auto sent = services_.http.send(request, {}, receiver, stop);
  const auto failed = [&](Failure failure) {
    return Attempt{std::move(failure), assembler.forwarded()};
  };
  if (assembler.stream_error()) {
    return failed(judge_stream_error(*assembler.stream_error(), settings_.endpoint));
  }
  // A server that breaks off behind the last word has said everything.
  const bool broke_off_late = !sent && sent.error().kind == ErrorKind::io && assembler.complete();
  if (!sent && !broke_off_late) return failed({sent.error(), may_pass(sent.error().kind)});
  if (!receiver.is_stream()) {
    return failed(judge_response(receiver.response(), receiver.refusal(), settings_.endpoint,
                                 services_.clock));
  }
  auto reply = assembler.take();
  if (!reply) return failed({reply.error(), may_pass(reply.error().kind)});
  return {std::move(*reply), assembler.forwarded()};
}

}  // namespace assent::provider
