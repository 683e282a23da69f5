#pragma once
// A tool's own declaration of what it is capable of: a coarse class, not an authorisation.

#include <cstdint>
#include <optional>
#include <string_view>

namespace assent::vocabulary {

// A value outside the set (only a cast makes one) is denied by every policy.
enum class Risk : std::uint8_t { safe, mutating, dangerous };

std::string_view to_text(Risk risk);
std::optional<Risk> risk_from(std::string_view text);

}  // namespace assent::vocabulary
