#pragma once
// Words in which letters of another alphabet stand for Latin ones they look like. Any thread.

#include <string>
#include <string_view>

namespace assent::text {

// Whether a word of `text` has Latin letters and letters of an alphabet that looks like it: Greek,
// Coptic, Cyrillic, Armenian or Cherokee. A word is a run of letters and their marks. A word that
// is of the other alphabet altogether is not found.
[[nodiscard]] bool mixes_scripts(std::string_view text);

// `text` with the letters of the other alphabet in such words visible, like p\u{430}ypal; the rest
// stays as it is.
std::string show_mixed_scripts(std::string_view text);

}  // namespace assent::text
