#pragma once
// What the process says at its end (channels.md, Exit codes).

#include <cstdint>

#include "agent/agent.h"
#include "base/error.h"

namespace assent::app {

enum class ExitCode : std::uint8_t {
  done = 0,
  failed = 1,
  usage = 2,    // arguments or configuration
  refused = 3,  // the task ended because a call was refused; doctor: nothing is enforced
  cancelled = 4,
  limit = 5,
};

// Whether any refused call makes the run one that was refused (--fail-on-denied).
enum class FailOn : std::uint8_t { refusal_at_end, any_refusal };

ExitCode exit_code(const agent::TurnResult& result, FailOn fail_on);
// For an error that ended the program before or outside a turn.
ExitCode exit_code(const base::Error& error);

}  // namespace assent::app
