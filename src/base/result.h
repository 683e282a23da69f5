#pragma once
// Result<T>, and the two ways to open one: TRY hands the error up, MUST states that there is none.

#include <cstdio>
#include <cstdlib>
#include <expected>
#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace assent::base {

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> failure(ErrorKind kind, std::string message) {
  return std::unexpected(Error{kind, std::move(message)});
}
inline std::unexpected<Error> failure(Error error) { return std::unexpected(std::move(error)); }

namespace detail {

template <class T>
T take(Result<T>&& result) {
  if constexpr (std::is_void_v<T>) {
    return;
  } else {
    return std::move(*result);
  }
}

[[noreturn]] inline void die(const Error& error, const char* file, int line) {
  std::fprintf(stderr, "assent: %s:%d: %s\n", file, line, error.message.c_str());
  std::abort();
}

}  // namespace detail
}  // namespace assent::base

// A name of its own for each use, so that one may stand inside another.
#define ASSENT_JOIN_(a, b) a##b
#define ASSENT_JOIN(a, b) ASSENT_JOIN_(a, b)

// The value of `expression` (a Result), or return its error from the enclosing function.
#define TRY(expression) ASSENT_TRY_AS(ASSENT_JOIN(try_result_, __COUNTER__), expression)
#define ASSENT_TRY_AS(result, expression)                               \
  (__extension__({                                                      \
    auto result = (expression);                                         \
    if (!result) return ::std::unexpected(::std::move(result).error()); \
    ::assent::base::detail::take(::std::move(result));                  \
  }))

// The value of `expression`; an error here is a bug of ours and ends the process.
#define MUST(expression) ASSENT_MUST_AS(ASSENT_JOIN(must_result_, __COUNTER__), expression)
#define ASSENT_MUST_AS(result, expression)                                        \
  (__extension__({                                                                \
    auto result = (expression);                                                   \
    if (!result) ::assent::base::detail::die(result.error(), __FILE__, __LINE__); \
    ::assent::base::detail::take(::std::move(result));                            \
  }))
