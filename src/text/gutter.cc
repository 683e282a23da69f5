#include "text/gutter.h"

#include <algorithm>
#include <vector>

#include "text/escape.h"
#include "text/width.h"

namespace assent::text {
namespace {

constexpr std::string_view first = "│ ";
constexpr std::string_view further = "┊ ";
constexpr std::size_t gutter_columns = 2;
constexpr std::size_t tab_columns = 8;
constexpr std::size_t least_columns = 2;  // the widest character has to fit beside the gutter

std::string expand_tabs(std::string_view line) {
  std::string out;
  std::size_t column = 0;
  while (true) {
    const std::size_t tab = line.find('\t');
    const std::string_view before = line.substr(0, tab);
    out += before;
    if (tab == std::string_view::npos) return out;
    column += width(before);
    const std::size_t blanks = tab_columns - column % tab_columns;
    out.append(blanks, ' ');
    column += blanks;
    line.remove_prefix(tab + 1);
  }
}

void append_line(std::string& out, std::string_view line, std::size_t columns) {
  const std::string shown = expand_tabs(escape(line, Keep::lines));
  const auto pieces =
      columns == not_wrapped
          ? std::vector<std::string_view>{shown}
          : wrap(shown, std::max(columns, gutter_columns + least_columns) - gutter_columns);
  for (const std::string_view piece : pieces) {
    out += piece.data() == shown.data() ? first : further;
    out += piece;
    out += '\n';
  }
}

}  // namespace

std::string gutter(std::string_view text, std::size_t columns) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    append_line(out, text.substr(0, end), columns);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace assent::text
