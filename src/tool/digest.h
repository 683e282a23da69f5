#pragma once
// What a human consented to, in 32 bytes (decisions.md, section 1).

#include <string>

#include "json/value.h"
#include "tool/call_view.h"
#include "vocabulary/confinement.h"
#include "vocabulary/effect.h"

namespace assent::tool {

struct Consent {
  std::string_view tool;
  const json::Object& arguments;
  const vocabulary::Effects& effects;
  const vocabulary::Confinement& confinement;
};

// "sha256:" and 64 hexadecimal digits over "assent call v1\0" and the canonical JSON of: tool,
// arguments, working directory (path, device, inode), the effects with their resolved paths and
// programs, the confinement, and the present content of every file that the call changes or runs.
std::string digest(const Consent& consent, const CallView& view);

}  // namespace assent::tool
