#pragma once
// Grants in memory, gone with the process. Any thread.

#include <compare>
#include <map>
#include <mutex>
#include <string>

#include "approval/types.h"
#include "base/clock.h"

namespace assent::approval {

// Indexed by session, tool, work dir and digest: one grant covers exactly the call that it was
// given for (A-094 … A-097; deviation from A-039).
class MemoryGrantStore final : public GrantStore {
 public:
  explicit MemoryGrantStore(const base::Clock& clock) : clock_(clock) {}

  base::Result<std::optional<vocabulary::GrantId>> has(const Request& request,
                                                       const base::StopToken& stop) override;
  // Refuses an empty session id, then an empty tool name (A-047 … A-049), then an empty work dir.
  base::Result<void> save(const Grant& grant, const base::StopToken& stop) override;
  base::Result<void> revoke(const Grant& grant, const base::StopToken& stop) override;

 private:
  struct Key {
    vocabulary::SessionId session;
    std::string tool_name;
    std::string work_dir;
    std::string digest;
    auto operator<=>(const Key&) const = default;
  };
  const base::Clock& clock_;
  std::mutex mutex_;  // exclusive also for has(): it cleans up what has expired
  std::map<Key, Grant> grants_;
};

}  // namespace assent::approval
