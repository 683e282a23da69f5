#include "vocabulary/modes.h"

#include <algorithm>
#include <array>

#include "vocabulary/words.h"

namespace assent::vocabulary {
namespace {

constexpr Words<SandboxMode, 3> sandbox_words{
    {{{SandboxMode::read_only, "read-only"},
      {SandboxMode::workspace_write, "workspace-write"},
      {SandboxMode::danger_full_access, "danger-full-access"}}}};
constexpr Words<ApprovalPolicy, 2> policy_words{
    {{{ApprovalPolicy::ask, "ask"}, {ApprovalPolicy::never, "never"}}}};
constexpr Words<Review, 3> review_words{{{{Review::mutations, "mutations"},
                                          {Review::changes, "changes"},
                                          {Review::escalations, "escalations"}}}};
constexpr Words<GrantMode, 3> grant_words{
    {{{GrantMode::off, "off"}, {GrantMode::exact, "exact"}, {GrantMode::scoped, "scoped"}}}};

constexpr std::array wider_than_read_only{SandboxMode::workspace_write,
                                          SandboxMode::danger_full_access};
constexpr std::array wider_than_workspace_write{SandboxMode::danger_full_access};

}  // namespace

std::string_view to_text(SandboxMode mode) { return sandbox_words.text(mode); }
std::string_view to_text(ApprovalPolicy policy) { return policy_words.text(policy); }
std::string_view to_text(Review review) { return review_words.text(review); }
std::string_view to_text(GrantMode mode) { return grant_words.text(mode); }
std::optional<SandboxMode> sandbox_mode_from(std::string_view text) {
  return sandbox_words.from(text);
}
std::optional<ApprovalPolicy> approval_policy_from(std::string_view text) {
  return policy_words.from(text);
}
std::optional<Review> review_from(std::string_view text) { return review_words.from(text); }
std::optional<GrantMode> grant_mode_from(std::string_view text) { return grant_words.from(text); }

std::span<const SandboxMode> wider_modes(SandboxMode mode) {
  switch (mode) {
    case SandboxMode::read_only: return wider_than_read_only;
    case SandboxMode::workspace_write: return wider_than_workspace_write;
    case SandboxMode::danger_full_access: return {};
  }
  return {};
}

bool is_strictly_wider(SandboxMode target, SandboxMode current) {
  return std::ranges::find(wider_modes(current), target) != wider_modes(current).end();
}

bool narrows(const Knobs& then, const Knobs& now) {
  return is_strictly_wider(then.sandbox, now.sandbox) ||
         (then.approval == ApprovalPolicy::ask && now.approval == ApprovalPolicy::never) ||
         now.review < then.review || now.grants < then.grants;
}

SandboxMode stricter(SandboxMode a, SandboxMode b) { return is_strictly_wider(a, b) ? b : a; }

}  // namespace assent::vocabulary
