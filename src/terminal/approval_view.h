#pragma once
// A request as text, in the order of channels.md. Pure. What a model or a tool wrote is escaped and
// stands behind a label of ours or a gutter, at every width.

#include <cstdint>
#include <string>

#include "approval/types.h"

namespace assent::terminal {

enum class Catalogue : std::uint8_t { en, zh };

// Arguments and diff of more than `most_shown` bytes are cut in the middle, which a line of ours
// says; with `whole` nothing is.
enum class Extent : std::uint8_t { cut, whole };
inline constexpr std::size_t most_shown = 4096;

struct ApprovalView {
  const approval::Request& request;
  Catalogue catalogue = Catalogue::en;
  std::string_view agent{};  // "child 2"; empty for the root

  // All lines up to the prompt for an answer, wrapped to `columns` (text::not_wrapped: not).
  [[nodiscard]] std::string text(Extent extent, std::size_t columns) const;
  // The last line, without its end: which answers there are. Source 1's literal in `zh`;
  // `[a]` only where a grant may exist (A-087 and its deviation).
  [[nodiscard]] std::string prompt() const;
};

}  // namespace assent::terminal
