#pragma once
// What a lasting consent covers (policy.md, Grants).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assent::vocabulary {

enum class GrantKind : std::uint8_t { exact, path_range };

// `pattern`: the digest of the one call; or the folder, absolute and resolved, under which files
// may be written.
struct GrantScope {
  GrantKind kind = GrantKind::exact;
  std::string pattern;
  bool operator==(const GrantScope&) const = default;
};

std::string_view to_text(GrantKind kind);
std::optional<GrantKind> grant_kind_from(std::string_view text);

}  // namespace assent::vocabulary
