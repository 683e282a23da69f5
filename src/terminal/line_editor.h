#pragma once
// One line of input while it is typed: its text, the cursor, and what both look like. Pure: keys
// go in, rows come out. The text may have line ends in it, from a paste or Alt-Enter.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/keys.h"

namespace assent::terminal {

// What the user sees of a line: rows that each fit the screen, none of them with a control
// character. The cursor stands before the character at `column` of `rows[row]`.
struct Rows {
  std::vector<std::string> rows;
  std::size_t row = 0;
  std::size_t column = 0;

  bool operator==(const Rows&) const = default;
};

// Lines that were entered, oldest first, and where Up and Down stand in them. One thread at a time.
class History {
 public:
  // An empty line and one equal to the last are not kept; the oldest goes where there are too many.
  void add(std::string_view line);
  // The line before and after the one that shows; nullptr where there is none. Leaving the newest
  // line for an older one keeps `current`, and Down comes back to it.
  const std::string* older(std::string_view current);
  const std::string* newer();
  void leave() { at_ = lines_.size(); }

 private:
  std::vector<std::string> lines_;
  std::string draft_;
  std::size_t at_ = 0;  // lines_.size(): the draft
};

// The cursor always stands between two characters as a reader takes them (extended grapheme
// clusters). A text never grows beyond limits::prompt_line; what is typed beyond it is dropped.
class LineEditor {
 public:
  enum class Effect : std::uint8_t {
    edited,
    entered,  // the line is complete
    ended,    // Ctrl-D on an empty line
    refused,  // nothing happened
  };

  // `history`: for Up and Down; without one they do nothing.
  Effect apply(const Key& key, History* history = nullptr);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  // The text, which is empty afterwards.
  std::string take();
  void set(std::string_view text);

  // The prompt and the text, wrapped to `columns`; the last column stays free for the cursor. At
  // most `most` rows, those around the cursor. `prompt` is ours: it is shown as it is.
  [[nodiscard]] Rows rows(std::string_view prompt, std::size_t columns, std::size_t most) const;

 private:
  Effect insert(std::string_view text);
  Effect erase(std::size_t from, std::size_t to);
  Effect move(std::size_t to);
  Effect show_line(const std::string* line);
  // The first place between two characters at `at` or behind it.
  [[nodiscard]] std::size_t boundary(std::size_t at) const;
  [[nodiscard]] std::size_t before() const;
  [[nodiscard]] std::size_t behind() const;
  [[nodiscard]] std::size_t word_left() const;
  [[nodiscard]] std::size_t word_right() const;
  [[nodiscard]] std::size_t blank_left() const;
  [[nodiscard]] std::size_t line_start(std::size_t at) const;
  [[nodiscard]] std::size_t line_end() const;

  std::string text_;
  std::size_t cursor_ = 0;  // a byte of text_
};

}  // namespace assent::terminal
