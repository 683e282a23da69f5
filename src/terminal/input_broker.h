#pragma once
// The one owner of standard input (K-14): approvals, questions and the prompt line share it as a
// queue of interactions, one in front at a time, and no byte goes to the wrong one.
//
// Approvals and questions are served in the order of their coming; the prompt line gives way to
// them and goes on afterwards with all that was typed for it. On a terminal
//  * an approval or question takes nothing that was typed before it stood on the screen for the
//    settling time, nor what goes on from then without a pause of that time; that is the prompt's,
//  * a paste is never the answer to an approval, nor part of one: with what was typed before it in
//    the same line it is the prompt's too,
//  * what was typed for an interaction that is cancelled goes to the prompt, where the user sees
//    it; no later question takes it.
// On anything else, input is lines: each belongs to the interaction that is in front when it is
// taken, and a cancelled one has taken nothing.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/stop.h"
#include "terminal/keys.h"
#include "terminal/line_editor.h"
#include "terminal/raw_mode.h"
#include "terminal/screen.h"

namespace assent::terminal {

enum class Purpose : std::uint8_t { approval, question, prompt };

// What an interaction shows.
struct Shown {
  // The lines above the prompt, for a width of the screen; may be empty. Shown again where the
  // window became narrower, so that nothing in it is wrapped by the terminal.
  std::function<std::string(std::size_t columns)> text{};
  std::string prompt{};
  // A text to change: the line starts with it, on a terminal. What comes of it is no answer to an
  // approval, so a paste is taken.
  std::optional<std::string> draft{};
};

// Any thread. No thread of its own: who waits for a line reads it, so a reader that is cancelled
// leaves nothing behind that could take the next one (A-102 … A-104).
class InputBroker {
 public:
  // `input` stays the caller's; `screen` outlives this. Where `input` is a terminal it is raw while
  // this lives, see RawMode.
  InputBroker(int input, Screen& screen, std::chrono::milliseconds settle);
  ~InputBroker();
  InputBroker(const InputBroker&) = delete;
  InputBroker& operator=(const InputBroker&) = delete;

  // A place in the queue, from the making to the end of it. One thread at a time.
  class Interaction {
   public:
    // `agent` names who asks, "child 2"; empty for the root.
    Interaction(InputBroker& broker, Purpose purpose, std::string agent = {});
    ~Interaction();
    Interaction(const Interaction&) = delete;
    Interaction& operator=(const Interaction&) = delete;

    // Waits for its turn, shows, and reads one line, without its end. May be called again: the
    // interaction stays in front. ErrorKind::cancelled as soon as `stop` fires, in the queue or in
    // front; ErrorKind::not_found at the end of input, for this one and all later ones. A line cut
    // by the end of input is an error too, except as the prompt's last line on a pipe.
    base::Result<std::string> ask(const Shown& shown, const base::StopToken& stop);

   private:
    friend class InputBroker;
    InputBroker& broker_;
    const Purpose purpose_;
    const std::string agent_;
    std::optional<Screen::Open> open_;  // once it is in front
    bool takes_paste_ = true;           // of the line that is being read
  };

  // An interaction of the prompt, as long as one line.
  base::Result<std::string> read_prompt(std::string_view prompt, const base::StopToken& stop);
  // Forgets what was typed for the prompt up to now and not entered: Ctrl-C.
  void drop_prompt_line();

  [[nodiscard]] bool is_terminal() const { return raw_.has_value(); }

 private:
  enum class Woken : std::uint8_t { input, queue, screen, stopped, late };

  base::Result<void> come_to_front(Interaction& interaction, const base::StopToken& stop);
  [[nodiscard]] bool is_first(const Interaction& interaction) const;
  [[nodiscard]] bool must_give_way(const Interaction& interaction);
  void give_way();
  [[nodiscard]] std::size_t others_waiting();
  [[nodiscard]] std::string full_prompt(const Interaction& interaction, std::string_view prompt);
  void ring() const;

  Woken wait(const base::StopToken& stop, std::chrono::milliseconds at_most) const;
  void receive();
  void hand_out(std::vector<Key> keys);

  base::Result<std::string> ask_on_pipe(Interaction& interaction, const Shown& shown,
                                        const base::StopToken& stop);
  std::optional<std::string> take_line();

  base::Result<std::string> ask_on_terminal(Interaction& interaction, const Shown& shown,
                                            const base::StopToken& stop);
  void show(const Interaction& interaction, const Shown& shown);
  base::Result<void> settle(const Interaction& interaction, const Shown& shown,
                            const base::StopToken& stop);
  base::Result<std::string> edit(Interaction& interaction, const Shown& shown,
                                 const base::StopToken& stop);
  LineEditor::Effect take_keys(const Interaction& interaction, LineEditor& editor);
  LineEditor::Effect take_keys_from(std::deque<Key>& keys, const Interaction& interaction,
                                    LineEditor& editor);
  void leave_to_prompt(Key key) { ahead_.push_back(std::move(key)); }
  void leave_to_prompt(LineEditor& editor);
  void draw(const Interaction& interaction, const LineEditor& editor, std::string_view prompt);
  void follow_screen(const Interaction& interaction, const Shown& shown);
  std::string entered(const Interaction& interaction, LineEditor& editor, std::string_view prompt);

  const int input_;
  Screen& screen_;
  const std::chrono::milliseconds settle_;
  std::optional<RawMode> raw_;  // on a terminal
  base::Fd bell_;               // readable after the queue changed

  std::mutex mutex_;  // the queue
  std::condition_variable_any moved_;
  std::deque<Interaction*> queue_;
  Interaction* reader_ = nullptr;  // who reads, and owns all below
  bool drop_ = false;              // the next reader forgets the prompt's line first

  std::string received_;  // on a pipe: read and not yet taken
  KeyDecoder decoder_;
  bool rest_is_ahead_ = false;  // of a key that began before a question settled
  std::deque<Key> typed_;       // keys not yet taken
  std::deque<Key> ahead_;       // typed earlier, the prompt's
  LineEditor prompt_line_;
  History history_;
  std::size_t shown_columns_ = 0;  // when the open question was shown
  bool ended_ = false;
};

}  // namespace assent::terminal
