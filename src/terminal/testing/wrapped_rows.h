#pragma once
// What stands in the rows of a terminal that wraps by itself.

#include <string>
#include <string_view>
#include <vector>

#include "text/width.h"

namespace assent::terminal::testing {

inline std::vector<std::string> wrapped_rows(std::string_view text, std::size_t columns) {
  std::vector<std::string> rows{""};
  std::size_t used = 0;
  while (!text.empty()) {
    const text::Character next = text::first_character(text);
    const std::string_view bytes = text.substr(0, next.size);
    if (bytes == "\n") {
      rows.emplace_back();
      used = 0;
    } else {
      if (used > 0 && used + next.columns > columns) {
        rows.emplace_back();
        used = 0;
      }
      rows.back() += bytes;
      used += next.columns;
    }
    text.remove_prefix(next.size);
  }
  return rows;
}

}  // namespace assent::terminal::testing
