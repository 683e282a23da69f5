#pragma once
// What this kernel enforces, tried in a child: presence tests lie (sandbox-facts, section 7).

#include <string>

#include "sandbox/launcher.h"

namespace assent::sandbox {

// Runs in the confined child: 0 where a write to the temporary folder works.
int self_test_body();

// `writable` is the launcher's temporary folder.
SelfTest run_self_test(Launcher& launcher, const std::string& writable);

}  // namespace assent::sandbox
