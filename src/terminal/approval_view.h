#pragma once
// A request as text, in the order of channels.md. Pure. Everything that a model or a tool wrote is
// escaped and stands behind a gutter.

#include <cstdint>
#include <string>

#include "approval/types.h"

namespace assent::terminal {

enum class Catalogue : std::uint8_t { en, zh };

// All lines up to the prompt for an answer. Arguments and diff of more than `most_shown` bytes are
// cut in the middle, which is said; with `whole` nothing is.
enum class Extent : std::uint8_t { cut, whole };
inline constexpr std::size_t most_shown = 4096;

// Lines of others are wrapped to `columns` behind the gutter, so that none starts at the left edge.
std::string approval_text(const approval::Request& request, Catalogue catalogue, Extent extent,
                          std::size_t columns);
// The last line, without its end: which answers there are. Source 1's literal in `zh`;
// `[a]` only where a grant may exist (A-087 and its deviation).
std::string answer_prompt(const approval::Request& request, Catalogue catalogue);

}  // namespace assent::terminal
