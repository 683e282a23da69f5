#pragma once
// Text as UTF-8: cut only between characters, repaired where it is none. Any thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace assent::text {

// One character of `text` from its start: its code point and its bytes; an ill-formed sequence is
// one U+FFFD for each maximal subpart (Unicode, section 3.9). `text` must not be empty.
struct Decoded {
  char32_t point = 0;
  std::size_t size = 1;
  bool valid = true;
};
Decoded decode(std::string_view text);

void append(std::string& out, char32_t point);

// Every ill-formed sequence replaced by U+FFFD.
std::string repair(std::string_view text);

// The longest start of `text` of at most `bytes` bytes that ends between characters.
std::string_view cut(std::string_view text, std::size_t bytes);

// `text` itself where it has at most `limit` bytes; else its head and its tail, about half of
// `limit` each, with a line between them that says how many bytes are left out.
std::string cut_middle(std::string_view text, std::size_t limit);

}  // namespace assent::text
