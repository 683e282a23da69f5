#pragma once
// A call into code that was plugged in from outside: it gets a stop token and ought to return when
// that fires, but nothing forces it to. So it runs on a thread of its own, and a caller that has
// waited long enough goes on without it.

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/limits.h"
#include "base/stop.h"

namespace assent::base {

// Used by one thread. What the call uses, the call must own: it may outlive this object, which
// leaves it behind where it has not ended.
template <class Output>
class ForeignCall {
 public:
  // `on_end` is called on the call's thread right after its end, and must be owned likewise.
  // Throws std::system_error where no thread can be had.
  explicit ForeignCall(std::function<Output()> call, std::function<void()> on_end = {})
      : thread_([state = state_, call = std::move(call), on_end = std::move(on_end)] {
          std::optional<Output> output;
          std::exception_ptr failure;
          try {
            output.emplace(call());
          } catch (...) {
            failure = std::current_exception();
          }
          {
            const std::lock_guard lock(state->mutex);
            state->output = std::move(output);
            state->failure = std::move(failure);
            state->ended = true;
            state->changed.notify_all();
          }
          if (on_end) on_end();
        }) {}
  ForeignCall(const ForeignCall&) = delete;
  ForeignCall& operator=(const ForeignCall&) = delete;
  ~ForeignCall() {
    if (ended()) {
      thread_.join();
    } else {
      thread_.detach();
    }
  }

  // Any thread.
  [[nodiscard]] bool ended() const {
    const std::lock_guard lock(state_->mutex);
    return state_->ended;
  }

  // Waits for the end, or until `stop` has fired and the call has had limits::foreign_grace to see
  // it.
  void wait(const StopToken& stop) {
    const std::stop_callback wake(stop.std_token(), [state = state_] {
      const std::lock_guard lock(state->mutex);
      state->changed.notify_all();
    });
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [&] { return state_->ended || stop.stop_requested(); });
    state_->changed.wait_for(lock, limits::foreign_grace, [&] { return state_->ended; });
  }

  // What the call returned; nullopt where it has not ended. Throws what it threw. Once.
  std::optional<Output> take() {
    const std::lock_guard lock(state_->mutex);
    if (state_->failure) std::rethrow_exception(std::exchange(state_->failure, nullptr));
    return std::exchange(state_->output, std::nullopt);
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    bool ended = false;
    std::optional<Output> output;
    std::exception_ptr failure;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::thread thread_;
};

}  // namespace assent::base
