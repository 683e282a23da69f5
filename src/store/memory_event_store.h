#pragma once
// Sessions in memory, gone with the process: for tests and for runs that shall leave nothing.

#include <map>
#include <mutex>

#include "store/event_store.h"

namespace assent::store {

class MemoryEventStore final : public EventStore {
 public:
  base::Result<void> append(const vocabulary::SessionId& session, std::int64_t next_seq,
                            std::span<const event::Record> records) override;
  base::Result<std::vector<event::Record>> read(const vocabulary::SessionId& session,
                                                std::int64_t from_seq, std::int64_t count) override;
  base::Result<std::vector<SessionSummary>> sessions() override;

 private:
  std::mutex mutex_;
  std::map<vocabulary::SessionId, std::vector<event::Record>> sessions_;
};

}  // namespace assent::store
