#pragma once
// Everything that is written to the terminal passes here, so that nothing is printed into the
// middle of an open question (P-093). Any thread.

#include <mutex>
#include <string>
#include <string_view>

namespace assent::terminal {

class Screen {
 public:
  // `output` stays the caller's.
  explicit Screen(int output) : output_(output) {}

  // Held back while a question is open.
  void print(std::string_view text);
  // How wide it is now; text::not_wrapped where the output is no terminal.
  [[nodiscard]] std::size_t columns() const;
  // A question's own lines: shown at once.
  void print_question(std::string_view text);

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
  const int output_;
  std::mutex mutex_;
  int open_ = 0;
  std::string held_;
};

}  // namespace assent::terminal
