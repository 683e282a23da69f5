#pragma once
// Server-sent events as the WHATWG HTML standard (section 9.2.6, "Interpreting an event stream")
// reads them, from a body that arrives in pieces cut anywhere.
//
// Bytes stay bytes: what is not UTF-8 is passed on as it came, for the reader of the data to
// refuse. An event that the end of the body cuts off is never delivered, as the standard says.

#include "base/limits.h"
#include "base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assent::net {

// Views that live until the handler returns.
struct SseEvent {
  std::string_view type;  // "message" where the stream named none
  std::string_view data;
  std::string_view id;  // the last id of the stream so far; empty before the first
  bool operator==(const SseEvent&) const = default;
};

class SseHandler {
 public:
  virtual ~SseHandler() = default;
  // An error ends the feeding and is what feed() returns.
  virtual base::Result<void> event(const SseEvent& event) = 0;
};

// One stream; one thread. An event whose data came as one line inside one piece is delivered as a
// view into that piece; only what spans lines or pieces is copied.
class SseParser {
 public:
  // `limit` bounds a line, and the data of an event.
  explicit SseParser(std::size_t limit = base::limits::stream_event) : limit_(limit) {}

  // Delivers every event that `piece` completes. After an error (the handler's, or
  // ErrorKind::limit) the parser must not be fed again.
  base::Result<void> feed(std::string_view piece, SseHandler& handler);

  [[nodiscard]] const std::string& last_event_id() const { return id_; }
  // The reconnection time that the stream asked for last.
  [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  base::Result<void> line(std::string_view line, SseHandler& handler);
  base::Result<void> field(std::string_view name, std::string_view value);
  base::Result<void> data_line(std::string_view value);
  base::Result<void> dispatch(SseHandler& handler);
  base::Result<void> keep_rest(std::string_view rest);
  void keep_data();
  std::string_view skip_start(std::string_view piece);

  std::size_t limit_;
  std::string partial_{};          // a line whose end has not come
  std::string data_{};             // data lines that had to be copied, joined by line feeds
  std::string_view first_data_{};  // the first data line, still in the piece
  std::size_t data_lines_ = 0;
  std::string type_{};
  std::string id_{};
  std::optional<std::chrono::milliseconds> retry_{};
  std::uint8_t mark_seen_ = 0;  // bytes of a byte order mark so far; past_start behind it
  bool after_cr_ = false;       // a line feed that comes next belongs to the line before
};

}  // namespace assent::net
