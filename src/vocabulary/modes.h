#pragma once
// The four knobs of a session, as every room spells them. Values only.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assent::vocabulary {

// What a confined call may touch (sandbox.md; B-084, P-069).
enum class SandboxMode : std::uint8_t { read_only, workspace_write, danger_full_access };
// Whether a question may reach a human at all (B-042).
enum class ApprovalPolicy : std::uint8_t { ask, never };
// What is asked about when no rule speaks (decisions.md, section 4).
enum class Review : std::uint8_t { mutations, changes, escalations };
// Which grants a human may give (K-01).
enum class GrantMode : std::uint8_t { off, exact, scoped };

// Words as they stand on the wire and in configuration; an unknown word is nullopt, never a
// default.
std::string_view to_text(SandboxMode mode);
std::string_view to_text(ApprovalPolicy policy);
std::string_view to_text(Review review);
std::string_view to_text(GrantMode mode);
std::optional<SandboxMode> sandbox_mode_from(std::string_view text);
std::optional<ApprovalPolicy> approval_policy_from(std::string_view text);
std::optional<Review> review_from(std::string_view text);
std::optional<GrantMode> grant_mode_from(std::string_view text);

// WIDER_MODES of source 2 (B-060 … B-062): what is strictly wider than `mode`, narrowest first.
std::span<const SandboxMode> wider_modes(SandboxMode mode);
bool is_strictly_wider(SandboxMode target, SandboxMode current);
// The one of the two that permits less.
SandboxMode stricter(SandboxMode a, SandboxMode b);

// All four knobs; the default-made value is the preset workspace-write.
struct Knobs {
  SandboxMode sandbox = SandboxMode::workspace_write;
  ApprovalPolicy approval = ApprovalPolicy::ask;
  Review review = Review::escalations;
  GrantMode grants = GrantMode::off;
  bool operator==(const Knobs&) const = default;
};

// Whether `now` permits less than `then` somewhere. Review and grants narrow towards the front of
// their enumerations.
bool narrows(const Knobs& then, const Knobs& now);

}  // namespace assent::vocabulary
