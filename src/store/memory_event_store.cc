#include "store/memory_event_store.h"

#include <algorithm>
#include <utility>

#include "store/summary.h"

namespace assent::store {

using base::Result;

Result<void> MemoryEventStore::append(const vocabulary::SessionId& session, std::int64_t next_seq,
                                      std::span<const event::Record> records) {
  TRY(check_sequence(next_seq, records));
  if (records.empty()) return {};
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  const std::size_t length = found == sessions_.end() ? 0 : found->second.size();
  if (std::cmp_not_equal(length, next_seq)) return conflict(session, next_seq);
  auto& stored = sessions_[session];
  stored.insert(stored.end(), records.begin(), records.end());
  return {};
}

Result<std::vector<event::Record>> MemoryEventStore::read(const vocabulary::SessionId& session,
                                                          std::int64_t from_seq,
                                                          std::int64_t count) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) return std::vector<event::Record>{};
  const auto size = static_cast<std::int64_t>(found->second.size());
  const std::int64_t from = std::clamp<std::int64_t>(from_seq, 0, size);
  const std::int64_t to = from + std::clamp<std::int64_t>(count, 0, size - from);
  return std::vector(found->second.begin() + from, found->second.begin() + to);
}

Result<std::vector<SessionSummary>> MemoryEventStore::sessions() {
  const std::lock_guard lock(mutex_);
  std::vector<SessionSummary> summaries;
  for (const auto& [id, records] : sessions_) {
    SessionSummary summary{.id = id};
    for (const auto& record : records) take(summary, record);
    summaries.push_back(std::move(summary));
  }
  std::ranges::sort(summaries, [](const auto& a, const auto& b) {
    return std::pair(b.last_ms, b.id) < std::pair(a.last_ms, a.id);
  });
  return summaries;
}

}  // namespace assent::store
