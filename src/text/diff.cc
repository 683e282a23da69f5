#include "text/diff.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace assent::text {
namespace {

constexpr std::size_t context = 3;
// Edits beyond this make the search quadratic in time and memory.
constexpr int most_edits = 1000;

using Lines = std::vector<std::string_view>;  // each with its line end, if it has one

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

enum class Kind : char { same = ' ', removed = '-', added = '+' };
struct Step {
  Kind kind;
  std::string_view line;
};

// The edit from `a` to `b`, or nothing where it is longer than the bound.
std::vector<Step> myers(std::span<const std::string_view> a, std::span<const std::string_view> b) {
  const int n = static_cast<int>(a.size());
  const int m = static_cast<int>(b.size());
  const int most = std::min(n + m, most_edits);
  const auto slot = [&](int k) { return static_cast<std::size_t>(k + most + 1); };
  std::vector<int> reach(static_cast<std::size_t>(2 * most + 3), 0);
  std::vector<std::vector<int>> trace;
  const auto goes_down = [&](const std::vector<int>& v, int k, int d) {
    return k == -d || (k != d && v[slot(k - 1)] < v[slot(k + 1)]);
  };
  int found = -1;
  for (int d = 0; d <= most && found < 0; ++d) {
    trace.push_back(reach);
    for (int k = -d; k <= d; k += 2) {
      int x = goes_down(reach, k, d) ? reach[slot(k + 1)] : reach[slot(k - 1)] + 1;
      while (x < n && x - k < m &&
             a[static_cast<std::size_t>(x)] == b[static_cast<std::size_t>(x - k)]) {
        ++x;
      }
      reach[slot(k)] = x;
      if (x >= n && x - k >= m) {
        found = d;
        break;
      }
    }
  }
  if (found < 0) return {};
  std::vector<Step> steps;
  int x = n;
  int y = m;
  for (int d = found; d >= 0; --d) {
    const auto& v = trace[static_cast<std::size_t>(d)];
    const int k = x - y;
    const int before_k = goes_down(v, k, d) ? k + 1 : k - 1;
    const int before_x = d == 0 ? 0 : v[slot(before_k)];
    const int before_y = d == 0 ? 0 : before_x - before_k;
    while (x > before_x && y > before_y) {
      steps.push_back({Kind::same, a[static_cast<std::size_t>(--x)]});
      --y;
    }
    if (d == 0) break;
    if (x == before_x) {
      steps.push_back({Kind::added, b[static_cast<std::size_t>(--y)]});
    } else {
      steps.push_back({Kind::removed, a[static_cast<std::size_t>(--x)]});
    }
  }
  std::ranges::reverse(steps);
  return steps;
}

std::vector<Step> edit(const Lines& a, const Lines& b) {
  std::size_t start = 0;
  while (start < a.size() && start < b.size() && a[start] == b[start]) ++start;
  std::size_t end = 0;
  while (end < a.size() - start && end < b.size() - start &&
         a[a.size() - 1 - end] == b[b.size() - 1 - end]) {
    ++end;
  }
  const std::span middle_a(a.begin() + static_cast<std::ptrdiff_t>(start), a.size() - start - end);
  const std::span middle_b(b.begin() + static_cast<std::ptrdiff_t>(start), b.size() - start - end);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < start; ++i) steps.push_back({Kind::same, a[i]});
  auto middle = myers(middle_a, middle_b);
  if (middle.empty()) {
    for (const auto line : middle_a) middle.push_back({Kind::removed, line});
    for (const auto line : middle_b) middle.push_back({Kind::added, line});
  }
  steps.insert(steps.end(), middle.begin(), middle.end());
  for (std::size_t i = a.size() - end; i < a.size(); ++i) steps.push_back({Kind::same, a[i]});
  return steps;
}

void append_line(std::string& out, const Step& step) {
  out += static_cast<char>(step.kind);
  out += step.line;
  if (step.line.empty() || step.line.back() != '\n') out += "\n\\ No newline at end of file\n";
}

std::string range(std::size_t first, std::size_t count) {
  // A range of no lines is named by the line before it.
  return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

}  // namespace

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const Lines a = split(before);
  const Lines b = split(after);
  const auto steps = edit(a, b);
  std::string out = fmt::format("--- {}\n+++ {}\n", path, path);
  std::size_t line_a = 0;
  std::size_t line_b = 0;
  for (std::size_t i = 0; i < steps.size();) {
    const auto changed = [](const Step& s) { return s.kind != Kind::same; };
    const auto next =
        std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(i), steps.end(), changed);
    if (next == steps.end()) break;
    const auto at = static_cast<std::size_t>(next - steps.begin());
    const std::size_t from = at - std::min(at - i, context);
    line_a += from - i;
    line_b += from - i;
    // The hunk ends where more than two contexts of equal lines follow.
    std::size_t to = at;
    std::size_t same = 0;
    for (std::size_t j = at; j < steps.size() && same <= 2 * context; ++j) {
      same = changed(steps[j]) ? 0 : same + 1;
      if (same == 0) to = j + 1;
    }
    to = std::min(to + context, steps.size());
    std::string body;
    std::size_t count_a = 0;
    std::size_t count_b = 0;
    for (std::size_t j = from; j < to; ++j) {
      append_line(body, steps[j]);
      count_a += steps[j].kind != Kind::added;
      count_b += steps[j].kind != Kind::removed;
    }
    out += fmt::format("@@ -{} +{} @@\n{}", range(line_a, count_a), range(line_b, count_b), body);
    line_a += count_a;
    line_b += count_b;
    i = to;
  }
  return out;
}

}  // namespace assent::text
