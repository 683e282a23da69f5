#pragma once
// Events on the wire: canonical JSON, chained by hash (session.md, Tamper evidence).

#include <string>
#include <string_view>

#include "base/result.h"
#include "event/events.h"
#include "json/value.h"

namespace assent::event {

// One stored line. `data` is canonical JSON; the hashes are 64 hexadecimal digits.
// hash = SHA-256("assent event v1\0" ‖ 32 raw bytes of prev_hash ‖ JCS{data, seq, session, time_ms,
// type})
struct Record {
  std::int64_t seq = 0;
  std::int64_t time_ms = 0;
  std::string type;
  std::string data;
  std::string prev_hash;
  std::string hash;
  bool operator==(const Record&) const = default;
};

// prev_hash of the first event of a session: 64 zeros.
std::string first_prev_hash();

// "tool/call", "approval/asked" …
std::string_view type_of(const Data& data);
// The event's data as it stands in the log.
json::Value to_json(const Data& data);
// An unknown type, a missing or unknown member, or a word outside its set is ErrorKind::corrupt.
base::Result<Data> from_json(std::string_view type, const json::Value& value);

// What the log takes in it gives back equal (P-002), so that the live session and its replay never
// differ. Anything else is refused: text that is not UTF-8, an integer beyond ±2^53 or a word
// outside its set as ErrorKind::invalid; data larger than limits::event_size or deeper than
// limits::event_depth as ErrorKind::limit.
base::Result<Record> seal(const Event& event, const std::string& prev_hash);
// The event of a record; its hash is recomputed, and a difference is ErrorKind::corrupt.
base::Result<Event> open(const vocabulary::SessionId& session, const Record& record);
// The whole record as one line of JSON, as `run --json` and `assent log` print it.
std::string to_line(const vocabulary::SessionId& session, const Record& record);

}  // namespace assent::event
