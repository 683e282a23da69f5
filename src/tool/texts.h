#pragma once
// What the model reads where a call has no ordinary result: one catalogue, keyed by outcome (K-10).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "approval/service.h"

namespace assent::tool {

enum class Language : std::uint8_t { en, zh };

// B-021, with the asker's reason behind it (D-06).
std::string no_service_text(std::string_view tool, const std::optional<std::string>& reason);
// B-023.
std::string no_agent_text(std::string_view tool);
// B-029; `never` and repeats have texts of their own, because no user said no. Source 1's literal
// for a rejection in `zh`.
std::string refusal_text(std::string_view tool, const approval::Decided& decided,
                         Language language);

// What stands before the cause where an audit failed or a question could not be put (K-09).
constexpr std::string_view approval_failed_text(Language language) {
  return language == Language::zh ? "审批请求失败" : "the approval request failed";
}
// Behind an output that is cut for display.
constexpr std::string_view cut_mark(Language language) {
  return language == Language::zh ? "... (已截断)" : "... (cut)";
}

inline constexpr std::string_view aborted_before_dispatch_text =
    "the call was aborted before it was dispatched; nothing ran";
inline constexpr std::string_view stale_text =
    "what this call was cleared for changed before it could run; nothing ran. Look again and send "
    "the "
    "call anew if it is still wanted";

}  // namespace assent::tool
