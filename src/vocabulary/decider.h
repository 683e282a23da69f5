#pragma once
// The words in an event's `by` that stand for deciders other than a human at a channel.

#include <string_view>

namespace assent::vocabulary {

inline constexpr std::string_view by_never = "never";    // the approval policy
inline constexpr std::string_view by_repeat = "repeat";  // rejected before in this turn (B-122)
inline constexpr std::string_view by_policy = "policy";  // the gate's policy
inline constexpr std::string_view by_grant = "grant";
inline constexpr std::string_view by_cancel = "cancel";
inline constexpr std::string_view by_deadline = "deadline";
inline constexpr std::string_view by_nobody = "no answerer";
inline constexpr std::string_view by_failure = "answerer failed";

// A channel names itself and its user: "terminal:alice".
constexpr bool is_human(std::string_view by) {
  return by != by_never && by != by_repeat && by != by_policy && by != by_grant &&
         by != by_cancel && by != by_deadline && by != by_nobody && !by.starts_with(by_failure);
}

}  // namespace assent::vocabulary
