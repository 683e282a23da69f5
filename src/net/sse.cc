#include "net/sse.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace assent::net {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::uint8_t past_start = 4;

// The ends of the lines of one piece. Each kind is looked for only behind the last one found, so
// that a piece of any content is scanned once for each.
class LineEnds {
 public:
  explicit LineEnds(std::string_view piece)
      : piece_(piece), line_feed_(piece.find('\n')), carriage_return_(piece.find('\r')) {}

  // The next carriage return or line feed at or behind `from`; npos where there is none.
  std::size_t next(std::size_t from) {
    if (line_feed_ < from) line_feed_ = piece_.find('\n', from);
    if (carriage_return_ < from) carriage_return_ = piece_.find('\r', from);
    return std::min(line_feed_, carriage_return_);
  }

 private:
  std::string_view piece_;
  std::size_t line_feed_;
  std::size_t carriage_return_;
};

base::Error too_long(std::string_view what, std::size_t limit) {
  return {base::ErrorKind::limit,
          fmt::format("{} of the event stream is longer than {} bytes", what, limit)};
}

}  // namespace

base::Result<void> SseParser::feed(std::string_view piece, SseHandler& handler) {
  piece = skip_start(piece);
  if (piece.empty()) return {};
  std::size_t at = after_cr_ && piece.front() == '\n' ? 1 : 0;
  after_cr_ = false;
  LineEnds ends(piece);
  for (;;) {
    const std::size_t end = ends.next(at);
    if (end == std::string_view::npos) break;
    const std::string_view text = piece.substr(at, end - at);
    if (text.size() + partial_.size() > limit_) return base::failure(too_long("a line", limit_));
    if (partial_.empty()) {
      TRY(line(text, handler));
    } else {
      partial_.append(text);
      // The line's views must not point into what the next piece overwrites.
      TRY(line(partial_, handler));
      keep_data();
      partial_.clear();
    }
    at = end + 1;
    if (piece[end] == '\r') {
      if (at == piece.size()) {
        after_cr_ = true;
      } else if (piece[at] == '\n') {
        ++at;
      }
    }
  }
  keep_data();
  return keep_rest(piece.substr(at));
}

// Takes one byte order mark off the very start of the stream, however it is cut.
std::string_view SseParser::skip_start(std::string_view piece) {
  while (mark_seen_ != past_start && !piece.empty()) {
    if (mark_seen_ < byte_order_mark.size() && piece.front() == byte_order_mark[mark_seen_]) {
      piece.remove_prefix(1);
      if (++mark_seen_ == byte_order_mark.size()) mark_seen_ = past_start;
      continue;
    }
    // The bytes only looked like a mark: they begin the first line.
    partial_.assign(byte_order_mark.substr(0, mark_seen_));
    mark_seen_ = past_start;
  }
  return piece;
}

base::Result<void> SseParser::keep_rest(std::string_view rest) {
  if (rest.size() + partial_.size() > limit_) return base::failure(too_long("a line", limit_));
  partial_.append(rest);
  return {};
}

base::Result<void> SseParser::line(std::string_view line, SseHandler& handler) {
  if (line.empty()) return dispatch(handler);
  const std::size_t colon = line.find(':');
  if (colon == 0) return {};  // a comment
  if (colon == std::string_view::npos) return field(line, {});
  std::string_view value = line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  return field(line.substr(0, colon), value);
}

base::Result<void> SseParser::field(std::string_view name, std::string_view value) {
  if (name == "data") return data_line(value);
  if (name == "event") {
    type_.assign(value);
  } else if (name == "id") {
    if (value.find('\0') == std::string_view::npos) id_.assign(value);
  } else if (name == "retry") {
    std::int64_t time = 0;
    const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), time);
    const bool digits = std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (digits && code == std::errc()) retry_ = std::chrono::milliseconds(time);
  }
  return {};
}

base::Result<void> SseParser::data_line(std::string_view value) {
  const std::size_t held = data_lines_ == 0 ? 0 : data_.size() + first_data_.size() + 1;
  if (held + value.size() > limit_) return base::failure(too_long("an event", limit_));
  if (data_lines_ == 0) {
    first_data_ = value;
  } else {
    keep_data();
    data_.push_back('\n');
    data_.append(value);
  }
  ++data_lines_;
  return {};
}

void SseParser::keep_data() {
  if (first_data_.empty()) return;
  data_.assign(first_data_);
  first_data_ = {};
}

base::Result<void> SseParser::dispatch(SseHandler& handler) {
  const bool any = data_lines_ != 0;
  const SseEvent event{.type = type_.empty() ? std::string_view("message") : type_,
                       .data = first_data_.empty() ? std::string_view(data_) : first_data_,
                       .id = id_};
  base::Result<void> handled{};
  if (any) handled = handler.event(event);
  data_lines_ = 0;
  first_data_ = {};
  data_.clear();
  type_.clear();
  return handled;
}

}  // namespace assent::net
