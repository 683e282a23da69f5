#include "text/escape.h"

#include <utf8proc.h>

#include <fmt/format.h>

#include "text/utf8.h"

namespace assent::text {
namespace {

// Marks in a row that a script in use needs; a longer pile covers the lines around it.
constexpr int most_marks = 8;

constexpr char32_t zero_width_joiner = 0x200d;

utf8proc_category_t category(char32_t point) {
  return ::utf8proc_category(static_cast<utf8proc_int32_t>(point));
}

bool is_variation_selector(char32_t point) {
  return (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef) ||
         (point >= 0x180b && point <= 0x180f);
}

// Letters, marks and symbols by their category that show nothing: the combining grapheme joiner,
// the Hangul fillers, two Khmer vowels and the empty Braille pattern.
bool is_blank(char32_t point) {
  switch (point) {
    case 0x034f:
    case 0x115f:
    case 0x1160:
    case 0x17b4:
    case 0x17b5:
    case 0x2800:
    case 0x3164:
    case 0xffa0: return true;
    default: return is_variation_selector(point);
  }
}

bool is_symbol(char32_t point) {
  return category(point) == UTF8PROC_CATEGORY_SO && !is_blank(point);
}

bool is_emoji_modifier(char32_t point) {
  static constexpr char32_t lightest = 0x1f3fb;
  static constexpr char32_t darkest = 0x1f3ff;
  return point >= lightest && point <= darkest;
}

void append_byte(std::string& out, char c) {
  fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
}

void append_escaped(std::string& out, char32_t point) {
  switch (point) {
    case '\n': out += "\\n"; return;
    case '\t': out += "\\t"; return;
    case '\r': out += "\\r"; return;
    default: break;
  }
  if (point < 0x80) return append_byte(out, static_cast<char>(point));
  fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", static_cast<unsigned>(point));
}

void append_bytes(std::string& out, std::string_view bytes) {
  for (const char c : bytes) append_byte(out, c);
}

// Decides on one character after the other; what it decides depends on those before.
class Escaper {
 public:
  explicit Escaper(Keep keep) : keep_(keep) {}

  std::string run(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
      const Decoded next = decode(text);
      const std::string_view bytes = text.substr(0, next.size);
      text.remove_prefix(next.size);
      if (!next.valid) {
        append_bytes(out, bytes);
        base(Before::base);
      } else if (stays(next.point, text)) {
        out += bytes;
      } else {
        append_escaped(out, next.point);
        base(Before::base);
      }
    }
    return out;
  }

 private:
  // What the last character was, as far as the next one depends on it.
  enum class Before : std::uint8_t { line_start, base, symbol };

  bool stays(char32_t point, std::string_view rest) {
    if (point >= 0x20 && point < 0x7f) return base(Before::base);
    if (point == '\n' || point == '\t') {
      return keep_ == Keep::lines && base(point == '\n' ? Before::line_start : Before::base);
    }
    switch (category(point)) {
      case UTF8PROC_CATEGORY_CC:
      case UTF8PROC_CATEGORY_CS:
      case UTF8PROC_CATEGORY_CO:
      case UTF8PROC_CATEGORY_CN:
      case UTF8PROC_CATEGORY_ZL:
      case UTF8PROC_CATEGORY_ZP: return false;
      case UTF8PROC_CATEGORY_CF: return point == zero_width_joiner && joins(rest);
      case UTF8PROC_CATEGORY_ZS:
        return (keep_ == Keep::lines || point == 0x3000) && base(Before::base);
      case UTF8PROC_CATEGORY_MN:
      case UTF8PROC_CATEGORY_MC:
      case UTF8PROC_CATEGORY_ME: return mark(point);
      default: break;
    }
    if (is_blank(point)) return false;
    if (is_emoji_modifier(point)) return base(before_ == Before::symbol ? before_ : Before::base);
    return base(is_symbol(point) ? Before::symbol : Before::base);
  }

  bool base(Before before) {
    before_ = before;
    marks_ = 0;
    return true;
  }

  bool mark(char32_t point) {
    if (point == 0xfe0e || point == 0xfe0f) {  // text or emoji presentation
      return keep_ == Keep::lines && before_ == Before::symbol && ++marks_ == 1;
    }
    if (is_blank(point) || before_ == Before::line_start || marks_ == most_marks) return false;
    ++marks_;
    return true;
  }

  // Whether a joiner stands between two symbols, where it makes one picture of them.
  [[nodiscard]] bool joins(std::string_view rest) const {
    return keep_ == Keep::lines && before_ == Before::symbol && !rest.empty() &&
           is_symbol(decode(rest).point);
  }

  Keep keep_;
  Before before_ = Before::line_start;
  int marks_ = 0;
};

}  // namespace

std::string escape(std::string_view text, Keep keep) { return Escaper(keep).run(text); }

std::string spell(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.valid) {
      append_escaped(out, next.point);
    } else {
      append_bytes(out, text.substr(0, next.size));
    }
    text.remove_prefix(next.size);
  }
  return out;
}

}  // namespace assent::text
