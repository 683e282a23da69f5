#pragma once
// Text of others beside our own on a terminal. Any thread.
//
// Everywhere: `columns` is the terminal's width, and what does not fit goes on in lines that start
// with a mark of their own, because what the terminal itself wraps starts at the left edge. A
// character wider than the room beside the mark is spelled as an escape, which fits. Below
// `narrowest` columns every line of this text is wrapped by the terminal; then a mark stands
// between any two characters of others.

#include <cstddef>
#include <string>
#include <string_view>

namespace assent::text {

// For output that is no terminal: lines stay as long as they are.
inline constexpr std::size_t not_wrapped = 0;
// The mark's two columns and one of text.
inline constexpr std::size_t narrowest = 3;

// Every line of `text`, escaped (Keep::lines), behind "│ ", so that nothing in it can look like a
// prompt of ours; a line that does not fit goes on behind "┊ ". Tabs become spaces up to the next
// eighth column of the text. Each line of the result ends with a line end; an empty text has none.
std::string gutter(std::string_view text, std::size_t columns = not_wrapped);

// `text` as one line, escaped (Keep::nothing), behind a label of ours; it goes on behind "┊ ". A
// label that leaves too little room has a line for itself. Ends with a line end.
std::string labelled(std::string_view label, std::string_view text,
                     std::size_t columns = not_wrapped);

// gutter() for text that comes in parts which may end anywhere, in a word or in a character. What
// is shown lags behind by at most the last word. One thread at a time.
class GutterStream {
 public:
  // What to show now. `columns` may change between two calls.
  std::string write(std::string_view text, std::size_t columns = not_wrapped);
  // The rest, with its line end; a new text may follow. `columns` is that of the last write.
  std::string finish();
  // Something else was shown in the meantime: what follows starts in a row of its own.
  void interrupt() { row_open_ = false; }

 private:
  void flush_words(std::string& out);
  void put(std::string& out, std::string_view word);
  void begin_row(std::string& out);
  void end_line(std::string& out);
  [[nodiscard]] std::size_t room() const;

  std::string pending_;  // not shown yet: the start of a word
  std::size_t columns_ = not_wrapped;
  std::size_t used_ = 0;       // columns of the row behind the mark
  std::size_t in_line_ = 0;    // columns of the line, over all its rows
  bool row_open_ = false;      // a mark was written and no line end
  bool line_started_ = false;  // an earlier row belongs to the same line
};

}  // namespace assent::text
