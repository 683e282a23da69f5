#include "terminal/keys.h"

#include "base/limits.h"
#include "base/utf8.h"

namespace assent::terminal {
namespace {

constexpr char escape = '\x1b';
constexpr std::string_view paste_start = "200";
constexpr std::string_view paste_end = "\x1b[201~";
// A control sequence longer than this is none; its bytes are dropped.
constexpr std::size_t longest_sequence = 64;

KeyKind of_control(char c) {
  switch (c) {
    case '\r':
    case '\n': return KeyKind::enter;
    case '\x01': return KeyKind::home;
    case '\x02': return KeyKind::left;
    case '\x04': return KeyKind::end_of_input;
    case '\x05': return KeyKind::end;
    case '\x06': return KeyKind::right;
    case '\b':
    case '\x7f': return KeyKind::erase_left;
    case '\x0b': return KeyKind::erase_to_end;
    case '\x0c': return KeyKind::redraw;
    case '\x0e': return KeyKind::down;
    case '\x10': return KeyKind::up;
    case '\x15': return KeyKind::erase_to_start;
    case '\x17': return KeyKind::erase_word_left;
    default: return KeyKind::nothing;
  }
}

KeyKind of_alt(char c) {
  switch (c) {
    case '\r':
    case '\n': return KeyKind::new_line;
    case 'b':
    case 'B': return KeyKind::word_left;
    case 'f':
    case 'F': return KeyKind::word_right;
    case 'd':
    case 'D': return KeyKind::erase_word_right;
    case '\b':
    case '\x7f': return KeyKind::erase_word_left;
    default: return KeyKind::nothing;
  }
}

// With Ctrl or Alt an arrow moves by words (xterm's modifiers: 1 + Shift 1, Alt 2, Ctrl 4).
bool by_word(std::string_view parameters) {
  const auto semicolon = parameters.rfind(';');
  if (semicolon == std::string_view::npos) return false;
  const std::string_view modifier = parameters.substr(semicolon + 1);
  return modifier.size() == 1 && modifier[0] >= '3' && modifier[0] <= '8';
}

KeyKind of_number(std::string_view number) {
  if (number == "1" || number == "7") return KeyKind::home;
  if (number == "4" || number == "8") return KeyKind::end;
  if (number == "3") return KeyKind::erase_right;
  return KeyKind::nothing;
}

KeyKind of_sequence(char last, std::string_view parameters) {
  switch (last) {
    case 'A': return KeyKind::up;
    case 'B': return KeyKind::down;
    case 'C': return by_word(parameters) ? KeyKind::word_right : KeyKind::right;
    case 'D': return by_word(parameters) ? KeyKind::word_left : KeyKind::left;
    case 'F': return KeyKind::end;
    case 'H': return KeyKind::home;
    case '~': return of_number(parameters.substr(0, parameters.find(';')));
    default: return KeyKind::nothing;
  }
}

// The bytes that a character starting with `c` takes; 1 where none can.
std::size_t size_of_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0xc2 || byte > 0xf4) return 1;
  if (byte >= 0xf0) return 4;
  return byte >= 0xe0 ? 3 : 2;
}

// A paste's line ends are what the terminal makes of them: \r, \n or both.
std::string with_line_ends(std::string_view pasted) {
  std::string out;
  out.reserve(pasted.size());
  for (std::size_t i = 0; i < pasted.size(); ++i) {
    if (pasted[i] != '\r') {
      out += pasted[i];
    } else {
      out += '\n';
      if (i + 1 < pasted.size() && pasted[i + 1] == '\n') ++i;
    }
  }
  return out;
}

}  // namespace

void KeyDecoder::feed(std::string_view bytes, std::vector<Key>& keys) {
  pending_ += bytes;
  while (take_one(keys)) {
  }
}

void KeyDecoder::give_up(std::vector<Key>& keys) {
  if (!unsure()) return;
  if (pending_[0] == escape) {
    keys.push_back({KeyKind::nothing});
  } else {
    keys.push_back({KeyKind::text, pending_});
  }
  pending_.clear();
}

// False where the rest has to come first.
bool KeyDecoder::take_one(std::vector<Key>& keys) {
  if (pasting_) return take_paste(keys);
  if (pending_.empty()) return false;
  const char c = pending_[0];
  if (c == escape) return take_sequence(keys);
  if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') return take_character(keys);
  keys.push_back({of_control(c)});
  drop(1);
  return true;
}

// A paste that is too long for a line comes in parts.
bool KeyDecoder::take_paste(std::vector<Key>& keys) {
  const std::size_t end = pending_.find(paste_end);
  if (end == std::string::npos) {
    if (pending_.size() > base::limits::prompt_line + paste_end.size()) {
      // What may be the start of its end stays.
      const std::size_t part = pending_.size() - paste_end.size();
      keys.push_back({KeyKind::paste, with_line_ends(std::string_view(pending_).substr(0, part))});
      drop(part);
    }
    return false;
  }
  keys.push_back({KeyKind::paste, with_line_ends(std::string_view(pending_).substr(0, end))});
  drop(end + paste_end.size());
  pasting_ = false;
  return true;
}

bool KeyDecoder::take_sequence(std::vector<Key>& keys) {
  if (pending_.size() < 2) return false;
  const char second = pending_[1];
  if (second == '[') return take_control_sequence(keys, 2);
  if (second == 'O') {
    if (pending_.size() < 3) return false;
    keys.push_back({of_sequence(pending_[2], {})});
    drop(3);
    return true;
  }
  if (second == escape) {
    keys.push_back({KeyKind::nothing});
    drop(1);
    return true;
  }
  // Alt and a character of several bytes: it waits for all of them.
  const std::size_t size = 1 + size_of_character(second);
  if (pending_.size() < size) return false;
  keys.push_back({of_alt(second)});
  drop(size);
  return true;
}

bool KeyDecoder::take_control_sequence(std::vector<Key>& keys, std::size_t parameters) {
  std::size_t at = parameters;
  while (at < pending_.size() && pending_[at] >= ' ' && pending_[at] < '@') ++at;
  if (at == pending_.size() && at < longest_sequence) return false;
  // A byte that cannot stand in a sequence ends it, and counts for itself.
  const bool complete = at < pending_.size() && pending_[at] >= '@' && pending_[at] != '\x7f';
  const std::string_view between = std::string_view(pending_).substr(parameters, at - parameters);
  if (complete && pending_[at] == '~' && between == paste_start) {
    pasting_ = true;
  } else {
    keys.push_back({complete ? of_sequence(pending_[at], between) : KeyKind::nothing});
  }
  drop(at + (complete ? 1 : 0));
  return true;
}

bool KeyDecoder::take_character(std::vector<Key>& keys) {
  const base::Decoded next = base::decode_utf8(pending_);
  // Cut at its end a character is no valid one yet.
  const bool cut =
      !next.valid && next.size == pending_.size() && next.size < size_of_character(pending_[0]);
  if (cut) return false;
  keys.push_back({KeyKind::text, pending_.substr(0, next.size)});
  drop(next.size);
  return true;
}

}  // namespace assent::terminal
