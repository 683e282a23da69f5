#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <boost/json/basic_parser_impl.hpp>

#include "json/number.h"
#include "json/quote.h"
#include "json/value.h"

namespace assent::json {
namespace {

using Text = boost::json::string_view;
using Code = boost::json::error_code;

// What basic_parser calls while it reads. Builds the value in place: `open_` points at the
// containers that are not closed yet; only the innermost grows, so the pointers stay good.
class Builder {
 public:
  static constexpr std::size_t max_object_size = SIZE_MAX;
  static constexpr std::size_t max_array_size = SIZE_MAX;
  static constexpr std::size_t max_key_size = SIZE_MAX;
  static constexpr std::size_t max_string_size = SIZE_MAX;

  [[nodiscard]] Value take() { return std::move(root_); }
  // What a callback refused, empty where the grammar did.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

  bool on_document_begin(Code&) { return true; }
  bool on_document_end(Code&) { return true; }
  bool on_array_begin(Code&) { return open(Array()); }
  bool on_array_end(std::size_t, Code&) { return close(); }
  bool on_object_begin(Code&) { return open(Object()); }
  bool on_object_end(std::size_t, Code&) { return close(); }
  bool on_string_part(Text part, std::size_t, Code&) { return gather(part); }
  bool on_key_part(Text part, std::size_t, Code&) { return gather(part); }
  bool on_number_part(Text part, Code&) { return gather(part); }
  bool on_comment_part(Text, Code&) { return true; }
  bool on_comment(Text, Code&) { return true; }
  bool on_null(Code&) { return place(nullptr); }
  bool on_bool(bool value, Code&) { return place(value); }

  bool on_string(Text last, std::size_t, Code&) {
    gather(last);
    place(Value(Text(gathered_)));
    gathered_.clear();
    return true;
  }

  bool on_key(Text last, std::size_t, Code& code) {
    gather(last);
    const auto [member, inserted] = open_.back()->get_object().emplace(gathered_, nullptr);
    if (!inserted) return refuse(code, fmt::format("key {} occurs twice", quote(gathered_)));
    slot_ = &member->value();
    gathered_.clear();
    return true;
  }

  bool on_int64(std::int64_t value, Text, Code&) {
    gathered_.clear();
    return place(normal_number(static_cast<double>(value)));
  }
  bool on_uint64(std::uint64_t value, Text, Code&) {
    gathered_.clear();
    return place(normal_number(static_cast<double>(value)));
  }

  // basic_parser's own double can be off by a few units in the last place: the text is read again.
  bool on_double(double, Text last, Code& code) {
    gather(last);
    double value = 0;
    const char* const end = gathered_.data() + gathered_.size();
    const auto [stop, error] = std::from_chars(gathered_.data(), end, value);
    if (error != std::errc{} || stop != end) {
      return refuse(code, "a number beyond the range of a double");
    }
    gathered_.clear();
    return place(normal_number(value));
  }

 private:
  bool gather(Text part) {
    gathered_.append(part.data(), part.size());
    return true;
  }

  bool refuse(Code& code, std::string why) {
    refusal_ = std::move(why);
    code = boost::json::error::exception;
    return false;
  }

  bool place(Value value) {
    put(std::move(value));
    return true;
  }

  Value* put(Value value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* const array = open_.back()->if_array()) {
      return &array->emplace_back(std::move(value));
    }
    *slot_ = std::move(value);
    return slot_;
  }

  bool open(Value container) {
    open_.push_back(put(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Value root_;
  std::vector<Value*> open_;
  Value* slot_ = nullptr;  // of the member whose key was read last
  std::string gathered_;   // the parts of a string, key or number so far
  std::string refusal_;
};

base::Result<Value> read(std::string_view text, std::size_t depth) {
  boost::json::parse_options options;
  options.max_depth = depth;
  boost::json::basic_parser<Builder> parser(options);
  Code code;
  const std::size_t offset = parser.write_some(false, text.data(), text.size(), code);
  if (code == boost::json::error::too_deep) {
    return base::failure(base::ErrorKind::limit,
                         fmt::format("byte {}: nested deeper than {} levels", offset, depth));
  }
  if (code) {
    const auto& refusal = parser.handler().refusal();
    return base::failure(
        base::ErrorKind::invalid,
        fmt::format("byte {}: {}", offset, refusal.empty() ? code.message() : refusal));
  }
  if (offset != text.size()) {
    return base::failure(base::ErrorKind::invalid,
                         fmt::format("byte {}: text after the end of the value", offset));
  }
  return parser.handler().take();
}

}  // namespace

base::Result<Value> parse(std::string_view text, Bounds bounds) {
  if (text.size() > bounds.size) {
    return base::failure(
        base::ErrorKind::limit,
        fmt::format("{} bytes of JSON, more than {} are not read", text.size(), bounds.size));
  }
  try {
    return read(text, bounds.depth);
  } catch (const std::exception& exception) {
    return base::failure(base::ErrorKind::internal,
                         fmt::format("reading JSON: {}", exception.what()));
  }
}

}  // namespace assent::json
