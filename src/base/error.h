#pragma once
// Errors as values. Our own code throws nothing; a library's exceptions are caught where they
// enter.

#include <cstdint>
#include <string>
#include <string_view>

namespace assent::base {

// The closed set of what can go wrong, as a caller has to tell it apart. The message is for people.
enum class ErrorKind : std::uint8_t {
  invalid,      // the input is wrong: arguments, a file, the wire
  not_found,    // what was named does not exist
  conflict,     // somebody else changed it first
  limit,        // a bound of limits.h or of the configuration
  cancelled,    // the stop token fired
  timed_out,    // a deadline passed
  unavailable,  // a service, a kernel feature or a peer is not there
  denied,       // a decision or the kernel refused
  io,           // the system call failed for another reason
  corrupt,      // stored data contradicts itself
  internal,     // our own fault
};

std::string_view to_text(ErrorKind kind);

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  std::string call{};  // the system call that failed, empty where there was none
  int code = 0;        // its errno

  // The same error with what was being done in front: "reading a/b: <message>".
  [[nodiscard]] Error in(std::string_view context) const;
  bool operator==(const Error&) const = default;
};

// What `call` says with `code` (an errno), with a kind that fits the code.
Error system_error(std::string_view call, int code);
// The same for the calling thread's errno.
Error last_system_error(std::string_view call);

}  // namespace assent::base
