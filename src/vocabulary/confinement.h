#pragma once
// What one call may run under (decisions.md, Clearance).

#include <string>
#include <vector>

#include "vocabulary/modes.h"

namespace assent::vocabulary {

// The minimum that a call asked for beyond its mode (B-079 and decisions.md).
struct ExtraPermissions {
  std::vector<std::string> write{};    // absolute paths, resolved
  std::vector<std::string> connect{};  // host or host:port
  [[nodiscard]] bool empty() const { return write.empty() && connect.empty(); }
  bool operator==(const ExtraPermissions&) const = default;
};

struct Confinement {
  SandboxMode mode = SandboxMode::read_only;
  ExtraPermissions extra{};
  bool operator==(const Confinement&) const = default;
};

}  // namespace assent::vocabulary
