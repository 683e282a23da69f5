#pragma once
// Cancellation that also wakes a poll(2): a stop token with a descriptor. Any thread.

#include <chrono>
#include <memory>
#include <stop_token>

#include "base/fd.h"

namespace assent::base {

namespace detail {
struct StopState;
}

// Copies are cheap and share one state. A default-made token never stops.
class StopToken {
 public:
  StopToken() = default;
  [[nodiscard]] bool stop_requested() const;
  // Readable once stop was requested; -1 where it never can be.
  [[nodiscard]] int fd() const;
  // For std::stop_callback and condition_variable_any.
  [[nodiscard]] std::stop_token std_token() const;
  // Sleeps; true where the stop woke it.
  [[nodiscard]] bool wait_for(std::chrono::milliseconds time) const;

 private:
  friend class StopSource;
  explicit StopToken(std::shared_ptr<detail::StopState> state) : state_(std::move(state)) {}
  std::shared_ptr<detail::StopState> state_;
};

class StopSource {
 public:
  StopSource();
  // A source that also stops as soon as `parent` does.
  explicit StopSource(const StopToken& parent);
  [[nodiscard]] StopToken token() const;
  // Idempotent, and safe in a signal handler only through the descriptor of another source.
  void request_stop();
  [[nodiscard]] bool stop_requested() const;

 private:
  std::shared_ptr<detail::StopState> state_;
};

}  // namespace assent::base
