#pragma once
// How much room text takes on a terminal, in columns. The text has no control characters: escape it
// first. A character is what a reader takes for one, with its marks and joined parts (an extended
// grapheme cluster, Unicode UAX 29). Any thread.

#include <cstddef>
#include <string_view>
#include <vector>

namespace assent::text {

struct Character {
  std::size_t size = 0;  // bytes
  std::size_t columns = 0;

  bool operator==(const Character&) const = default;
};

// The character that starts `text`, which is not empty.
[[nodiscard]] Character first_character(std::string_view text);

// Ideographs and emoji take two columns, marks and what joins none. A character of several code
// points takes their sum, except that a skin tone, what a zero-width joiner adds and the further
// parts of a Hangul syllable take none.
[[nodiscard]] std::size_t width(std::string_view text);

// The longest start of `text` that fits into `columns` and ends between characters.
[[nodiscard]] std::string_view cut_columns(std::string_view text, std::size_t columns);

// `line` in pieces of at most `columns`: behind a space or a wide character where there is one,
// else between any two characters. Nothing is dropped: the pieces put together are `line`. At least
// one piece; a character wider than `columns` has one for itself.
[[nodiscard]] std::vector<std::string_view> wrap(std::string_view line, std::size_t columns);

}  // namespace assent::text
