#pragma once
// One character of UTF-8 text. Any thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace assent::base {

inline constexpr char32_t replacement_character = 0xfffd;
inline constexpr std::string_view replacement_text = "\xef\xbf\xbd";

struct Decoded {
  char32_t point = replacement_character;  // also where the bytes are broken
  std::size_t size = 1;                    // bytes it takes, never 0
  bool valid = false;

  bool operator==(const Decoded&) const = default;
};

// The character that starts `text`, which is not empty. Bytes that are no UTF-8 (overlong forms,
// surrogates and what lies beyond U+10FFFF too) are taken together as far as they could have become
// a character: the "maximal subpart" of the Unicode Standard, section 3.9.
Decoded decode_utf8(std::string_view text);

// `point` is a Unicode scalar value.
void append_utf8(std::string& out, char32_t point);

}  // namespace assent::base
