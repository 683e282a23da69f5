#include "text/gutter.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "text/escape.h"
#include "text/utf8.h"
#include "text/width.h"

namespace assent::text {
namespace {

constexpr std::string_view first = "│ ";
constexpr std::string_view further = "┊ ";
constexpr std::size_t mark_columns = 2;
constexpr std::size_t tab_columns = 8;
// A label shares its line only with a piece of at least this many columns.
constexpr std::size_t least_beside_label = 8;
// A word longer than this many bytes is shown before its end has come.
constexpr std::size_t most_pending = 128;

std::size_t room_within(std::size_t columns) {
  if (columns == not_wrapped) return std::numeric_limits<std::size_t>::max();
  return std::max(columns, narrowest) - mark_columns;
}

// `column`: where the text starts in its line.
std::string expand_tabs(std::string_view line, std::size_t column) {
  std::string out;
  while (true) {
    const std::size_t tab = line.find('\t');
    const std::string_view before = line.substr(0, tab);
    out += before;
    if (tab == std::string_view::npos) return out;
    column += width(before);
    const std::size_t blanks = tab_columns - column % tab_columns;
    out.append(blanks, ' ');
    column += blanks;
    line.remove_prefix(tab + 1);
  }
}

// With the characters spelled that are wider than `room`.
std::string fitting(std::string line, std::size_t room) {
  constexpr std::size_t widest = 8;  // see width.cc
  if (room >= widest) return line;
  std::string out;
  for (std::string_view rest = line; !rest.empty();) {
    const Character next = first_character(rest);
    const std::string_view bytes = rest.substr(0, next.size);
    out += next.columns > room ? spell(bytes) : std::string(bytes);
    rest.remove_prefix(next.size);
  }
  return out;
}

// `text` without the start of a character at its end whose other bytes have not come.
std::string_view without_cut_end(std::string_view text) {
  constexpr std::size_t longest = 4;
  for (std::size_t back = 1; back < longest && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const std::size_t size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return size > back ? text.substr(0, text.size() - back) : text;
  }
  return text;
}

void append_rows(std::string& out, std::string_view shown, std::size_t room,
                 std::string_view mark) {
  for (const std::string_view piece : wrap(shown, room)) {
    out += mark;
    out += piece;
    out += '\n';
    mark = further;
  }
}

}  // namespace

std::string gutter(std::string_view text, std::size_t columns) {
  const std::size_t room = room_within(columns);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = escape(text.substr(0, end), Keep::lines);
    append_rows(out, fitting(expand_tabs(line, 0), room), room, first);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string labelled(std::string_view label, std::string_view text, std::size_t columns) {
  const std::size_t room = room_within(columns);
  const std::string shown = fitting(escape(text, Keep::nothing), room);
  std::string out(label);
  if (columns != not_wrapped &&
      width(label) + std::min(width(shown), least_beside_label) > columns) {
    out += '\n';
    append_rows(out, shown, room, first);
    return out;
  }
  const std::string_view beside =
      columns == not_wrapped || shown.empty() ? shown : wrap(shown, columns - width(label)).front();
  out += beside;
  out += '\n';
  const std::string_view rest = std::string_view(shown).substr(beside.size());
  if (!rest.empty()) append_rows(out, rest, room, further);
  return out;
}

std::size_t GutterStream::room() const { return room_within(columns_); }

std::string GutterStream::write(std::string_view text, std::size_t columns) {
  columns_ = columns;
  pending_ += text;
  std::string out;
  flush_words(out);
  return out;
}

std::string GutterStream::finish() {
  std::string out;
  put(out, pending_);
  pending_.clear();
  if (row_open_) end_line(out);
  return out;
}

// All words of pending_ whose end has come. The last character may get marks yet; only a line end
// is complete by itself.
void GutterStream::flush_words(std::string& out) {
  const std::string_view text = without_cut_end(pending_);
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      put(out, text.substr(start, at - start));
      if (!row_open_) begin_row(out);
      end_line(out);
      start = ++at;
      continue;
    }
    const Character next = first_character(text.substr(at));
    const bool blank = text[at] == ' ' || text[at] == '\t';
    at += next.size;
    if (at == text.size()) break;
    if (blank || next.columns > 1 || at - start > most_pending) {
      put(out, text.substr(start, at - start));
      start = at;
    }
  }
  pending_.erase(0, start);
}

void GutterStream::put(std::string& out, std::string_view word) {
  if (word.empty()) return;
  const std::string shown = fitting(expand_tabs(escape(word, Keep::lines), in_line_), room());
  std::string_view rest = shown;
  in_line_ += width(rest);
  const std::string_view letters = rest.substr(0, rest.find_last_not_of(' ') + 1);
  const bool breaks = row_open_ && used_ > 0 && width(letters) > room() - std::min(used_, room());
  if (breaks) {
    out += '\n';
    row_open_ = false;
  }
  while (!rest.empty()) {
    if (!row_open_) begin_row(out);
    const std::string_view piece = cut_columns(rest, room() - std::min(used_, room()));
    out += piece;
    used_ += width(piece);
    rest.remove_prefix(piece.size());
    if (!rest.empty()) {
      out += '\n';
      row_open_ = false;
    }
  }
}

void GutterStream::begin_row(std::string& out) {
  out += line_started_ ? further : first;
  row_open_ = line_started_ = true;
  used_ = 0;
}

void GutterStream::end_line(std::string& out) {
  out += '\n';
  row_open_ = line_started_ = false;
  in_line_ = 0;
}

}  // namespace assent::text
