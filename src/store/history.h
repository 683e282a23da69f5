#pragma once
// A stored session from its first event to its last: every hash checked, every event permitted by
// the rules of event::State, a page at a time. Any thread.

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "event/state.h"
#include "store/event_store.h"

namespace assent::store {

// Where a log ends, and what is true there.
struct Replayed {
  event::State state;
  std::string last_hash = event::first_prev_hash();
  std::int64_t next_seq = 0;
};

// The fold of the whole session; an unknown session is the empty one. `each` is called with every
// event, in order, after it was applied. ErrorKind::corrupt names the first event that is missing,
// out of place, changed, or not permitted where it stands.
base::Result<Replayed> replay(EventStore& store, const vocabulary::SessionId& session,
                              const std::function<void(const event::Event&)>& each = {});

}  // namespace assent::store
