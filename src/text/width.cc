#include "text/width.h"

#include <utf8proc.h>

#include "text/utf8.h"

namespace assent::text {
namespace {

constexpr char32_t zero_width_joiner = 0x200d;
// No character of a script in use is wider. Some code points may be chained into one without end (a
// Hangul first consonant, for instance); such a chain is divided, so that it wraps.
constexpr std::size_t most_columns = 8;

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::size_t columns_of(char32_t point) {
  return static_cast<std::size_t>(::utf8proc_charwidth(static_cast<utf8proc_int32_t>(point)));
}

bool is_skin_tone(char32_t point) { return point >= 0x1f3fb && point <= 0x1f3ff; }

// The vowels and finals of a Hangul syllable in parts: drawn inside its first consonant.
bool is_jamo_behind_first(char32_t point) {
  return (point >= 0x1160 && point <= 0x11ff) || (point >= 0xd7b0 && point <= 0xd7ff);
}

// Whether `point`, inside a character, is drawn beside what stands before it.
bool adds_columns(char32_t before, char32_t point) {
  return before != zero_width_joiner && !is_skin_tone(point) && !is_jamo_behind_first(point);
}

}  // namespace

Character first_character(std::string_view text) {
  if (is_ascii(text[0]) && (text.size() == 1 || is_ascii(text[1]))) {
    return {1, columns_of(static_cast<unsigned char>(text[0]))};
  }
  const Decoded first = decode(text);
  Character character{first.size, columns_of(first.point)};
  char32_t before = first.point;
  utf8proc_int32_t state = 0;
  while (character.size < text.size()) {
    const Decoded next = decode(text.substr(character.size));
    if (::utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(before),
                                           static_cast<utf8proc_int32_t>(next.point),
                                           &state) != 0) {
      break;
    }
    if (adds_columns(before, next.point)) {
      const std::size_t added = columns_of(next.point);
      if (character.columns + added > most_columns) break;
      character.columns += added;
    }
    character.size += next.size;
    before = next.point;
  }
  return character;
}

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    columns += next.columns;
    text.remove_prefix(next.size);
  }
  return columns;
}

std::string_view cut_columns(std::string_view text, std::size_t columns) {
  std::size_t end = 0;
  while (end < text.size()) {
    const Character next = first_character(text.substr(end));
    if (next.columns > columns) break;
    columns -= next.columns;
    end += next.size;
  }
  return text.substr(0, end);
}

std::vector<std::string_view> wrap(std::string_view line, std::size_t columns) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;  // of the piece
  std::size_t at = 0;
  std::size_t used = 0;
  std::size_t opportunity = 0;  // behind the last character of the piece that a break may follow
  while (at < line.size()) {
    const Character next = first_character(line.substr(at));
    if (at > start && used + next.columns > columns) {
      at = opportunity > start ? opportunity : at;
      pieces.push_back(line.substr(start, at - start));
      start = opportunity = at;
      used = 0;
      continue;
    }
    used += next.columns;
    at += next.size;
    if (next.columns == 2 || line[at - 1] == ' ') opportunity = at;
  }
  pieces.push_back(line.substr(start));
  return pieces;
}

}  // namespace assent::text
