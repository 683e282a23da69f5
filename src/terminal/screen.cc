#include "terminal/screen.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/fd.h"
#include "text/gutter.h"
#include "text/width.h"

namespace assent::terminal {
namespace {

constexpr std::size_t default_columns = 80;
constexpr std::size_t default_rows = 24;

std::string sequence(std::size_t count, char last) {
  return count == 0 ? std::string() : fmt::format("\x1b[{}{}", count, last);
}

// What is new at the end, where the line only grew there; else nothing.
std::string_view growth(const Rows& before, const Rows& after) {
  const auto at_end = [](const Rows& line) {
    return line.row + 1 == line.rows.size() && line.column == text::width(line.rows.back());
  };
  if (before.rows.empty() || before.rows.size() != after.rows.size() || !at_end(before) ||
      !at_end(after) || !after.rows.back().starts_with(before.rows.back()) ||
      !std::equal(before.rows.begin(), before.rows.end() - 1, after.rows.begin())) {
    return {};
  }
  return std::string_view(after.rows.back()).substr(before.rows.back().size());
}

}  // namespace

// A terminal that has gone away takes nothing; the run goes on, and its next question is a deny.
void Screen::write(std::string text) {
  if (text.empty()) return;
  at_line_start_ = text.back() == '\n';
  (void)base::write_all(output_, text);
}

void Screen::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (!text.empty()) ++printed_;
  if (open_ > 0) {
    held_ += text;
  } else {
    write_above_line(text);
  }
}

void Screen::print_question(std::string_view text) {
  const std::lock_guard lock(mutex_);
  ++printed_;
  write_above_line(text);
}

void Screen::write_above_line(std::string_view text) {
  if (line_.rows.empty()) return write(std::string(text));
  unfinished_ += text;
  const std::size_t end = unfinished_.rfind('\n');
  if (end == std::string::npos) return;
  write(erase() + unfinished_.substr(0, end + 1) + draw(line_));
  unfinished_.erase(0, end + 1);
}

std::uint64_t Screen::printed() {
  const std::lock_guard lock(mutex_);
  return printed_;
}

void Screen::ring() {
  const std::lock_guard lock(mutex_);
  (void)base::write_all(output_, "\a");
}

std::size_t Screen::columns() const {
  winsize size{};
  if (::ioctl(output_, TIOCGWINSZ, &size) != 0) return text::not_wrapped;
  return size.ws_col == 0 ? default_columns : size.ws_col;
}

std::size_t Screen::rows() const {
  winsize size{};
  if (::ioctl(output_, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return default_rows;
  return size.ws_row;
}

// Back to the first row's start, with nothing from there on.
std::string Screen::erase() const {
  if (drawing_ == Drawing::sequences) return "\r" + sequence(line_.row, 'A') + "\x1b[J";
  return "\r" + std::string(text::width(line_.rows.front()), ' ') + "\r";
}

std::string Screen::draw(const Rows& line) const {
  if (drawing_ == Drawing::plain) {
    const std::string& row = line.rows.front();
    return row + std::string(text::width(row) - std::min(line.column, text::width(row)), '\b');
  }
  std::string out;
  for (std::size_t i = 0; i < line.rows.size(); ++i) {
    if (i > 0) out += "\n";
    out += line.rows[i];
  }
  const std::size_t last = line.rows.size() - 1;
  if (line.row == last && line.column == text::width(line.rows[last])) return out;
  return out + "\r" + sequence(last - line.row, 'A') + sequence(line.column, 'C');
}

void Screen::show_line(const Rows& line) {
  const std::lock_guard lock(mutex_);
  if (line == line_) return;
  if (const auto added = growth(line_, line); !added.empty()) {
    write(std::string(added));
  } else if (!line_.rows.empty()) {
    write(erase() + draw(line));
  } else {
    write((at_line_start_ ? "" : "\n") + draw(line));
  }
  line_ = line;
}

void Screen::remove_line() {
  const std::lock_guard lock(mutex_);
  if (line_.rows.empty()) return;
  write(erase());
  at_line_start_ = true;
  line_ = {};
  write(std::exchange(unfinished_, {}));
}

void Screen::leave_line() {
  const std::lock_guard lock(mutex_);
  if (line_.rows.empty()) return;
  const std::size_t below = line_.rows.size() - 1 - line_.row;
  write((drawing_ == Drawing::sequences ? sequence(below, 'B') : std::string()) + "\n");
  line_ = {};
  write(std::exchange(unfinished_, {}));
}

Screen::Open::Open(Screen& screen) : screen_(screen) {
  const std::lock_guard lock(screen_.mutex_);
  ++screen_.open_;
}

Screen::Open::~Open() {
  const std::lock_guard lock(screen_.mutex_);
  if (--screen_.open_ == 0) screen_.write_above_line(std::exchange(screen_.held_, {}));
}

}  // namespace assent::terminal
