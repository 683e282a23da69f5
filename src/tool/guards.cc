#include "tool/guards.h"

#include <exception>

#include <fmt/format.h>

namespace assent::tool {

std::optional<std::string> Guards::veto(const Execution& execution) const {
  for (const auto& guard : guards_.outside_in(execution.path)) {
    try {
      if (auto reason = (*guard)(execution)) return reason;
    } catch (const std::exception& error) {
      return fmt::format("a guard failed: {}", error.what());
    } catch (...) {
      return "a guard failed";
    }
  }
  return std::nullopt;
}

}  // namespace assent::tool
