#pragma once
// What a keyboard sends, as keys: the bytes of a terminal in raw mode, taken apart.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assent::terminal {

enum class KeyKind : std::uint8_t {
  text,   // one character, or a byte that is none
  paste,  // a bracketed paste as a whole, its line ends as \n
  enter,
  new_line,  // Alt-Enter: a line end inside the text
  erase_left,
  erase_right,
  erase_word_left,   // back to a blank: Ctrl-W
  erase_word_right,  // Alt-D
  erase_to_start,    // Ctrl-U
  erase_to_end,      // Ctrl-K
  left,
  right,
  word_left,
  word_right,
  home,
  end,
  up,
  down,
  end_of_input,  // Ctrl-D: of the input on an empty line, else erase_right
  redraw,        // Ctrl-L
  nothing,       // a key that has no meaning here
};

struct Key {
  KeyKind kind = KeyKind::nothing;
  std::string text{};  // of `text` and `paste`

  bool operator==(const Key&) const = default;
};

// Bytes may come cut anywhere: the start of a key waits for the rest. One thread at a time.
class KeyDecoder {
 public:
  void feed(std::string_view bytes, std::vector<Key>& keys);
  // Whether the start of a key waits. `unsure` says that it may also be complete (Escape alone, or
  // a sequence that broke off): after a while without input the caller calls give_up().
  [[nodiscard]] bool waiting() const { return !pending_.empty() || pasting_; }
  [[nodiscard]] bool unsure() const { return !pending_.empty() && !pasting_; }
  // What waits was all there is.
  void give_up(std::vector<Key>& keys);

 private:
  bool take_one(std::vector<Key>& keys);
  bool take_paste(std::vector<Key>& keys);
  bool take_sequence(std::vector<Key>& keys);
  bool take_control_sequence(std::vector<Key>& keys, std::size_t parameters);
  bool take_character(std::vector<Key>& keys);
  void drop(std::size_t bytes) { pending_.erase(0, bytes); }

  std::string pending_;
  bool pasting_ = false;
};

}  // namespace assent::terminal
