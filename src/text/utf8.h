#pragma once
// Text as UTF-8: cut only between characters, repaired where it is none. Any thread.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace assent::text {

using base::Decoded;

// The character that starts `text`, which is not empty.
inline Decoded decode(std::string_view text) { return base::decode_utf8(text); }

[[nodiscard]] bool is_valid(std::string_view text);

// Every ill-formed sequence replaced by U+FFFD; valid text comes back as it is.
std::string repair(std::string_view text);

// The longest start of `text` of at most `bytes` bytes that ends between characters.
std::string_view cut(std::string_view text, std::size_t bytes);

// The longest end of `text` of at most `bytes` bytes that starts between characters.
std::string_view cut_front(std::string_view text, std::size_t bytes);

// The first `characters` characters of `text`; an ill-formed sequence counts as one.
std::string_view cut_characters(std::string_view text, std::size_t characters);

// `text` itself where it has at most `limit` bytes; else its head and its tail, at most half of
// `limit` each, with a line between them that says how many bytes are left out. That line comes on
// top of `limit`.
std::string cut_middle(std::string_view text, std::size_t limit);

}  // namespace assent::text
