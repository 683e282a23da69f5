#include "provider/retry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/limits.h"

namespace assent::provider {
namespace {

using base::Milliseconds;

// No wait is longer: it bounds the arithmetic, the caller bounds the patience.
constexpr double longest_wait_ms = 1e12;

// A number that is not negative, whole or with a fraction, and nothing else.
std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, code] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value) || value < 0) return std::nullopt;
  return value;
}

Milliseconds milliseconds(double value) {
  return Milliseconds(static_cast<std::int64_t>(std::ceil(std::min(value, longest_wait_ms))));
}

std::optional<int> digits(std::string_view text) {
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

// "Sun, 06 Nov 1994 08:49:37 GMT" as milliseconds since the epoch.
std::optional<std::int64_t> http_date(std::string_view text) {
  static constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  static constexpr std::string_view shape = "???, ?? ??? ???? ??:??:?? GMT";
  if (text.size() != shape.size()) return std::nullopt;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != '?' && shape[i] != text[i]) return std::nullopt;
  }
  const auto month = months.find(text.substr(8, 3));
  const auto day = digits(text.substr(5, 2));
  const auto year = digits(text.substr(12, 4));
  const auto hour = digits(text.substr(17, 2));
  const auto minute = digits(text.substr(20, 2));
  const auto second = digits(text.substr(23, 2));
  if (month == std::string_view::npos || month % 3 != 0 || !day || !year || !hour || !minute ||
      !second) {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(month / 3 + 1)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  const auto time = std::chrono::sys_days(date) + std::chrono::hours(*hour) +
                    std::chrono::minutes(*minute) + std::chrono::seconds(*second);
  return std::chrono::duration_cast<Milliseconds>(time.time_since_epoch()).count();
}

}  // namespace

bool may_repeat(const net::HttpHead& head) {
  if (const std::string* word = head.find("x-should-retry")) {
    if (*word == "true") return true;
    if (*word == "false") return false;
  }
  return head.status == 408 || head.status == 409 || head.status == 429 || head.status >= 500;
}

std::optional<Milliseconds> asked_wait(const net::HttpHead& head, const base::Clock& clock) {
  if (const std::string* text = head.find("retry-after-ms")) {
    if (const auto value = number(*text)) return milliseconds(*value);
  }
  const std::string* text = head.find("retry-after");
  if (text == nullptr) return std::nullopt;
  if (const auto value = number(*text)) return milliseconds(*value * 1000);
  if (const auto date = http_date(*text)) {
    return Milliseconds(std::max<std::int64_t>(*date - clock.now_ms(), 0));
  }
  return std::nullopt;
}

Milliseconds backoff(int failed, base::Rng& rng) {
  Milliseconds wait = base::limits::request_backoff;
  for (int i = 1; i < failed && wait < base::limits::request_backoff_max; ++i) wait *= 2;
  wait = std::min(wait, base::limits::request_backoff_max);
  std::array<std::byte, sizeof(std::uint32_t)> bytes{};
  rng.fill(bytes);
  std::uint32_t random = 0;
  std::memcpy(&random, bytes.data(), sizeof random);
  const std::int64_t quarter = wait.count() / 4;
  return wait - Milliseconds((quarter * random) >> 32);
}

bool may_pass(base::ErrorKind kind) {
  return kind == base::ErrorKind::unavailable || kind == base::ErrorKind::timed_out ||
         kind == base::ErrorKind::io;
}

}  // namespace assent::provider
