#pragma once
// What every engine does alike. Include it once in a test program and instantiate the suite with
// the engines:
//
//   INSTANTIATE_TEST_SUITE_P(Engines, EventStoreConformance, ::testing::Values(Engine{…}));

#include <functional>
#include <memory>
#include <ostream>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "event/testing/chain.h"
#include "event/testing/recorded_session.h"
#include "store/event_store.h"
#include "store/history.h"
#include "store/testing/temp_folder.h"

namespace assent::store::testing {

enum class Keeps : std::uint8_t { nothing, everything };  // when the store is closed

struct Engine {
  std::string name;
  Keeps keeps;
  // The store of this folder; opened again, an engine that keeps everything shows the same.
  std::function<base::Result<std::unique_ptr<EventStore>>(const std::string& folder)> open;
  friend std::ostream& operator<<(std::ostream& out, const Engine& engine) {
    return out << engine.name;
  }
};

// session/opened and `count` - 1 messages.
inline event::testing::Chain messages(std::string session, int count) {
  event::testing::Chain chain(std::move(session));
  MUST(chain.add(event::SessionOpened{.cwd = "/w/übung", .origin = "user"}));
  for (int i = 1; i < count; ++i) {
    MUST(chain.add(event::UserMessage{fmt::format("message {} 😀 \"x\"\n", i), "user"}));
  }
  return chain;
}

class EventStoreConformance : public ::testing::TestWithParam<Engine> {
 protected:
  std::unique_ptr<EventStore> open() { return MUST(GetParam().open(folder_.path())); }
  static base::Result<void> append(EventStore& store, const event::testing::Chain& chain,
                                   std::size_t from, std::size_t count) {
    return store.append(chain.session(), static_cast<std::int64_t>(from),
                        std::span(chain.records()).subspan(from, count));
  }
  static base::Result<void> append(EventStore& store, const event::testing::Chain& chain) {
    return append(store, chain, 0, chain.records().size());
  }

  TempFolder folder_;
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EventStoreConformance);

TEST_P(EventStoreConformance, IsEmptyAtFirst) {
  const auto store = open();
  EXPECT_EQ(MUST(store->sessions()), std::vector<SessionSummary>{});
  EXPECT_EQ(MUST(store->read(vocabulary::SessionId("none"), 0, 10)), std::vector<event::Record>{});
  EXPECT_FALSE(MUST(replay(*store, vocabulary::SessionId("none"))).state.opened());
}

// covers: P-001
TEST_P(EventStoreConformance, GivesBackWhatWasAppended) {
  const auto store = open();
  const auto chain = event::testing::chain_of(event::testing::recorded_session());
  MUST(append(*store, chain, 0, 3));
  MUST(append(*store, chain, 3, 1));
  MUST(append(*store, chain, 4, chain.records().size() - 4));
  EXPECT_EQ(MUST(store->read(chain.session(), 0, 1000)), chain.records());
  std::vector<event::Event> events;
  const auto replayed =
      MUST(replay(*store, chain.session(), [&](const auto& e) { events.push_back(e); }));
  EXPECT_EQ(events, chain.events());
  EXPECT_EQ(replayed.state, chain.state());
  EXPECT_EQ(replayed.last_hash, chain.records().back().hash);
  EXPECT_EQ(replayed.next_seq, static_cast<std::int64_t>(chain.records().size()));
}

TEST_P(EventStoreConformance, ReadsRanges) {
  const auto store = open();
  const auto chain = messages("s", 10);
  MUST(append(*store, chain));
  MUST(append(*store, messages("other", 4)));
  const auto& all = chain.records();
  const auto range = [&](std::int64_t from, std::int64_t count) {
    return MUST(store->read(chain.session(), from, count));
  };
  using Records = std::vector<event::Record>;
  EXPECT_EQ(range(0, 3), Records(all.begin(), all.begin() + 3));
  EXPECT_EQ(range(7, 100), Records(all.begin() + 7, all.end()));
  EXPECT_EQ(range(9, 1), Records(all.begin() + 9, all.end()));
  EXPECT_EQ(range(10, 5), Records{});
  EXPECT_EQ(range(1'000'000, 5), Records{});
  EXPECT_EQ(range(0, 0), Records{});
  EXPECT_EQ(range(0, -1), Records{});
  EXPECT_EQ(range(-5, 2), Records(all.begin(), all.begin() + 2));
}

TEST_P(EventStoreConformance, RefusesAWriterThatDoesNotKnowTheEnd) {
  const auto store = open();
  const auto chain = messages("s", 6);
  MUST(append(*store, chain, 0, 3));
  for (const auto from : std::initializer_list<std::size_t>{0, 1, 2, 4, 5}) {
    const auto appended = append(*store, chain, from, 1);
    ASSERT_FALSE(appended) << from;
    EXPECT_EQ(appended.error().kind, base::ErrorKind::conflict) << appended.error().message;
  }
  EXPECT_EQ(append(*store, messages("new", 3), 1, 1).error().kind, base::ErrorKind::conflict);
  EXPECT_EQ(MUST(store->read(chain.session(), 0, 10)).size(), 3u);
  EXPECT_EQ(MUST(store->sessions()).size(), 1u);
  EXPECT_TRUE(append(*store, chain, 3, 3));
}

TEST_P(EventStoreConformance, TakesAllOfABatchOrNothing) {
  const auto store = open();
  const auto chain = messages("s", 5);
  auto records = chain.records();
  std::swap(records[3], records[4]);
  EXPECT_EQ(store->append(chain.session(), 0, records).error().kind, base::ErrorKind::invalid);
  records = chain.records();
  records.erase(records.begin() + 2);
  EXPECT_EQ(store->append(chain.session(), 0, records).error().kind, base::ErrorKind::invalid);
  EXPECT_EQ(store->append(chain.session(), 1, chain.records()).error().kind,
            base::ErrorKind::invalid);
  EXPECT_TRUE(store->append(chain.session(), 0, {}));
  EXPECT_EQ(MUST(store->sessions()), std::vector<SessionSummary>{});
}

TEST_P(EventStoreConformance, KeepsTextAsItIs) {
  using namespace std::string_view_literals;
  const auto store = open();
  event::testing::Chain chain("séance \" ' ; -- 😀");
  MUST(chain.add(event::SessionOpened{.cwd = "/w/';DROP TABLE event;--", .origin = "user"}));
  MUST(chain.add(event::UserMessage{std::string("nul \0 bell \a é 漢字 😀 \u2028"sv), "user"}));
  MUST(chain.add(event::UserMessage{std::string(300'000, 'x'), "user"}));
  MUST(append(*store, chain));
  EXPECT_EQ(MUST(store->read(chain.session(), 0, 10)), chain.records());
  const SessionSummary summary{.id = chain.session(),
                               .cwd = "/w/';DROP TABLE event;--",
                               .opened_ms = chain.events()[0].time_ms,
                               .last_ms = chain.events()[2].time_ms,
                               .events = 3};
  EXPECT_EQ(MUST(store->sessions()), std::vector{summary});
}

// covers: B-161
TEST_P(EventStoreConformance, ListsSessionsByTheirLastEventWithTheirOpenApprovals) {
  const auto store = open();
  const auto summary = [](const event::testing::Chain& chain, std::int64_t open_approvals) {
    return SessionSummary{
        .id = chain.session(),
        .cwd = std::get<event::SessionOpened>(chain.events().front().data).cwd,
        .parent = std::get<event::SessionOpened>(chain.events().front().data).parent,
        .opened_ms = chain.events().front().time_ms,
        .last_ms = chain.events().back().time_ms,
        .events = static_cast<std::int64_t>(chain.records().size()),
        .open_approvals = open_approvals};
  };
  const auto shorter = messages("a", 2);
  const auto same_time = messages("b", 2);
  event::testing::Chain asking("c");
  MUST(asking.add(event::SessionOpened{
      .cwd = "/c", .parent = vocabulary::SessionId("a"), .origin = "subagent", .depth = 1}));
  MUST(asking.add(event::TurnStarted{1}));
  for (const char* id : {"r1", "r2", "r3"}) {
    MUST(asking.add(event::ApprovalAsked{.id = vocabulary::RequestId(id), .tool_name = "bash"}));
  }
  MUST(append(*store, asking));
  MUST(append(*store, shorter));
  MUST(append(*store, same_time));
  EXPECT_EQ(MUST(store->sessions()),
            (std::vector{summary(asking, 3), summary(same_time, 0), summary(shorter, 0)}));
  MUST(asking.add(event::ApprovalDecided{.id = vocabulary::RequestId("r2"), .by = "x"}));
  MUST(append(*store, asking, 5, 1));
  EXPECT_EQ(MUST(store->sessions()).front(), summary(asking, 2));
}

TEST_P(EventStoreConformance, LetsOneOfTwoRacingWritersWin) {
  const auto store = open();
  const auto chain = messages("s", 200);
  MUST(append(*store, chain, 0, 1));
  std::atomic<int> wins = 0;
  std::atomic<int> conflicts = 0;
  const auto race = [&](std::size_t seq) {
    const auto appended = append(*store, chain, seq, 1);
    if (appended) {
      ++wins;
    } else if (appended.error().kind == base::ErrorKind::conflict) {
      ++conflicts;
    }
  };
  for (std::size_t seq = 1; seq < 40; ++seq) {
    const std::jthread one(race, seq);
    const std::jthread other(race, seq);
  }
  EXPECT_EQ(wins, 39);
  EXPECT_EQ(conflicts, 39);
  EXPECT_EQ(MUST(replay(*store, chain.session())).next_seq, 40);
}

TEST_P(EventStoreConformance, HoldsTenThousandEvents) {
  const auto store = open();
  const auto chain = messages("s", 10'000);
  for (std::size_t from = 0; from < 10'000; from += 1'000) MUST(append(*store, chain, from, 1'000));
  EXPECT_EQ(MUST(store->read(chain.session(), 9'999, 10)), std::vector{chain.records().back()});
  EXPECT_EQ(MUST(replay(*store, chain.session())).next_seq, 10'000);
}

TEST_P(EventStoreConformance, ShowsTheSameWhenOpenedAgain) {
  if (GetParam().keeps == Keeps::nothing) GTEST_SKIP() << "an engine that keeps nothing";
  const auto chain = event::testing::chain_of(event::testing::recorded_session());
  auto store = open();
  MUST(append(*store, chain, 0, 10));
  const auto sessions = MUST(store->sessions());
  store.reset();
  store = open();
  EXPECT_EQ(MUST(store->sessions()), sessions);
  EXPECT_EQ(append(*store, chain, 9, 1).error().kind, base::ErrorKind::conflict);
  MUST(append(*store, chain, 10, chain.records().size() - 10));
  EXPECT_EQ(MUST(store->read(chain.session(), 0, 1000)), chain.records());
}

TEST_P(EventStoreConformance, LetsOneOfTwoOpenStoresWin) {
  if (GetParam().keeps == Keeps::nothing) GTEST_SKIP() << "an engine that shares nothing";
  const auto one = open();
  const auto other = open();
  const auto chain = messages("s", 20);
  MUST(append(*one, chain, 0, 1));
  for (std::size_t seq = 1; seq < 20; ++seq) {
    base::Result<void> first;
    base::Result<void> second;
    {
      const std::jthread a([&] { first = append(*one, chain, seq, 1); });
      const std::jthread b([&] { second = append(*other, chain, seq, 1); });
    }
    ASSERT_NE(first.has_value(), second.has_value()) << seq;
    EXPECT_EQ((first ? second : first).error().kind, base::ErrorKind::conflict);
  }
  EXPECT_EQ(MUST(replay(*other, chain.session())).next_seq, 20);
}

}  // namespace assent::store::testing
