#pragma once
// The terminal as the input broker needs it: keys as they are typed, unseen. However the process
// ends or stops, the terminal is left as it was found.

#include <cstdint>

#include "base/fd.h"

namespace assent::terminal {

// Whether the terminal understands control sequences; a dumb one knows \r and \b.
enum class Drawing : std::uint8_t { sequences, plain };

// Of the variable TERM; nullptr where it is not set.
Drawing drawing_of(const char* term);

// While one lives the terminal is raw: no echo, no line editing, signals of Ctrl-C, Ctrl-Z and
// Ctrl-\ as before; with Drawing::sequences a paste comes in brackets. Put back by the destructor,
// by exit(), by every signal that ends the process or dumps core, and around a stop (Ctrl-Z), after
// which the mode is set again. SIGKILL leaves no time for it, nor does an overflowing stack.
//
// One at a time in a process: the signal handlers find it in static memory, the only place that
// they may look at. Handlers are set where the signal's action is the default one; a blocked signal
// stays its owner's. Made and destroyed on the same thread.
class RawMode {
 public:
  // Both stay the caller's; `input` is a terminal. Sequences are written to `output`.
  RawMode(int input, int output, Drawing drawing);
  ~RawMode();
  RawMode(const RawMode&) = delete;
  RawMode& operator=(const RawMode&) = delete;

  struct Events {
    bool resized = false;    // the window has another size
    bool continued = false;  // the process was stopped: what is on the screen is not known
    bool operator==(const Events&) const = default;
  };
  // Readable while there are events.
  [[nodiscard]] int wake_fd() const { return wake_.get(); }
  // What happened since the last call.
  Events take_events();

 private:
  base::Fd wake_;
};

}  // namespace assent::terminal
