#include "base/id.h"

#include <array>
#include <cstdint>

namespace assent::base {

std::string make_uuid_v7(const Clock& clock, Rng& rng) {
  std::array<std::byte, 16> bytes{};
  rng.fill(bytes);
  const auto time = static_cast<std::uint64_t>(clock.now_ms());
  for (std::size_t i = 0; i < 6; ++i) {
    bytes[i] = static_cast<std::byte>(time >> (8 * (5 - i)));
  }
  bytes[6] = (bytes[6] & std::byte{0x0f}) | std::byte{0x70};  // version 7
  bytes[8] = (bytes[8] & std::byte{0x3f}) | std::byte{0x80};  // variant of RFC 9562
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += digits[std::to_integer<unsigned>(bytes[i]) >> 4];
    text += digits[std::to_integer<unsigned>(bytes[i]) & 15];
  }
  return text;
}

}  // namespace assent::base
