#include "store/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "event/testing/chain.h"
#include "event/testing/recorded_session.h"
#include "store/memory_event_store.h"
#include "store/testing/failing_event_store.h"

namespace assent::store {
namespace {

using base::ErrorKind;
using event::testing::chain_of;
using event::testing::recorded_session;
using testing::FailingEventStore;
using ::testing::HasSubstr;

struct Tampering {
  std::string_view name;
  std::function<void(std::vector<event::Record>&)> change;
  std::string_view message;
};

// A store that shows records which no append() accepted.
class TamperedStore final : public EventStore {
 public:
  explicit TamperedStore(std::vector<event::Record> records) : records_(std::move(records)) {}
  base::Result<void> append(const vocabulary::SessionId&, std::int64_t,
                            std::span<const event::Record>) override {
    return base::failure(ErrorKind::internal, "read only");
  }
  base::Result<std::vector<event::Record>> read(const vocabulary::SessionId&, std::int64_t from,
                                                std::int64_t) override {
    if (from != 0) return std::vector<event::Record>{};
    return records_;
  }
  base::Result<std::vector<SessionSummary>> sessions() override {
    return std::vector<SessionSummary>{};
  }

 private:
  std::vector<event::Record> records_;
};

// covers: B-152
TEST(Replay, NamesTheFirstEventThatIsWrong) {
  const auto chain = chain_of(recorded_session());
  event::testing::Chain other(chain.session().text());
  MUST(other.add(event::SessionOpened{.cwd = "/elsewhere", .origin = "user"}));
  const auto unruly = [&](const std::vector<event::Record>& log) {
    return MUST(event::seal({chain.session(), 8, 0, event::TurnEnded{.turn = 1}}, log[7].hash));
  };
  const std::vector<Tampering> table{
      {"edited", [](auto& log) { log[8].data = "{}"; }, "event 8 of session"},
      {"removed", [](auto& log) { log.erase(log.begin() + 8); }, "event 8 of session"},
      {"swapped", [](auto& log) { std::swap(log[8], log[9]); }, "event 8 of session"},
      {"inserted", [](auto& log) { log.insert(log.begin() + 8, log[8]); }, "event 9 of session"},
      {"beheaded", [](auto& log) { log.erase(log.begin()); }, "event 0 of session"},
      {"another start", [&](auto& log) { log[0] = other.records()[0]; }, "event 1 of session"},
      {"not permitted", [&](auto& log) { log[8] = unruly(log); }, "turn/end inside a step"}};
  for (const auto& [name, change, message] : table) {
    auto records = chain.records();
    change(records);
    TamperedStore store(std::move(records));
    const auto replayed = replay(store, chain.session());
    ASSERT_FALSE(replayed) << name;
    EXPECT_EQ(replayed.error().kind, ErrorKind::corrupt) << name;
    EXPECT_THAT(replayed.error().message, HasSubstr(message)) << name;
  }
}

TEST(Replay, HandsOnWhatTheStoreSays) {
  MemoryEventStore memory;
  FailingEventStore store(memory);
  const base::Error gone{ErrorKind::unavailable, "gone"};
  store.fail_reads(gone);
  const auto replayed = replay(store, vocabulary::SessionId("s"));
  ASSERT_FALSE(replayed);
  EXPECT_EQ(replayed.error(), gone);
  EXPECT_EQ(store.sessions().error(), gone);
  store.fail_reads(std::nullopt);
  EXPECT_TRUE(replay(store, vocabulary::SessionId("s")));
}

TEST(FailingEventStore, FailsTheAppendThatItWasToldTo) {
  const auto chain = chain_of(recorded_session());
  const std::span records(chain.records());
  MemoryEventStore memory;
  FailingEventStore store(memory);
  store.fail_append(2, FailingEventStore::When::before);
  EXPECT_TRUE(store.append(chain.session(), 0, records.subspan(0, 1)));
  EXPECT_EQ(store.append(chain.session(), 1, records.subspan(1, 1)).error().kind, ErrorKind::io);
  EXPECT_EQ(MUST(store.read(chain.session(), 0, 9)).size(), 1u);
  store.fail_append(1, FailingEventStore::When::after);
  EXPECT_FALSE(store.append(chain.session(), 1, records.subspan(1, 1)));
  EXPECT_EQ(MUST(store.read(chain.session(), 0, 9)).size(), 2u);
  EXPECT_TRUE(store.append(chain.session(), 2, records.subspan(2, 1)));
}

}  // namespace
}  // namespace assent::store
