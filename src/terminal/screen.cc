#include "terminal/screen.h"

#include <sys/ioctl.h>

#include <utility>

#include "base/fd.h"
#include "text/gutter.h"

namespace assent::terminal {

// A terminal that has gone away takes nothing; the run goes on, and its next question is a deny.
void Screen::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (open_ > 0) {
    held_ += text;
  } else {
    (void)base::write_all(output_, text);
  }
}

std::size_t Screen::columns() const {
  winsize size{};
  if (::ioctl(output_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return text::not_wrapped;
  return size.ws_col;
}

void Screen::print_question(std::string_view text) {
  const std::lock_guard lock(mutex_);
  (void)base::write_all(output_, text);
}

Screen::Open::Open(Screen& screen) : screen_(screen) {
  const std::lock_guard lock(screen_.mutex_);
  ++screen_.open_;
}

Screen::Open::~Open() {
  const std::lock_guard lock(screen_.mutex_);
  if (--screen_.open_ == 0)
    (void)base::write_all(screen_.output_, std::exchange(screen_.held_, {}));
}

}  // namespace assent::terminal
