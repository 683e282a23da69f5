#pragma once
// The grants of one live session, as its log has them (K-21). Any thread.

#include "approval/memory_grant_store.h"
#include "session/session.h"

namespace assent::approval {

// A grant counts from its grant/saved event on, which stands behind the decision it was given with,
// until its grant/revoked: what the log does not say never answers a question. Those of an earlier
// run do not count.
class SessionGrants final : public GrantStore {
 public:
  // Both must outlive this.
  SessionGrants(session::Session& session, const base::Clock& clock);

  base::Result<std::optional<vocabulary::GrantId>> has(const Request& request,
                                                       const base::StopToken& stop) override;
  // Checks what could be saved; it is the event that saves.
  base::Result<void> save(const Grant& grant, const base::StopToken& stop) override;
  base::Result<void> revoke(const Grant& grant, const base::StopToken& stop) override;
  // Those that count now, oldest first.
  [[nodiscard]] std::vector<Grant> alive() { return live_.alive(); }

 private:
  MemoryGrantStore live_;
  scope::Registration hearing_;
};

}  // namespace assent::approval
