#include "base/stop.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <optional>

namespace assent::base {

namespace detail {

struct StopState {
  std::stop_source source;
  Fd wake;
  std::optional<std::stop_callback<std::function<void()>>> on_parent;

  StopState() : wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!wake.valid()) die(system_error("eventfd", errno), __FILE__, __LINE__);
  }
  void stop() {
    if (source.stop_requested()) return;
    const std::uint64_t one = 1;
    // First, so that whoever sees the stop finds the descriptor readable. The counter stays up:
    // every waiter polls, nobody reads it down.
    (void)!::write(wake.get(), &one, sizeof one);
    source.request_stop();
  }
};

}  // namespace detail

bool StopToken::stop_requested() const { return state_ && state_->source.stop_requested(); }
int StopToken::fd() const { return state_ ? state_->wake.get() : -1; }
std::stop_token StopToken::std_token() const {
  return state_ ? state_->source.get_token() : std::stop_token();
}

bool StopToken::wait_for(std::chrono::milliseconds time) const {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!stop_requested()) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wake{.fd = fd(), .events = POLLIN, .revents = 0};
    (void)::poll(&wake, 1, static_cast<int>(std::min<std::int64_t>(left.count(), 60'000)));
  }
  return true;
}

StopSource::StopSource() : state_(std::make_shared<detail::StopState>()) {}

StopSource::StopSource(const StopToken& parent) : StopSource() {
  if (parent.state_ == nullptr) return;
  // A weak reference: the callback lives in the state that it stops.
  std::weak_ptr<detail::StopState> self = state_;
  state_->on_parent.emplace(parent.std_token(), [self] {
    if (auto state = self.lock()) state->stop();
  });
}

StopToken StopSource::token() const { return StopToken(state_); }
void StopSource::request_stop() { state_->stop(); }
bool StopSource::stop_requested() const { return state_->source.stop_requested(); }

}  // namespace assent::base
