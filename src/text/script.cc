#include "text/script.h"

#include <algorithm>
#include <cstdint>

#include <utf8proc.h>

#include <fmt/format.h>

#include "text/utf8.h"

namespace assent::text {
namespace {

enum class Script : std::uint8_t { latin, look_alike, other };

struct Range {
  char32_t first;
  char32_t last;
  Script script;
};

// Blocks of the Unicode Standard, in order; code points in them that are no letters do no harm.
constexpr Range ranges[] = {
    {'A', 'Z', Script::latin},
    {'a', 'z', Script::latin},
    {0x00aa, 0x00aa, Script::latin},
    {0x00ba, 0x00ba, Script::latin},
    {0x00c0, 0x02b8, Script::latin},
    {0x0370, 0x052f, Script::look_alike},  // Greek, Coptic, Cyrillic
    {0x0531, 0x058f, Script::look_alike},  // Armenian
    {0x13a0, 0x13ff, Script::look_alike},  // Cherokee
    {0x1c80, 0x1c8f, Script::look_alike},  // Cyrillic
    {0x1e00, 0x1eff, Script::latin},
    {0x1f00, 0x1fff, Script::look_alike},  // Greek
    {0x2c60, 0x2c7f, Script::latin},
    {0x2c80, 0x2cff, Script::look_alike},  // Coptic
    {0xa640, 0xa69f, Script::look_alike},  // Cyrillic
    {0xa722, 0xa7ff, Script::latin},
    {0xab30, 0xab64, Script::latin},
    {0xab70, 0xabbf, Script::look_alike},  // Cherokee
    {0xff21, 0xff3a, Script::latin},
    {0xff41, 0xff5a, Script::latin},
};

Script script_of(char32_t point) {
  const auto* const range = std::ranges::lower_bound(ranges, point, {}, &Range::last);
  return range != std::end(ranges) && point >= range->first ? range->script : Script::other;
}

bool in_word(char32_t point) {
  const auto category = ::utf8proc_category(static_cast<utf8proc_int32_t>(point));
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME;
}

struct Word {
  std::string_view text;
  bool mixed = false;
};

// The word that starts `text`, or its first character where that is in none.
Word next_word(std::string_view text) {
  std::size_t end = 0;
  bool latin = false;
  bool look_alike = false;
  while (end < text.size()) {
    const Decoded next = decode(text.substr(end));
    if (!next.valid || !in_word(next.point)) break;
    const Script script = script_of(next.point);
    latin = latin || script == Script::latin;
    look_alike = look_alike || script == Script::look_alike;
    end += next.size;
  }
  if (end == 0) end = decode(text).size;
  return {text.substr(0, end), latin && look_alike};
}

void append_shown(std::string& out, std::string_view word) {
  while (!word.empty()) {
    const Decoded next = decode(word);
    if (script_of(next.point) == Script::look_alike) {
      fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", static_cast<unsigned>(next.point));
    } else {
      out += word.substr(0, next.size);
    }
    word.remove_prefix(next.size);
  }
}

}  // namespace

bool mixes_scripts(std::string_view text) {
  while (!text.empty()) {
    const Word word = next_word(text);
    if (word.mixed) return true;
    text.remove_prefix(word.text.size());
  }
  return false;
}

std::string show_mixed_scripts(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Word word = next_word(text);
    if (word.mixed) {
      append_shown(out, word.text);
    } else {
      out += word.text;
    }
    text.remove_prefix(word.text.size());
  }
  return out;
}

}  // namespace assent::text
