// What parse takes, write gives back: the same value, in bytes that are already canonical.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "json/value.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace assent;
  const auto value = json::parse({reinterpret_cast<const char*>(data), size});
  if (!value) return 0;
  const std::string canonical = json::write(*value);
  const auto again = json::parse(canonical);
  if (!again || *again != *value || json::write(*again) != canonical) std::abort();
  return 0;
}
