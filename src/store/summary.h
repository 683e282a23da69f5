#pragma once
// What all engines check and count in the same way.

#include <span>

#include "store/event_store.h"

namespace assent::store {

// ErrorKind::invalid unless the records' seq run from `next_seq` upwards without gaps.
base::Result<void> check_sequence(std::int64_t next_seq, std::span<const event::Record> records);

std::unexpected<base::Error> conflict(const vocabulary::SessionId& session, std::int64_t next_seq);

// Folds one more record into the summary.
void take(SessionSummary& summary, const event::Record& record);

}  // namespace assent::store
