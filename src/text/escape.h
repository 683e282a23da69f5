#pragma once
// Text from a model, a tool or a file, made safe to show: what a terminal or a reader's eye could
// take for something else becomes visible. Any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace assent::text {

// What stays as it is: line ends and tabs, or nothing.
enum class Keep : std::uint8_t { lines, nothing };

// Control characters (C0, DEL, C1), bidirectional controls, zero-width and other invisible
// characters, tag characters, private use and ill-formed bytes come out as \n, \x1b or \u{202e}; a
// backslash stays as it is.
std::string escape(std::string_view text, Keep keep);

// Every line of `text`, escaped, behind "│ ": text of others cannot look like a prompt of ours.
std::string gutter(std::string_view text);

// Whether a word mixes Latin letters with Cyrillic or Greek ones, as a look-alike of a name would.
bool mixes_scripts(std::string_view text);

}  // namespace assent::text
