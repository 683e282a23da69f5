#pragma once
// What --version prints; the number is that of CHANGELOG.md and of the build's project().

#include <string_view>

namespace assent::app {

inline constexpr std::string_view version_line = "assent 0.1.0";

}  // namespace assent::app
