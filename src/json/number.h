#pragma once
// The one form a number has in a parsed value, and its text in the canonical form. Any thread.

#include <cstdint>
#include <optional>
#include <string>

#include "json/value.h"

namespace assent::json {

// The largest magnitude up to which every integer is a double (2^53).
inline constexpr std::int64_t exact_integer_max = std::int64_t{1} << 53;

// An integral number within ±2^53 becomes an int64, every other number a double; a value never
// holds the same number in two ways. `number` is finite.
Value normal_number(double number);

// The integer that a value holds, whichever kind holds it; nullopt for a fraction, a number beyond
// int64 and whatever is no number.
std::optional<std::int64_t> as_integer(const Value& value);

// The number that a value holds as a double; nullopt for whatever is no number.
std::optional<double> as_double(const Value& value);

// Appends what ECMAScript's Number::toString gives (RFC 8785, section 3.2.2.3). `number` is finite.
void append_number(std::string& out, double number);

}  // namespace assent::json
