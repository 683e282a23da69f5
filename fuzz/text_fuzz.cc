// Foreign text, shown: nothing a terminal acts on is left, no line gets beside its gutter, nothing
// is dropped on the way, and a diff adds up.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/diff.h"
#include "text/escape.h"
#include "text/gutter.h"
#include "text/utf8.h"
#include "text/width.h"

namespace {

using namespace assent;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_escape(std::string_view text, text::Keep keep) {
  const std::string shown = text::escape(text, keep);
  require(text::is_valid(shown));
  for (const char c : shown) {
    const bool kept = keep == text::Keep::lines && (c == '\n' || c == '\t');
    require(kept || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f));
  }
  require(text::escape(shown, keep) == shown);
}

void check_gutter(std::string_view text) {
  constexpr std::size_t columns = 20;
  const std::string shown = text::gutter(text, columns);
  std::string_view rest = shown;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    require(line.starts_with("│ ") || line.starts_with("┊ "));
    require(text::width(line) <= columns);
    rest.remove_prefix(line.size() + 1);
  }
}

void check_diff(std::string_view before, std::string_view after) {
  const text::Diff diff = text::diff_lines(before, after);
  require(diff.hunks.empty() == (before == after));
  std::size_t removed = 0;
  std::size_t added = 0;
  for (const text::Hunk& hunk : diff.hunks) {
    for (const text::DiffLine& line : hunk.lines) {
      removed += line.kind == text::LineKind::removed;
      added += line.kind == text::LineKind::added;
    }
  }
  require(removed == diff.removed && added == diff.added);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_escape(text, text::Keep::lines);
  check_escape(text, text::Keep::nothing);
  check_gutter(text);
  std::string joined;
  for (const std::string_view piece : text::wrap(text, 7)) joined += piece;
  require(joined == text);
  check_diff(text.substr(0, size / 2), text.substr(size / 2));
  return 0;
}
