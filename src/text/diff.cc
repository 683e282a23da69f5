#include "text/diff.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.h"
#include "text/escape.h"
#include "text/line_match.h"

namespace assent::text {
namespace {

constexpr std::size_t context = 3;

DiffLine diff_line(LineKind kind, std::string_view line) {
  const bool ended = line.ends_with('\n');
  if (ended) line.remove_suffix(1);
  return {kind, std::string(line), ended};
}

// Walks both texts along the edit and cuts the hunks out.
class HunkBuilder {
 public:
  HunkBuilder(std::span<const Line> before, std::span<const Line> after, const Edit& edit)
      : before_(before), after_(after), edit_(edit) {}

  Diff run() {
    while (true) {
      while (at_same()) step();
      if (at_end()) return std::move(diff_);
      hunk();
    }
  }

 private:
  [[nodiscard]] bool at_end() const { return old_ == before_.size() && new_ == after_.size(); }
  [[nodiscard]] bool at_removed() const { return old_ < before_.size() && edit_.removed[old_]; }
  [[nodiscard]] bool at_added() const { return new_ < after_.size() && edit_.added[new_]; }
  [[nodiscard]] bool at_same() const { return !at_end() && !at_removed() && !at_added(); }

  void step() {
    ++old_;
    ++new_;
  }

  // From the first change on, with the context before it, up to where more than two contexts of
  // equal lines follow.
  void hunk() {
    Hunk hunk;
    const std::size_t lead = std::min(context, old_ - hunk_end_);
    const std::size_t old_start = old_ - lead;
    const std::size_t new_start = new_ - lead;
    for (std::size_t index = old_start; index < old_; ++index) keep(hunk, index);
    while (true) {
      changes(hunk);
      const std::size_t equal = equal_ahead(2 * context + 1);
      const bool ends = at_end_after(equal) || equal > 2 * context;
      const std::size_t shown = ends ? std::min(equal, context) : equal;
      for (std::size_t count = 0; count < shown; ++count, step()) keep(hunk, old_);
      if (ends) break;
    }
    hunk_end_ = old_;
    hunk.before = range(old_start, old_);
    hunk.after = range(new_start, new_);
    diff_.hunks.push_back(std::move(hunk));
  }

  void keep(Hunk& hunk, std::size_t index) {
    hunk.lines.push_back(diff_line(LineKind::same, before_[index].text));
  }

  void changes(Hunk& hunk) {
    while (at_removed() || at_added()) {
      for (; at_removed(); ++old_, ++diff_.removed) {
        hunk.lines.push_back(diff_line(LineKind::removed, before_[old_].text));
      }
      for (; at_added(); ++new_, ++diff_.added) {
        hunk.lines.push_back(diff_line(LineKind::added, after_[new_].text));
      }
    }
  }

  // How many equal lines follow, counted up to `most`.
  [[nodiscard]] std::size_t equal_ahead(std::size_t most) const {
    std::size_t count = 0;
    while (count < most && old_ + count < before_.size() && !edit_.removed[old_ + count] &&
           !edit_.added[new_ + count]) {
      ++count;
    }
    return count;
  }

  [[nodiscard]] bool at_end_after(std::size_t count) const {
    return old_ + count == before_.size() && new_ + count == after_.size();
  }

  static LineRange range(std::size_t start, std::size_t end) {
    return {start == end ? start : start + 1, end - start};
  }

  std::span<const Line> before_;
  std::span<const Line> after_;
  const Edit& edit_;
  std::size_t old_ = 0;
  std::size_t new_ = 0;
  std::size_t hunk_end_ = 0;  // in the old text, of the last hunk
  Diff diff_;
};

char mark(LineKind kind) {
  switch (kind) {
    case LineKind::removed: return '-';
    case LineKind::added: return '+';
    case LineKind::same: break;
  }
  return ' ';
}

}  // namespace

Diff diff_lines(std::string_view before, std::string_view after) {
  const auto old_lines = split_lines(before);
  const auto new_lines = split_lines(after);
  const Edit edit = match_lines(old_lines, new_lines, base::limits::diff_steps);
  return HunkBuilder(old_lines, new_lines, edit).run();
}

std::string to_unified(const Diff& diff, std::string_view path) {
  if (diff.hunks.empty()) return {};
  const std::string name = single_line(path);  // a line end in it would forge lines
  std::string out = fmt::format("--- {}\n+++ {}\n", name, name);
  for (const Hunk& hunk : diff.hunks) {
    out += fmt::format("@@ -{},{} +{},{} @@\n", hunk.before.first, hunk.before.count,
                       hunk.after.first, hunk.after.count);
    for (const DiffLine& line : hunk.lines) {
      out += mark(line.kind);
      out += line.text;
      out += line.ended ? "\n" : "\n\\ No newline at end of file\n";
    }
  }
  return out;
}

std::string unified_diff(std::string_view path, std::string_view before, std::string_view after) {
  return to_unified(diff_lines(before, after), path);
}

}  // namespace assent::text
