#pragma once
// Which lines of two texts an edit keeps: the search behind diff.h. Any thread.

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace assent::text {

// A line with its line end, if it has one, and a hash that makes unequal lines cheap to tell apart.
struct Line {
  std::string_view text;
  std::size_t hash = 0;

  explicit Line(std::string_view line) : text(line), hash(std::hash<std::string_view>{}(line)) {}
  bool operator==(const Line& other) const { return hash == other.hash && text == other.text; }
};

std::vector<Line> split_lines(std::string_view text);

// For each line whether the edit removes (before) or adds (after) it. The lines left over are the
// same on both sides, in the same order.
struct Edit {
  std::vector<bool> removed;
  std::vector<bool> added;
};

// The shortest edit as far as `steps` comparisons of the search reach; see diff.h.
Edit match_lines(std::span<const Line> before, std::span<const Line> after, std::size_t steps);

}  // namespace assent::text
