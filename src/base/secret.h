#pragma once
// A value that no log, message or debugger print shows: it has no operator<<, no formatter and no
// implicit conversion.

#include <string>
#include <utility>

namespace assent::base {

class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string value) : value_(std::move(value)) {}
  [[nodiscard]] bool empty() const { return value_.empty(); }
  // The one way to the bytes; every use is found by its name.
  [[nodiscard]] const std::string& reveal() const { return value_; }

 private:
  std::string value_;
};

}  // namespace assent::base
