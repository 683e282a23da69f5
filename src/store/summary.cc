#include "store/summary.h"

#include <fmt/format.h>

#include "json/fields.h"

namespace assent::store {

base::Result<void> check_sequence(std::int64_t next_seq, std::span<const event::Record> records) {
  for (const auto& record : records) {
    if (record.seq != next_seq++) {
      return base::failure(base::ErrorKind::invalid,
                           "the events to append are not numbered in order");
    }
  }
  return {};
}

std::unexpected<base::Error> conflict(const vocabulary::SessionId& session, std::int64_t next_seq) {
  return base::failure(
      base::ErrorKind::conflict,
      fmt::format("session {} does not end before event {}: somebody else wrote to it",
                  session.text(), next_seq));
}

void take(SessionSummary& summary, const event::Record& record) {
  if (summary.events == 0) {
    summary.opened_ms = record.time_ms;
    if (const auto data = json::parse(record.data)) {
      if (const auto fields = json::Fields::create(*data)) {
        summary.cwd = fields->text("cwd").value_or("");
        if (auto parent = fields->text("parent")) summary.parent = vocabulary::SessionId(*parent);
      }
    }
  }
  summary.last_ms = record.time_ms;
  ++summary.events;
  if (record.type == "approval/asked") ++summary.open_approvals;
  if (record.type == "approval/decided") --summary.open_approvals;
}

}  // namespace assent::store
