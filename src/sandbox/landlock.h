#pragma once
// Landlock by direct system calls, with constants of our own: the distribution's header stops at
// ABI 2 (sandbox-facts, section 2c).

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace assent::sandbox {

// 0 where the kernel has none or it is switched off.
int landlock_abi();

struct LandlockRules {
  std::vector<std::string> writable{};          // files and folders with everything below them
  std::vector<std::string> write_only_files{};  // /dev/null and kin: write, no change of the folder
  // Empty: everything may be read. Else only what lies below these.
  std::vector<std::string> readable{};
};

// Restricts the calling thread and all that come from it: no writes but where `rules` permit, no
// TCP (ABI 4), no device ioctls outside (ABI 5), no signals and abstract sockets to others (ABI 6).
// A path that does not exist is left out. no_new_privs must be set.
base::Result<void> restrict_self(const LandlockRules& rules);

// What may be read when `masked` may not: along the way to each masked path everything beside it.
// Folders are listed once; the answer is meant for one call.
std::vector<std::string> readable_around(const std::vector<std::string>& masked);

}  // namespace assent::sandbox
