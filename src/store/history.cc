#include "store/history.h"

#include <utility>

#include <fmt/format.h>

#include "base/limits.h"

namespace assent::store {
namespace {

using base::ErrorKind;
using base::Result;

std::unexpected<base::Error> broken(const vocabulary::SessionId& session, std::int64_t seq,
                                    std::string_view why) {
  return base::failure(ErrorKind::corrupt,
                       fmt::format("event {} of session {}: {}", seq, session.text(), why));
}

Result<event::Event> next_event(const vocabulary::SessionId& session, const Replayed& so_far,
                                const event::Record& record) {
  if (record.seq != so_far.next_seq) return broken(session, so_far.next_seq, "is missing");
  if (record.prev_hash != so_far.last_hash) {
    return broken(session, record.seq, "does not follow the event before it");
  }
  auto event = TRY(event::open(session, record));
  auto permitted = so_far.state.check(event.data);
  if (!permitted) return broken(session, record.seq, permitted.error().message);
  return event;
}

}  // namespace

Result<Replayed> replay(EventStore& store, const vocabulary::SessionId& session,
                        const std::function<void(const event::Event&)>& each) {
  Replayed replayed;
  while (true) {
    auto page = TRY(store.read(session, replayed.next_seq, base::limits::replay_page));
    for (auto& record : page) {
      const auto event = TRY(next_event(session, replayed, record));
      replayed.state.apply(event);
      replayed.last_hash = std::move(record.hash);
      ++replayed.next_seq;
      if (each) each(event);
    }
    if (std::cmp_less(page.size(), base::limits::replay_page)) return replayed;
  }
}

}  // namespace assent::store
