#pragma once
// One streamed chat completion, put together from its chunks. Servers differ in every detail; the
// rules are those that recorded streams of seven of them need:
//   * a call's pieces belong together by `index`; without one, an id not seen before begins a call;
//   * the first id and name that are not empty stay; arguments are appended;
//   * finish_reason and usage count on whichever chunk they come;
//   * content is a text, null or a list of parts; unknown members are ignored.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "provider/api_error.h"
#include "provider/provider.h"

namespace assent::provider {

// One reply; one thread.
class ChatAssembler {
 public:
  // `sink` hears text and reasoning as they come and must outlive this.
  explicit ChatAssembler(Sink& sink) : sink_(sink) {}

  // The data of one event; "[DONE]" ends the reply. ErrorKind::invalid: not JSON, or not of the
  // expected types; the message shows the data. ErrorKind::limit: more or longer calls than
  // limits.h allows. An error object ends the reply too: then stream_error() holds it. After an
  // error nothing more may be added.
  base::Result<void> add(std::string_view data);

  [[nodiscard]] const std::optional<ApiError>& stream_error() const { return stream_error_; }
  // Something was passed on to the sink, so that a repetition would show it twice.
  [[nodiscard]] bool forwarded() const { return forwarded_; }
  // The server said how the reply ended, or [DONE] where no call depends on it.
  [[nodiscard]] bool complete() const;

  // The reply, once the stream has ended. Not complete: ErrorKind::io, and no call gets out
  // . A reply that a length limit or a filter ended has no calls: the last may be cut. An id
  // that is empty or occurs twice is replaced by one that is unique in the message; empty arguments
  // are {}.
  base::Result<Reply> take();

 private:
  base::Result<void> add_choice(const json::Object& choice);
  base::Result<void> add_content(const json::Value& content);
  base::Result<void> add_calls(const json::Value& calls);
  base::Result<void> add_call(const json::Object& call);
  base::Result<vocabulary::ToolCall*> call_for(const json::Object& call, std::string_view id);
  base::Result<void> add_finish(std::string_view reason);
  void add_usage(const json::Object& chunk);
  void add_text(std::string_view text);
  void add_reasoning(std::string_view text);

  struct Slot {
    std::optional<std::int64_t> index;
    vocabulary::ToolCall call;
  };

  Sink& sink_;
  Reply reply_{};
  std::vector<Slot> calls_{};
  std::optional<Finish> finish_{};
  std::optional<ApiError> stream_error_{};
  bool done_ = false;
  bool forwarded_ = false;
};

}  // namespace assent::provider
