#include "json/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace assent::json {

Value normal_number(double number) {
  constexpr auto bound = static_cast<double>(exact_integer_max);
  if (number >= -bound && number <= bound && std::trunc(number) == number) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

std::optional<std::int64_t> as_integer(const Value& value) {
  if (const auto* number = value.if_int64()) return *number;
  if (const auto* number = value.if_uint64()) {
    if (*number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  if (const auto* number = value.if_double()) {
    const Value normal = normal_number(*number);
    if (const auto* integer = normal.if_int64()) return *integer;
  }
  return std::nullopt;
}

std::optional<double> as_double(const Value& value) {
  if (const auto* number = value.if_int64()) return static_cast<double>(*number);
  if (const auto* number = value.if_uint64()) return static_cast<double>(*number);
  if (const auto* number = value.if_double()) return *number;
  return std::nullopt;
}

namespace {

// A number as digits d1 d2 … dk and n, meaning 0.d1d2…dk * 10^n: the terms in which ECMAScript
// states the format.
struct Decimal {
  std::array<char, 32> digits;
  int count;
  int point;
};

Decimal shortest(double magnitude) {
  std::array<char, 32> text{};
  const char* const end =
      std::to_chars(text.begin(), text.end(), magnitude, std::chars_format::scientific).ptr;
  Decimal decimal{};
  const char* at = text.data();
  for (; at != end && *at != 'e'; ++at) {
    if (*at != '.') decimal.digits[static_cast<std::size_t>(decimal.count++)] = *at;
  }
  const bool negative = at[1] == '-';
  int exponent = 0;
  std::from_chars(at + 2, end, exponent);  // behind the 'e' and the sign that is always there
  decimal.point = (negative ? -exponent : exponent) + 1;
  return decimal;
}

}  // namespace

void append_number(std::string& out, double number) {
  if (number == 0) {
    out += '0';  // a zero has no sign here
    return;
  }
  if (number < 0) out += '-';
  const Decimal decimal = shortest(std::fabs(number));
  const std::string_view digits(decimal.digits.data(), static_cast<std::size_t>(decimal.count));
  const int point = decimal.point;
  const auto zeros = [&out](int count) { out.append(static_cast<std::size_t>(count), '0'); };
  if (point > 0 && point <= 21) {
    if (decimal.count <= point) {
      out += digits;
      zeros(point - decimal.count);
      return;
    }
    out += digits.substr(0, static_cast<std::size_t>(point));
    out += '.';
    out += digits.substr(static_cast<std::size_t>(point));
    return;
  }
  if (point > -6 && point <= 0) {
    out += "0.";
    zeros(-point);
    out += digits;
    return;
  }
  out += digits[0];
  if (decimal.count > 1) {
    out += '.';
    out += digits.substr(1);
  }
  const int exponent = point - 1;
  out += exponent < 0 ? "e-" : "e+";
  out += std::to_string(std::abs(exponent));
}

}  // namespace assent::json
