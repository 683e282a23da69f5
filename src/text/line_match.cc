#include "text/line_match.h"

#include <algorithm>
#include <optional>

namespace assent::text {
namespace {

using Index = std::ptrdiff_t;

// A part of the edit graph: lines left..right of the one text against top..bottom of the other.
struct Box {
  Index left, right, top, bottom;
};

// A run of equal lines in the middle of a shortest path; it may be empty.
struct Snake {
  Index left, right, top, bottom;
};

// Myers, "An O(ND) difference algorithm and its variations", 1986, section 4b: the path is searched
// from both corners at once; where the two searches meet, the box is divided.
class Search {
 public:
  Search(std::span<const Line> before, std::span<const Line> after, std::size_t steps)
      : before_(before),
        after_(after),
        steps_(steps),
        forward_(before.size() + after.size() + 3),
        backward_(before.size() + after.size() + 3),
        edit_{std::vector<bool>(before.size()), std::vector<bool>(after.size())} {}

  Edit run() {
    divide({0, static_cast<Index>(before_.size()), 0, static_cast<Index>(after_.size())});
    return std::move(edit_);
  }

 private:
  // The depth of the recursion is logarithmic: each half has half of the box's edits.
  void divide(Box box) {
    while (box.left < box.right && box.top < box.bottom && same(box.left, box.top)) {
      ++box.left;
      ++box.top;
    }
    while (box.left < box.right && box.top < box.bottom && same(box.right - 1, box.bottom - 1)) {
      --box.right;
      --box.bottom;
    }
    const auto snake = box.left == box.right || box.top == box.bottom ? std::nullopt : middle(box);
    if (!snake) {
      std::fill(edit_.removed.begin() + box.left, edit_.removed.begin() + box.right, true);
      std::fill(edit_.added.begin() + box.top, edit_.added.begin() + box.bottom, true);
      return;
    }
    divide({box.left, snake->left, box.top, snake->top});
    divide({snake->right, box.right, snake->bottom, box.bottom});
  }

  [[nodiscard]] bool same(Index x, Index y) const {
    return before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)];
  }

  enum class Direction : bool { forward, backward };

  // Nothing where the steps are used up.
  std::optional<Snake> middle(const Box& box) {
    const Index height = box.bottom - box.top;
    at(forward_, 1, height) = 0;
    at(backward_, 1, height) = 0;
    for (Index edits = 0;; ++edits) {
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        if (const auto snake = advance(box, edits, direction)) return snake;
        if (steps_ == 0) return std::nullopt;
      }
    }
  }

  // Takes every diagonal's furthest path of one more edit; a snake where one meets the other side.
  // Diagonal k holds the points with x - y == k, seen from the corner where the direction starts.
  std::optional<Snake> advance(const Box& box, Index edits, Direction direction) {
    const Index width = box.right - box.left;
    const Index height = box.bottom - box.top;
    const Index delta = width - height;
    const bool is_forward = direction == Direction::forward;
    auto& ours = is_forward ? forward_ : backward_;
    auto& theirs = is_forward ? backward_ : forward_;
    const bool may_meet = (delta % 2 != 0) == is_forward;
    const Index their_edits = is_forward ? edits - 1 : edits;
    const Index low = -(edits - 2 * std::max(Index{0}, edits - height));
    const Index high = edits - 2 * std::max(Index{0}, edits - width);
    for (Index k = low; k <= high; k += 2) {
      const bool down =
          k == -edits || (k != edits && at(ours, k - 1, height) < at(ours, k + 1, height));
      const Index start = down ? at(ours, k + 1, height) : at(ours, k - 1, height) + 1;
      Index x = start;
      while (x < width && x - k < height && equal(box, x, x - k, direction)) ++x;
      at(ours, k, height) = x;
      spend(static_cast<std::size_t>(x - start) + 1);
      const Index opposite = delta - k;
      if (may_meet && opposite >= -their_edits && opposite <= their_edits &&
          x + at(theirs, opposite, height) >= width) {
        return is_forward
                   ? Snake{box.left + start, box.left + x, box.top + start - k, box.top + x - k}
                   : Snake{box.right - x, box.right - start, box.bottom - (x - k),
                           box.bottom - (start - k)};
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool equal(const Box& box, Index x, Index y, Direction direction) const {
    return direction == Direction::forward ? same(box.left + x, box.top + y)
                                           : same(box.right - 1 - x, box.bottom - 1 - y);
  }

  // Diagonals run from -height to width, and one more on either side is looked at.
  static Index& at(std::vector<Index>& reach, Index diagonal, Index height) {
    return reach[static_cast<std::size_t>(diagonal + height + 1)];
  }

  void spend(std::size_t steps) { steps_ -= std::min(steps, steps_); }

  std::span<const Line> before_;
  std::span<const Line> after_;
  std::size_t steps_;
  std::vector<Index> forward_;  // for each diagonal, the x of its furthest path
  std::vector<Index> backward_;
  Edit edit_;
};

}  // namespace

std::vector<Line> split_lines(std::string_view text) {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
    lines.emplace_back(line);
    text.remove_prefix(line.size());
  }
  return lines;
}

Edit match_lines(std::span<const Line> before, std::span<const Line> after, std::size_t steps) {
  return Search(before, after, steps).run();
}

}  // namespace assent::text
