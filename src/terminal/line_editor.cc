#include "terminal/line_editor.h"

#include <algorithm>

#include "base/limits.h"
#include "text/escape.h"
#include "text/utf8.h"
#include "text/width.h"

namespace assent::terminal {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// Of a word, as word moves take it: letters and digits, and all that is beyond ASCII.
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::size_t size_at(std::string_view text, std::size_t at) {
  return text::first_character(text.substr(at)).size;
}

// Rows that grow by characters and wrap.
class Typesetter {
 public:
  explicit Typesetter(std::size_t columns) : room_(columns > 1 ? columns - 1 : 1) {}

  void put(std::string_view shown) {
    while (!shown.empty()) {
      const text::Character next = text::first_character(shown);
      if (used_ > 0 && used_ + next.columns > room_) break_row();
      out_.rows.back() += shown.substr(0, next.size);
      used_ += next.columns;
      shown.remove_prefix(next.size);
    }
  }
  void break_row() {
    out_.rows.emplace_back();
    used_ = 0;
  }
  void put_cursor() {
    out_.row = out_.rows.size() - 1;
    out_.column = used_;
  }
  // The cursor belongs before the character that comes next, in whichever row that one stands.
  [[nodiscard]] bool has_room_for(std::size_t columns) const {
    return used_ == 0 || used_ + columns <= room_;
  }
  Rows take() { return std::move(out_); }

 private:
  std::size_t room_;
  std::size_t used_ = 0;
  Rows out_{.rows = {""}};
};

}  // namespace

void History::add(std::string_view line) {
  if (!line.empty() && (lines_.empty() || lines_.back() != line)) lines_.emplace_back(line);
  if (lines_.size() > base::limits::prompt_history) lines_.erase(lines_.begin());
  leave();
}

const std::string* History::older(std::string_view current) {
  if (at_ == 0) return nullptr;
  if (at_ == lines_.size()) draft_ = current;
  return &lines_[--at_];
}

const std::string* History::newer() {
  if (at_ == lines_.size()) return nullptr;
  ++at_;
  return at_ == lines_.size() ? &draft_ : &lines_[at_];
}

LineEditor::Effect LineEditor::apply(const Key& key, History* history) {
  switch (key.kind) {
    case KeyKind::text:
    case KeyKind::paste: return insert(key.text);
    case KeyKind::new_line: return insert("\n");
    case KeyKind::enter: return Effect::entered;
    case KeyKind::erase_left: return erase(before(), cursor_);
    case KeyKind::end_of_input:
      if (text_.empty()) return Effect::ended;
      [[fallthrough]];
    case KeyKind::erase_right: return erase(cursor_, behind());
    case KeyKind::erase_word_left: return erase(blank_left(), cursor_);
    case KeyKind::erase_word_right: return erase(cursor_, word_right());
    case KeyKind::erase_to_start: return erase(line_start(cursor_), cursor_);
    case KeyKind::erase_to_end: return erase(cursor_, line_end());
    case KeyKind::left: return move(before());
    case KeyKind::right: return move(behind());
    case KeyKind::word_left: return move(word_left());
    case KeyKind::word_right: return move(word_right());
    case KeyKind::home: return move(line_start(cursor_));
    case KeyKind::end: return move(line_end());
    case KeyKind::up: return show_line(history == nullptr ? nullptr : history->older(text_));
    case KeyKind::down: return show_line(history == nullptr ? nullptr : history->newer());
    case KeyKind::redraw:
    case KeyKind::nothing: break;
  }
  return Effect::refused;
}

std::string LineEditor::take() {
  cursor_ = 0;
  return std::exchange(text_, {});
}

void LineEditor::set(std::string_view text) {
  text_ = text;
  cursor_ = text_.size();
}

LineEditor::Effect LineEditor::show_line(const std::string* line) {
  if (line == nullptr) return Effect::refused;
  set(*line);
  return Effect::edited;
}

LineEditor::Effect LineEditor::insert(std::string_view text) {
  text = text::cut(text, base::limits::prompt_line - text_.size());
  if (text.empty()) return Effect::refused;
  text_.insert(cursor_, text);
  cursor_ = boundary(cursor_ + text.size());
  return Effect::edited;
}

LineEditor::Effect LineEditor::erase(std::size_t from, std::size_t to) {
  if (from == to) return Effect::refused;
  text_.erase(from, to - from);
  cursor_ = boundary(from);
  return Effect::edited;
}

LineEditor::Effect LineEditor::move(std::size_t to) {
  to = boundary(to);
  if (to == cursor_) return Effect::refused;
  cursor_ = to;
  return Effect::edited;
}

// Characters join only within a line, so it is enough to look from its start.
std::size_t LineEditor::boundary(std::size_t at) const {
  std::size_t found = line_start(at);
  while (found < at) found += size_at(text_, found);
  return found;
}

std::size_t LineEditor::before() const {
  std::size_t found = line_start(cursor_);
  if (found == cursor_) return cursor_ == 0 ? 0 : cursor_ - 1;  // a line end
  while (found + size_at(text_, found) < cursor_) found += size_at(text_, found);
  return found;
}

std::size_t LineEditor::behind() const {
  return cursor_ == text_.size() ? cursor_ : cursor_ + size_at(text_, cursor_);
}

std::size_t LineEditor::blank_left() const {
  std::size_t at = cursor_;
  while (at > 0 && is_blank(text_[at - 1])) --at;
  while (at > 0 && !is_blank(text_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::word_left() const {
  std::size_t at = cursor_;
  while (at > 0 && !is_word(text_[at - 1])) --at;
  while (at > 0 && is_word(text_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::word_right() const {
  std::size_t at = cursor_;
  while (at < text_.size() && !is_word(text_[at])) ++at;
  while (at < text_.size() && is_word(text_[at])) ++at;
  return at;
}

std::size_t LineEditor::line_start(std::size_t at) const {
  if (at == 0) return 0;
  const std::size_t end = text_.rfind('\n', at - 1);
  return end == std::string::npos ? 0 : end + 1;
}

std::size_t LineEditor::line_end() const {
  return std::min(text_.find('\n', cursor_), text_.size());
}

Rows LineEditor::rows(std::string_view prompt, std::size_t columns, std::size_t most) const {
  Typesetter setter(columns);
  setter.put(prompt);
  for (std::size_t at = 0; at < text_.size();) {
    const std::size_t size = size_at(text_, at);
    const std::string_view bytes = std::string_view(text_).substr(at, size);
    const bool line_end = bytes == "\n";
    const std::string shown = line_end        ? ""
                              : bytes == "\t" ? " "
                                              : text::escape(bytes, text::Keep::lines);
    if (at == cursor_) {
      if (!line_end && !setter.has_room_for(text::first_character(shown).columns)) {
        setter.break_row();
      }
      setter.put_cursor();
    }
    setter.put(shown);
    if (line_end) setter.break_row();
    at += size;
  }
  if (cursor_ == text_.size()) setter.put_cursor();
  Rows all = setter.take();
  if (all.rows.size() <= most) return all;
  const std::size_t from = all.row < most ? 0 : all.row + 1 - most;
  Rows part{.row = all.row - from, .column = all.column};
  for (std::size_t i = from; i < std::min(from + most, all.rows.size()); ++i) {
    part.rows.push_back(std::move(all.rows[i]));
  }
  return part;
}

}  // namespace assent::terminal
