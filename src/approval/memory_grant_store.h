#pragma once
// Grants in memory, gone with the process. Any thread.

#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "approval/types.h"
#include "base/clock.h"

namespace assent::approval {

// Indexed by session, tool and work dir; what a grant covers within them is its scope's to say
// (A-094 … A-099; deviation from A-039).
class MemoryGrantStore final : public GrantStore {
 public:
  explicit MemoryGrantStore(const base::Clock& clock) : clock_(clock) {}

  // Drops what has expired.
  base::Result<std::optional<vocabulary::GrantId>> has(const Request& request,
                                                       const base::StopToken& stop) override;
  // Refuses an empty session id, then an empty tool name (A-047 … A-049), then an empty work dir. A
  // grant of the same scope is overwritten.
  base::Result<void> save(const Grant& grant, const base::StopToken& stop) override;
  // The grant of this scope.
  base::Result<void> revoke(const Grant& grant, const base::StopToken& stop) override;
  // Those that are alive, oldest first.
  [[nodiscard]] std::vector<Grant> alive();
  // The grant with this id, wherever it counts.
  void revoke(const vocabulary::GrantId& id);

 private:
  using Key = std::tuple<vocabulary::SessionId, std::string, std::string>;
  const base::Clock& clock_;
  std::mutex mutex_;  // exclusive also for has(): it cleans up what has expired
  std::map<Key, std::vector<Grant>> grants_;
};

// What save() of every store refuses.
base::Result<void> check_grant(const Grant& grant);

}  // namespace assent::approval
