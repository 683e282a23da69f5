#pragma once
// A closed set of words and the enumeration they spell, in one table.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace assent::vocabulary {

template <class Enum, std::size_t N>
struct Words {
  std::array<std::pair<Enum, std::string_view>, N> table;

  // "unknown" for a value outside the set: only a cast can make one.
  [[nodiscard]] constexpr std::string_view text(Enum value) const {
    for (const auto& [known, word] : table) {
      if (known == value) return word;
    }
    return "unknown";
  }
  [[nodiscard]] constexpr std::optional<Enum> from(std::string_view word) const {
    for (const auto& [value, known] : table) {
      if (known == word) return value;
    }
    return std::nullopt;
  }
};

}  // namespace assent::vocabulary
