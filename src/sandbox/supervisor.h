#pragma once
// One small process for each call: starts the command, serves the witness' listener, and leaves
// nothing of the process tree behind. It lives outside the confinement and dies with the harness.

#include <span>

#include "base/fd.h"
#include "sandbox/command.h"

namespace assent::sandbox {

struct CallDescriptors {
  base::Fd control;  // request in, report out; closing it or a byte on it ends the call
  base::Fd input;
  base::Fd output;
  base::Fd errors;
};

// Returns the exit code of the supervisor's process.
int supervise(CallDescriptors descriptors, std::span<const Body> bodies);

}  // namespace assent::sandbox
