#pragma once
// Presets: the four knobs, bundled under a name (B-002, decisions.md section 4). Configuration
// only: nothing here approves or executes, and execution reads the knobs, never the preset (B-082,
// B-088).

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "event/state.h"
#include "session/session.h"
#include "vocabulary/modes.h"

namespace assent::permission {

struct PresetSpec {
  std::string name;
  vocabulary::Knobs knobs;
  std::string description{};
  bool operator==(const PresetSpec&) const = default;
};

// "custom" is what current() says where no entry fits; it is no entry's name.
inline constexpr std::string_view custom_preset = "custom";

// A value: an ordered table with a default.
class PresetTable {
 public:
  // ErrorKind::invalid: an empty table, an empty or repeated name, one named "custom", an unknown
  // default (B-155).
  static base::Result<PresetTable> create(std::vector<PresetSpec> specs,
                                          std::string_view default_name);
  // workspace-write (default), danger-full-access, careful, read-only, ci.
  static PresetTable shipped();

  [[nodiscard]] std::span<const PresetSpec> specs() const { return specs_; }
  [[nodiscard]] const PresetSpec& default_spec() const { return specs_[default_]; }
  // ErrorKind::not_found names the known ones.
  [[nodiscard]] base::Result<const PresetSpec*> find(std::string_view name) const;
  // Derived from the knobs: the recorded choice while it still fits, else the first entry that
  // does, else "custom" (B-154).
  [[nodiscard]] std::string_view current(const event::State& state) const;

 private:
  std::vector<PresetSpec> specs_;
  std::size_t default_ = 0;
};

// Appends the knobs that change, in the order sandbox/mode, approval/policy, policy/review,
// grant/mode, then, where something narrowed, grant/revoked for every grant that counts (policy.md,
// Grants), then permission/preset. Switching to the current preset appends nothing (P-064). For the
// session's writer.
base::Result<void> switch_preset(session::Session& session, const PresetTable& table,
                                 std::string_view name);

// setPolicy of source 2 (B-114, B-115): nothing where `policy` is in force already; else
// approval/policy, and the grants go where it is `never`. The model is told by the agent, at its
// next step (B-116). For the session's writer.
base::Result<void> set_policy(session::Session& session, vocabulary::ApprovalPolicy policy);

// Pins all four knobs and the preset into a new session (B-156). For the session's writer.
base::Result<void> pin_preset(session::Session& session, const PresetSpec& spec);

// "writes: this folder · network: off · asks: to leave it"
std::string in_words(const vocabulary::Knobs& knobs);

}  // namespace assent::permission
