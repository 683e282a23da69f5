#pragma once
// The one owner of standard input (K-14): approvals, questions and the prompt line read through it,
// one at a time, and no byte goes to the wrong one.

#include <termios.h>

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

#include "base/result.h"
#include "base/stop.h"

namespace assent::terminal {

// Whom a line is for. An answer to a question of ours takes nothing that was typed before the
// question had stood on the screen for `settle`; that stays for the prompt line (channels.md).
enum class Purpose : std::uint8_t { answer, prompt };

// Any thread; readers wait for each other in the order of their coming. No thread of its own: a
// reader that is cancelled leaves nothing behind that could take the next line (A-102 … A-104).
class InputBroker {
 public:
  // `input` and `echo` stay the caller's. On a terminal the broker edits and echoes the line itself
  // while it reads; on anything else lines are taken as they come.
  InputBroker(int input, int echo, std::chrono::milliseconds settle);
  ~InputBroker();
  InputBroker(const InputBroker&) = delete;
  InputBroker& operator=(const InputBroker&) = delete;

  // One line without its end. ErrorKind::not_found at the end of input, for this reader and all
  // later ones; ErrorKind::cancelled as soon as `stop` fires.
  base::Result<std::string> read_line(Purpose purpose, const base::StopToken& stop);

  [[nodiscard]] bool is_terminal() const { return terminal_; }

 private:
  enum class Wait : std::uint8_t { input, stopped, late };
  Wait wait_for_input(const base::StopToken& stop, std::chrono::milliseconds at_most) const;
  bool read_more();
  base::Result<void> settle(const base::StopToken& stop);
  base::Result<std::string> edit_line(std::string& source, const base::StopToken& stop);
  void show(std::string_view text) const;

  const int input_;
  const int echo_;
  const std::chrono::milliseconds settle_;
  const bool terminal_;
  termios saved_{};
  std::mutex turn_;       // held by the reader whose turn it is
  std::string received_;  // bytes read and not yet used
  std::string ahead_;     // typed before a question settled: the prompt line's
  bool ended_ = false;
};

}  // namespace assent::terminal
