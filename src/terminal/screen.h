#pragma once
// Everything that is written to the terminal passes here, so that nothing is printed into the
// middle of an open question (P-093) or of the line that is typed. Any thread.

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "terminal/line_editor.h"
#include "terminal/raw_mode.h"

namespace assent::terminal {

class Screen {
 public:
  // `output` stays the caller's.
  explicit Screen(int output, Drawing drawing = Drawing::sequences)
      : output_(output), drawing_(drawing) {}

  // Held back while a question is open. While a line is typed, text stands above it, and a last
  // line without its end waits for that.
  void print(std::string_view text);
  // How many texts were printed: who prints in parts sees whether somebody came between.
  [[nodiscard]] std::uint64_t printed();
  // A question's own lines: shown at once.
  void print_question(std::string_view text);

  // The bell: somebody is asked.
  void ring();

  // How wide it is now, at least 1; text::not_wrapped where the output is no terminal. A terminal
  // that does not know is taken for 80 columns and 24 rows, as the first ones were.
  [[nodiscard]] std::size_t columns() const;
  [[nodiscard]] std::size_t rows() const;

  // The line that is typed, below all other text; replaces the one that shows. The rows fit the
  // screen; on a dumb terminal it is one.
  void show_line(const Rows& line);
  // Takes it off the screen.
  void remove_line();
  // It stays where it stands, as part of the text: the program was stopped, or the line is done.
  void leave_line();

  [[nodiscard]] int output() const { return output_; }
  [[nodiscard]] Drawing drawing() const { return drawing_; }

  // While one lives a question is open. What was held back follows at its end.
  class Open {
   public:
    explicit Open(Screen& screen);
    ~Open();
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

   private:
    Screen& screen_;
  };

 private:
  void write(std::string text);
  void write_above_line(std::string_view text);
  [[nodiscard]] std::string erase() const;
  [[nodiscard]] std::string draw(const Rows& line) const;

  const int output_;
  const Drawing drawing_;
  std::mutex mutex_;
  std::uint64_t printed_ = 0;
  int open_ = 0;
  std::string held_;
  std::string unfinished_;  // printed while a line shows, and waiting for its line end
  Rows line_;               // no rows: none shows
  bool at_line_start_ = true;
};

}  // namespace assent::terminal
