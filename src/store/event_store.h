#pragma once
// Where sessions live. Append-only; what append() acknowledged survives a crash of the process and,
// in a durable engine, of the machine.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/codec.h"
#include "vocabulary/ids.h"

namespace assent::store {

struct SessionSummary {
  vocabulary::SessionId id;
  std::string cwd{};  // of session/opened, like the parent: a child agent's has one
  std::optional<vocabulary::SessionId> parent{};
  std::int64_t opened_ms = 0;  // time of the first event
  std::int64_t last_ms = 0;    // time of the last one
  std::int64_t events = 0;
  std::int64_t open_approvals = 0;  // asked and not decided
  bool operator==(const SessionSummary&) const = default;
};

// Any thread; each call is atomic.
class EventStore {
 public:
  virtual ~EventStore() = default;
  // All of `records` or none, durable on return. Their seq must run from `next_seq` upwards without
  // gaps, and `next_seq` must be the session's length: else ErrorKind::conflict (another writer was
  // first). ErrorKind::limit where the disk is full. An empty batch changes nothing.
  virtual base::Result<void> append(const vocabulary::SessionId& session, std::int64_t next_seq,
                                    std::span<const event::Record> records) = 0;
  // Up to `count` records from `from_seq` on, in order; empty for an unknown session.
  virtual base::Result<std::vector<event::Record>> read(const vocabulary::SessionId& session,
                                                        std::int64_t from_seq,
                                                        std::int64_t count) = 0;
  // All sessions, the last active first.
  virtual base::Result<std::vector<SessionSummary>> sessions() = 0;
};

}  // namespace assent::store
