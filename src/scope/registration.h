#pragma once
// The handle that every registration returns: when it goes, what it registered goes.

#include <functional>
#include <utility>

namespace assent::scope {

// Move-only. Destroying or resetting it undoes the registration, once; safe after the registry
// itself is gone. Any thread.
class Registration {
 public:
  Registration() = default;
  explicit Registration(std::move_only_function<void()> undo) : undo_(std::move(undo)) {}
  Registration(Registration&& other) noexcept : undo_(std::exchange(other.undo_, nullptr)) {}
  Registration& operator=(Registration&& other) noexcept {
    if (this != &other) {
      reset();
      undo_ = std::exchange(other.undo_, nullptr);
    }
    return *this;
  }
  Registration(const Registration&) = delete;
  Registration& operator=(const Registration&) = delete;
  ~Registration() { reset(); }

  void reset() {
    if (auto undo = std::exchange(undo_, nullptr)) undo();
  }

 private:
  std::move_only_function<void()> undo_;
};

}  // namespace assent::scope
