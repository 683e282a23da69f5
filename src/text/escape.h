#pragma once
// Text from a model, a tool or a file, made safe to show: what a terminal or a reader's eye could
// take for something else becomes visible. Any thread.

#include <cstdint>
#include <string>
#include <string_view>

namespace assent::text {

enum class Keep : std::uint8_t {
  lines,    // of a text: line ends, tabs, typographic spaces and what joins an emoji stay
  nothing,  // of what somebody decides on, or of one line: they become visible too
};

// Comes out visible: control characters (C0, DEL, C1), bidirectional controls, zero-width and other
// invisible characters, tag characters, variation selectors, private use and unassigned code
// points, spaces that are none of U+0020 and U+3000, and combining marks that have no base on their
// line or follow too many others. They read \n, \r, \t, \x1b (C0, DEL), \u{202e}; a byte that is no
// UTF-8 reads \xff. A backslash stays as it is. What is escaped once is not changed by doing so
// again.
std::string escape(std::string_view text, Keep keep);

// Every character of `text` as such an escape, printable ones too: \x41, \u{6f22}.
std::string spell(std::string_view text);

// `text` as one line in which every line end and tab is visible.
inline std::string single_line(std::string_view text) { return escape(text, Keep::nothing); }

}  // namespace assent::text
