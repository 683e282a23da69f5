#include "json/value.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>
#include <boost/json/basic_parser_impl.hpp>

namespace assent::json {
namespace {

using base::ErrorKind;
using base::failure;
using base::Result;

// --- duplicate keys ------------------------------------------------------------------------------

// Boost.JSON keeps the last of two equal keys; a value with fewer members than the text had keys
// shows it. Counted by a second handler that sees every key.
class KeyCounter {
 public:
  struct Handler {
    static constexpr std::size_t max_object_size = std::size_t(-1);
    static constexpr std::size_t max_array_size = std::size_t(-1);
    static constexpr std::size_t max_key_size = std::size_t(-1);
    static constexpr std::size_t max_string_size = std::size_t(-1);
    std::size_t keys = 0;
    using code = boost::json::error_code;
    using text = boost::json::string_view;
    bool on_document_begin(code&) { return true; }
    bool on_document_end(code&) { return true; }
    bool on_array_begin(code&) { return true; }
    bool on_array_end(std::size_t, code&) { return true; }
    bool on_object_begin(code&) { return true; }
    bool on_object_end(std::size_t, code&) { return true; }
    bool on_string_part(text, std::size_t, code&) { return true; }
    bool on_string(text, std::size_t, code&) { return true; }
    bool on_key_part(text, std::size_t, code&) { return true; }
    bool on_key(text, std::size_t, code&) {
      ++keys;
      return true;
    }
    bool on_number_part(text, code&) { return true; }
    bool on_int64(std::int64_t, text, code&) { return true; }
    bool on_uint64(std::uint64_t, text, code&) { return true; }
    bool on_double(double, text, code&) { return true; }
    bool on_bool(bool, code&) { return true; }
    bool on_null(code&) { return true; }
    bool on_comment_part(text, code&) { return true; }
    bool on_comment(text, code&) { return true; }
  };
};

// The number of members in all objects of `value`, and whether all its numbers are finite.
struct Census {
  std::size_t members = 0;
  bool finite = true;
  void take(const Value& value) {
    if (const auto* object = value.if_object()) {
      members += object->size();
      for (const auto& member : *object) take(member.value());
    } else if (const auto* array = value.if_array()) {
      for (const auto& element : *array) take(element);
    } else if (const auto* number = value.if_double()) {
      finite = finite && std::isfinite(*number);
    }
  }
};

// --- the canonical form --------------------------------------------------------------------------

// Whether `a` sorts before `b` by UTF-16 code units. Both are valid UTF-8. Code points above U+FFFF
// (lead bytes F0 …) are surrogates D800 … DFFF in UTF-16 and so sort before U+E000 … U+FFFF.
bool utf16_less(std::string_view a, std::string_view b) {
  const auto [x, y] = std::ranges::mismatch(a, b);
  if (x == a.end() || y == b.end()) return x == a.end() && y != b.end();
  const auto lead = static_cast<unsigned char>(*x);
  const auto other = static_cast<unsigned char>(*y);
  const bool high = lead >= 0xF0;
  const bool other_high = other >= 0xF0;
  if (high != other_high && lead >= 0xEE && other >= 0xEE) return high;
  return lead < other;
}

void write_text(std::string& out, std::string_view text) {
  static constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += digits[static_cast<unsigned char>(c) >> 4];
          out += digits[static_cast<unsigned char>(c) & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

// ECMAScript's Number::toString (ECMA-262, 6.1.6.1.20), from the shortest digits that round-trip.
void write_double(std::string& out, double number) {
  if (number == 0) {
    out += '0';
    return;
  }
  if (number < 0) out += '-';
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::fabs(number),
                                 std::chars_format::scientific)
                       .ptr;
  const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
  const auto e = text.find('e');
  std::string digits(1, text[0]);
  if (e > 2) digits += text.substr(2, e - 2);
  const int exponent = std::atoi(text.substr(e + 1).data());
  const int count = static_cast<int>(digits.size());
  const int point = exponent + 1;  // digits before the decimal point
  if (count <= point && point <= 21) {
    out += digits;
    out.append(static_cast<std::size_t>(point - count), '0');
  } else if (0 < point && point <= 21) {
    out += digits.substr(0, static_cast<std::size_t>(point));
    out += '.';
    out += digits.substr(static_cast<std::size_t>(point));
  } else if (-6 < point && point <= 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-point), '0');
    out += digits;
  } else {
    out += digits[0];
    if (count > 1) out += '.' + digits.substr(1);
    out += fmt::format("e{}{}", exponent < 0 ? '-' : '+', std::abs(exponent));
  }
}

template <class Integer>
void write_integer(std::string& out, Integer number) {
  static constexpr std::uint64_t exact = 1ULL << 53;
  const auto magnitude = number < 0 ? std::uint64_t(0) - static_cast<std::uint64_t>(number)
                                    : static_cast<std::uint64_t>(number);
  if (magnitude <= exact) {
    fmt::format_to(std::back_inserter(out), "{}", number);
  } else {
    write_double(out, static_cast<double>(number));
  }
}

void write_value(std::string& out, const Value& value);

void write_object(std::string& out, const Object& object) {
  std::vector<const boost::json::key_value_pair*> members;
  members.reserve(object.size());
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members,
                    [](const auto* a, const auto* b) { return utf16_less(a->key(), b->key()); });
  out += '{';
  for (const auto* member : members) {
    if (member != members.front()) out += ',';
    write_text(out, member->key());
    out += ':';
    write_value(out, member->value());
  }
  out += '}';
}

void write_value(std::string& out, const Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null: out += "null"; break;
    case boost::json::kind::bool_: out += value.get_bool() ? "true" : "false"; break;
    case boost::json::kind::int64: write_integer(out, value.get_int64()); break;
    case boost::json::kind::uint64: write_integer(out, value.get_uint64()); break;
    case boost::json::kind::double_: write_double(out, value.get_double()); break;
    case boost::json::kind::string: write_text(out, value.get_string()); break;
    case boost::json::kind::array: {
      out += '[';
      bool first = true;
      for (const auto& element : value.get_array()) {
        if (!first) out += ',';
        first = false;
        write_value(out, element);
      }
      out += ']';
      break;
    }
    case boost::json::kind::object: write_object(out, value.get_object()); break;
  }
}

}  // namespace

Result<Value> parse(std::string_view text, Bounds bounds) {
  if (text.size() > bounds.size) {
    return failure(ErrorKind::limit,
                   fmt::format("JSON of {} bytes; at most {} are read", text.size(), bounds.size));
  }
  const boost::json::parse_options options{};
  boost::json::parse_options limited = options;
  limited.max_depth = bounds.depth;
  boost::json::stream_parser parser(boost::json::storage_ptr(), limited);
  boost::json::error_code code;
  const std::size_t read = parser.write_some(text.data(), text.size(), code);
  if (!code && read == text.size()) parser.finish(code);
  if (!code && read != text.size()) code = boost::json::error::extra_data;
  if (code) {
    const bool deep = code == boost::json::error::too_deep;
    return failure(deep ? ErrorKind::limit : ErrorKind::invalid,
                   fmt::format("JSON error at byte {}: {}", read, code.message()));
  }
  Value value = parser.release();
  boost::json::basic_parser<KeyCounter::Handler> counter(limited);
  counter.write_some(false, text.data(), text.size(), code);
  Census census;
  census.take(value);
  if (counter.handler().keys != census.members) {
    return failure(ErrorKind::invalid, "JSON error: a key occurs twice in one object");
  }
  if (!census.finite) return failure(ErrorKind::invalid, "JSON error: a number is out of range");
  return value;
}

std::string write(const Value& value) {
  std::string out;
  write_value(out, value);
  return out;
}

std::string quote(std::string_view text) {
  std::string out;
  write_text(out, text);
  return out;
}

}  // namespace assent::json
