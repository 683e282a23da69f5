#pragma once
// What is asked about when no rule speaks (decisions.md, section 4). Pure.

#include <cstdint>
#include <string>

#include "vocabulary/effect.h"
#include "vocabulary/modes.h"
#include "vocabulary/risk.h"

namespace assent::policy {

enum class Verdict : std::uint8_t { allow, ask, deny };  // mildest first

// Whether this very call would run under a sandbox that the self-test saw enforcing its mode; a
// partial tier counts only where the user accepted it.
enum class Confined : std::uint8_t { no, yes };

struct Reviewed {
  vocabulary::Risk risk = vocabulary::Risk::dangerous;
  const vocabulary::Effects& effects;
  vocabulary::SandboxMode mode =
      vocabulary::SandboxMode::read_only;  // the session's effective mode
  Confined confined = Confined::no;
};

struct Judgement {
  Verdict verdict = Verdict::deny;
  std::string by{};    // "review", "unknown"
  std::string text{};  // why, for a person; empty on allow
  bool operator==(const Judgement&) const = default;
};

// The table of decisions.md: safe → allow; under danger-full-access review never asks (B-089,
// B-137); a risk outside the set → deny.
Judgement review(vocabulary::Review knob, const Reviewed& call);

// Whether the call could change anything: it writes, deletes, connects, calls out or is opaque.
bool makes_changes(const vocabulary::Effects& effects);

}  // namespace assent::policy
