#pragma once
// Text of others beside our own on a terminal. Any thread.

#include <cstddef>
#include <string>
#include <string_view>

namespace assent::text {

// For output that is no terminal: lines stay as long as they are.
inline constexpr std::size_t not_wrapped = 0;

// Every line of `text`, escaped (Keep::lines), behind "│ ", so that nothing in it can look like a
// prompt of ours. A line longer than `columns` (the gutter's two included) goes on behind "┊ ": on
// a terminal the caller passes its width, because what the terminal itself wraps starts at the left
// edge without a gutter. Tabs become spaces up to the next eighth column of the text. Each line of
// the result ends with a line end; an empty text has none.
std::string gutter(std::string_view text, std::size_t columns = not_wrapped);

}  // namespace assent::text
