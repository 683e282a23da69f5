#pragma once
// The words of the enumerations that occur in events. Internal to `event`.

#include <optional>
#include <string_view>

#include "event/events.h"
#include "vocabulary/modes.h"
#include "vocabulary/words.h"

namespace assent::event {

inline constexpr vocabulary::Words<TurnEndReason, 7> turn_end_words{
    {{{TurnEndReason::completed, "completed"},
      {TurnEndReason::aborted, "aborted"},
      {TurnEndReason::blocked, "blocked"},
      {TurnEndReason::error, "error"},
      {TurnEndReason::max_tokens, "max-tokens"},
      {TurnEndReason::limit, "limit"},
      {TurnEndReason::interrupted, "interrupted"}}}};
inline constexpr vocabulary::Words<vocabulary::PathAccess, 3> access_words{
    {{{vocabulary::PathAccess::read, "read"},
      {vocabulary::PathAccess::write, "write"},
      {vocabulary::PathAccess::remove, "delete"}}}};
inline constexpr vocabulary::Words<vocabulary::PathExtent, 2> extent_words{
    {{{vocabulary::PathExtent::path, "path"}, {vocabulary::PathExtent::subtree, "subtree"}}}};
inline constexpr vocabulary::Words<vocabulary::Modelled, 2> modelled_words{
    {{{vocabulary::Modelled::no, "no"}, {vocabulary::Modelled::yes, "yes"}}}};

inline std::string_view word(vocabulary::PathAccess value) { return access_words.text(value); }
inline std::string_view word(vocabulary::PathExtent value) { return extent_words.text(value); }
inline std::string_view word(vocabulary::Modelled value) { return modelled_words.text(value); }
template <class Enum>
std::string_view word(Enum value) {
  return to_text(value);
}

template <class Enum>
std::optional<Enum> from_word(std::string_view text) {
  if constexpr (std::is_same_v<Enum, TurnEndReason>) return turn_end_words.from(text);
  if constexpr (std::is_same_v<Enum, vocabulary::PathAccess>) return access_words.from(text);
  if constexpr (std::is_same_v<Enum, vocabulary::PathExtent>) return extent_words.from(text);
  if constexpr (std::is_same_v<Enum, vocabulary::Modelled>) return modelled_words.from(text);
  if constexpr (std::is_same_v<Enum, vocabulary::SandboxMode>) {
    return vocabulary::sandbox_mode_from(text);
  }
  if constexpr (std::is_same_v<Enum, vocabulary::ApprovalPolicy>) {
    return vocabulary::approval_policy_from(text);
  }
  if constexpr (std::is_same_v<Enum, vocabulary::Review>) return vocabulary::review_from(text);
  if constexpr (std::is_same_v<Enum, vocabulary::GrantKind>) {
    return vocabulary::grant_kind_from(text);
  }
  if constexpr (std::is_same_v<Enum, vocabulary::GrantMode>) {
    return vocabulary::grant_mode_from(text);
  }
  if constexpr (std::is_same_v<Enum, vocabulary::ApprovalOutcome>) {
    return vocabulary::approval_outcome_from(text);
  }
  if constexpr (std::is_same_v<Enum, vocabulary::ErrorCode>) {
    return vocabulary::error_code_from(text);
  }
}

template <class Alternative>
inline constexpr std::string_view effect_kind = "";
template <>
inline constexpr std::string_view effect_kind<vocabulary::PathEffect> = "path";
template <>
inline constexpr std::string_view effect_kind<vocabulary::ExecuteEffect> = "execute";
template <>
inline constexpr std::string_view effect_kind<vocabulary::ConnectEffect> = "connect";
template <>
inline constexpr std::string_view effect_kind<vocabulary::CallEffect> = "call";
template <>
inline constexpr std::string_view effect_kind<vocabulary::OpaqueEffect> = "opaque";

}  // namespace assent::event
