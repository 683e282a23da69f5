#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "base/utf8.h"
#include "json/number.h"
#include "json/quote.h"
#include "json/value.h"

namespace assent::json {
namespace {

// A key or text of this many bytes still fits a message.
constexpr std::size_t quoted_max = 64;

using Member = boost::json::key_value_pair;

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
  }
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
}

void append_text(std::string& out, std::string_view text) {
  out += '"';
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out += text.substr(at, end - at);
    if (end == text.size()) break;
    if (static_cast<unsigned char>(text[end]) < 0x80) {
      append_escape(out, text[end]);
      at = end + 1;
      continue;
    }
    const auto character = base::decode_utf8(text.substr(end));
    out += character.valid ? text.substr(end, character.size) : base::replacement_text;
    at = end + character.size;
  }
  out += '"';
}

// The order of UTF-16 code units on UTF-8 text. It differs from the order of bytes in one place
// only: U+E000 to U+FFFF (lead bytes EE and EF) come after the surrogate pairs (F0 to F4).
bool utf16_less(std::string_view left, std::string_view right) {
  const auto [at, other] = std::ranges::mismatch(left, right);
  if (at == left.end() || other == right.end()) return left.size() < right.size();
  const auto rank = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0xee || byte == 0xef ? byte + 0x10U : byte;
  };
  return rank(*at) < rank(*other);
}

void append_value(std::string& out, const Value& value);

void append_object(std::string& out, const Object& object) {
  std::vector<const Member*> members;
  members.reserve(object.size());
  for (const Member& member : object) members.push_back(&member);
  std::ranges::sort(members, utf16_less,
                    [](const Member* member) { return std::string_view(member->key()); });
  out += '{';
  for (const Member* member : members) {
    if (member != members.front()) out += ',';
    append_text(out, member->key());
    out += ':';
    append_value(out, member->value());
  }
  out += '}';
}

void append_array(std::string& out, const Array& array) {
  out += '[';
  for (const Value& element : array) {
    if (&element != array.begin()) out += ',';
    append_value(out, element);
  }
  out += ']';
}

void append_finite(std::string& out, double number) {
  if (!std::isfinite(number)) {
    MUST(base::Result<void>(
        base::failure(base::ErrorKind::internal, "a number that is not finite has no JSON form")));
  }
  append_number(out, number);
}

void append_value(std::string& out, const Value& value) {
  using boost::json::kind;
  switch (value.kind()) {
    case kind::null: out += "null"; return;
    case kind::bool_: out += value.get_bool() ? "true" : "false"; return;
    case kind::int64: append_number(out, static_cast<double>(value.get_int64())); return;
    case kind::uint64: append_number(out, static_cast<double>(value.get_uint64())); return;
    case kind::double_: append_finite(out, value.get_double()); return;
    case kind::string: append_text(out, value.get_string()); return;
    case kind::array: append_array(out, value.get_array()); return;
    case kind::object: append_object(out, value.get_object()); return;
  }
}

}  // namespace

std::string write(const Value& value) {
  std::string out;
  append_value(out, value);
  return out;
}

std::string write_text(std::string_view text) {
  std::string out;
  append_text(out, text);
  return out;
}

std::string quote(std::string_view text) {
  std::string out;
  if (text.size() <= quoted_max) {
    append_text(out, text);
    return out;
  }
  std::size_t end = quoted_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80) --end;
  append_text(out, text.substr(0, end));
  return out + "…";
}

}  // namespace assent::json
