#include "text/escape.h"

#include <utf8proc.h>

#include <fmt/format.h>

#include "text/utf8.h"

namespace assent::text {
namespace {

bool is_hidden(char32_t point) {
  switch (::utf8proc_category(static_cast<utf8proc_int32_t>(point))) {
    case UTF8PROC_CATEGORY_CC:  // controls
    case UTF8PROC_CATEGORY_CF:  // format: bidirectional controls, zero width, tags
    case UTF8PROC_CATEGORY_CS:  // surrogates
    case UTF8PROC_CATEGORY_CO:  // private use
    case UTF8PROC_CATEGORY_CN:  // not assigned
    case UTF8PROC_CATEGORY_ZL:  // line separator
    case UTF8PROC_CATEGORY_ZP: return true;
    default: break;
  }
  // Blank but no space: fillers and the combining grapheme joiner; variation selectors.
  return point == 0x034F || point == 0x115F || point == 0x1160 || point == 0x3164 ||
         point == 0xFFA0 || (point >= 0xFE00 && point <= 0xFE0F) ||
         (point >= 0xE0100 && point <= 0xE01EF);
}

void append_escaped(std::string& out, char32_t point) {
  switch (point) {
    case '\n': out += "\\n"; break;
    case '\t': out += "\\t"; break;
    case '\r': out += "\\r"; break;
    default:
      out += point < 0x100 ? fmt::format("\\x{:02x}", static_cast<unsigned>(point))
                           : fmt::format("\\u{{{:x}}}", static_cast<unsigned>(point));
  }
}

}  // namespace

std::string escape(std::string_view text, Keep keep) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    const bool kept = keep == Keep::lines && (next.point == U'\n' || next.point == U'\t');
    if (!next.valid) {
      for (const char c : text.substr(0, next.size)) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
      }
    } else if (!kept && is_hidden(next.point)) {
      append_escaped(out, next.point);
    } else {
      out += text.substr(0, next.size);
    }
    text.remove_prefix(next.size);
  }
  return out;
}

std::string gutter(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out += "│ " + escape(text.substr(0, end), Keep::lines) + "\n";
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

bool mixes_scripts(std::string_view text) {
  bool latin = false;
  bool other = false;
  while (!text.empty()) {
    const Decoded next = decode(text);
    text.remove_prefix(next.size);
    const char32_t p = next.point;
    const auto category = ::utf8proc_category(static_cast<utf8proc_int32_t>(p));
    const bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
    if (!letter) {
      latin = other = false;  // a new word
      continue;
    }
    latin = latin || p < 0x250;
    other = other || (p >= 0x370 && p < 0x530);  // Greek and Cyrillic
    if (latin && other) return true;
  }
  return false;
}

}  // namespace assent::text
