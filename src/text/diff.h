#pragma once
// What changes between two texts, by lines. Values are not escaped: who shows one does that. Any
// thread.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assent::text {

enum class LineKind : std::uint8_t { same, removed, added };

struct DiffLine {
  LineKind kind = LineKind::same;
  std::string text;   // without its line end
  bool ended = true;  // false: the text ends here without a line end

  bool operator==(const DiffLine&) const = default;
};

struct LineRange {
  std::size_t first = 0;  // counted from 1; of a range of no lines, the line before it or 0
  std::size_t count = 0;

  bool operator==(const LineRange&) const = default;
};

// Changes that stand together, with up to three equal lines before, between and after them.
struct Hunk {
  LineRange before;
  LineRange after;
  std::vector<DiffLine> lines;

  bool operator==(const Hunk&) const = default;
};

struct Diff {
  std::vector<Hunk> hunks;  // in order; none for equal texts
  std::size_t removed = 0;  // lines
  std::size_t added = 0;

  bool operator==(const Diff&) const = default;
};

// The shortest edit (Myers, 1986, in linear space). Its search ends after limits::diff_steps; what
// is not compared by then counts as replaced as a whole, which is longer but as right. Memory grows
// with the number of lines only. A line that differs by its line end alone is a change.
Diff diff_lines(std::string_view before, std::string_view after);

// As `diff -u` prints it and `patch` reads it, with the same path on both sides; empty for equal
// texts.
std::string to_unified(const Diff& diff, std::string_view path);

// Both in one step.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace assent::text
