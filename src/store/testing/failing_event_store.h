#pragma once
// A store that fails where a test tells it to. Any thread.

#include <mutex>
#include <optional>

#include "store/event_store.h"

namespace assent::store::testing {

class FailingEventStore final : public EventStore {
 public:
  // `before`: nothing is recorded. `after`: the events are recorded and the writer does not learn
  // of it, as when the answer of a commit is lost.
  enum class When : std::uint8_t { before, after };

  // `inner` must outlive this.
  explicit FailingEventStore(EventStore& inner) : inner_(inner) {}

  // The `nth` append from now on (1 is the next one) fails with `error`, the others pass.
  void fail_append(int nth, When when,
                   base::Error error = {base::ErrorKind::io, "the store fails on demand"}) {
    const std::lock_guard lock(mutex_);
    plan_ = Plan{nth, when, std::move(error)};
  }
  // Every read fails from now on, until it is told nullopt.
  void fail_reads(std::optional<base::Error> error) {
    const std::lock_guard lock(mutex_);
    read_error_ = std::move(error);
  }

  base::Result<void> append(const vocabulary::SessionId& session, std::int64_t next_seq,
                            std::span<const event::Record> records) override {
    const auto due = take_plan();
    if (due && due->when == When::before) return base::failure(due->error);
    TRY(inner_.append(session, next_seq, records));
    if (due) return base::failure(due->error);
    return {};
  }
  base::Result<std::vector<event::Record>> read(const vocabulary::SessionId& session,
                                                std::int64_t from_seq,
                                                std::int64_t count) override {
    TRY(readable());
    return inner_.read(session, from_seq, count);
  }
  base::Result<std::vector<SessionSummary>> sessions() override {
    TRY(readable());
    return inner_.sessions();
  }

 private:
  struct Plan {
    int appends_left;
    When when;
    base::Error error;
  };

  std::optional<Plan> take_plan() {
    const std::lock_guard lock(mutex_);
    if (!plan_ || --plan_->appends_left > 0) return std::nullopt;
    return std::exchange(plan_, std::nullopt);
  }
  base::Result<void> readable() {
    const std::lock_guard lock(mutex_);
    if (read_error_) return base::failure(*read_error_);
    return {};
  }

  EventStore& inner_;
  std::mutex mutex_;
  std::optional<Plan> plan_;
  std::optional<base::Error> read_error_;
};

}  // namespace assent::store::testing
