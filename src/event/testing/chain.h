#pragma once
// A log that grows as a session's writer makes it, without a store. One thread.

#include <string>
#include <vector>

#include "event/codec.h"
#include "event/state.h"

namespace assent::event::testing {

class Chain {
 public:
  explicit Chain(std::string session = "0192f0c1-0000-7000-8000-000000000001")
      : session_(std::move(session)) {}

  // Refused as the session would refuse it; an accepted event is one millisecond later than the one
  // before it.
  base::Result<void> add(Data data) {
    TRY(state_.check(data));
    const auto seq = static_cast<std::int64_t>(records_.size());
    Event event{
        .session = session_, .seq = seq, .time_ms = start_ms + seq, .data = std::move(data)};
    records_.push_back(
        TRY(seal(event, records_.empty() ? first_prev_hash() : records_.back().hash)));
    state_.apply(event);
    events_.push_back(std::move(event));
    return {};
  }

  [[nodiscard]] const vocabulary::SessionId& session() const { return session_; }
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const State& state() const { return state_; }

  static constexpr std::int64_t start_ms = 1'700'000'000'000;

 private:
  vocabulary::SessionId session_;
  std::vector<Record> records_;
  std::vector<Event> events_;
  State state_;
};

// The chain of these events, all of which must be accepted.
inline Chain chain_of(const std::vector<Data>& log) {
  Chain chain;
  for (const auto& data : log) MUST(chain.add(data));
  return chain;
}

// The state that the records alone give.
inline base::Result<State> fold(const vocabulary::SessionId& session,
                                const std::vector<Record>& records) {
  State state;
  std::string prev_hash = first_prev_hash();
  for (const auto& record : records) {
    if (record.prev_hash != prev_hash) {
      return base::failure(base::ErrorKind::corrupt, "the chain is broken");
    }
    const Event event = TRY(open(session, record));
    TRY(state.check(event.data));
    state.apply(event);
    prev_hash = record.hash;
  }
  return state;
}

}  // namespace assent::event::testing
