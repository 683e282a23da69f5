#include "base/utf8.h"

namespace assent::base {

Decoded decode_utf8(std::string_view text) {
  const auto byte = [text](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  if (lead < 0xc2 || lead > 0xf4) return {replacement_character, 1, false};
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  unsigned low = 0x80;
  unsigned high = 0xbf;
  if (lead == 0xe0) low = 0xa0;   // an overlong form
  if (lead == 0xed) high = 0x9f;  // a surrogate
  if (lead == 0xf0) low = 0x90;   // an overlong form
  if (lead == 0xf4) high = 0x8f;  // beyond U+10FFFF
  char32_t point = lead & (0x7fU >> length);
  for (std::size_t index = 1; index < length; ++index) {
    if (index == text.size() || byte(index) < low || byte(index) > high) {
      return {replacement_character, index, false};
    }
    point = point << 6 | (byte(index) & 0x3fU);
    low = 0x80;
    high = 0xbf;
  }
  return {point, length, true};
}

void append_utf8(std::string& out, char32_t point) {
  const auto tail = [&out, point](unsigned shift) {
    out += static_cast<char>(0x80U | (point >> shift & 0x3fU));
  };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0U | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0U | point >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace assent::base
