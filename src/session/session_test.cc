#include "session/session.h"

#include <atomic>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "store/memory_event_store.h"
#include "store/testing/failing_event_store.h"

namespace assent::session {
namespace {

class SessionTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore store_;

  Services services() { return {store_, clock_, rng_}; }
  std::unique_ptr<Session> open() {
    return MUST(Session::create(services(), {.cwd = "/w", .origin = "user"}));
  }
  std::vector<std::string> types(const vocabulary::SessionId& id) {
    std::vector<std::string> found;
    for (const auto& record : MUST(store_.read(id, 0, 1000))) found.push_back(record.type);
    return found;
  }
};

TEST_F(SessionTest, ABatchIsAllOrNothing) {
  const auto session = open();
  const auto refused = session->append({event::TurnStarted{1}, event::TurnStarted{2}});
  EXPECT_EQ(refused.error().kind, base::ErrorKind::invalid);
  EXPECT_EQ(types(session->id()), std::vector<std::string>{"session/opened"});
  EXPECT_FALSE(session->state().turn_open());
  ASSERT_TRUE(session->append({event::TurnStarted{1}, event::StepStarted{1, 1}}));
  EXPECT_TRUE(session->state().step_open());
}

// covers: B-145
TEST_F(SessionTest, AnAppendThatFailsChangesNothing) {
  store::testing::FailingEventStore failing(store_);
  const auto session =
      MUST(Session::create({failing, clock_, rng_}, {.cwd = "/w", .origin = "user"}));
  failing.fail_append(1, store::testing::FailingEventStore::When::before);
  EXPECT_FALSE(session->append(event::TurnStarted{1}));
  EXPECT_FALSE(session->state().turn_open());
}

// covers: B-144
TEST_F(SessionTest, AnObserverThatThrowsChangesNothing) {
  const auto session = open();
  int heard = 0;
  const auto bad =
      session->observe([](const auto&, const auto&) { throw std::runtime_error("observer"); });
  const auto good = session->observe([&](const auto&, const auto&) { ++heard; });
  EXPECT_TRUE(session->append(event::TurnStarted{1}));
  EXPECT_EQ(heard, 1);
  EXPECT_TRUE(session->state().turn_open());
}

// covers: B-038, B-161
TEST_F(SessionTest, ResumeRepairsAndLeavesUnansweredQuestionsOpen) {
  vocabulary::SessionId id;
  {
    const auto session = open();
    id = session->id();
    const vocabulary::ToolCall call{vocabulary::CallId("c"), "bash", "{}"};
    ASSERT_TRUE(session->append(
        {event::TurnStarted{1}, event::StepStarted{1, 1},
         event::AssistantMessage{.content = "", .calls = {call}}, event::ToolCalled{call},
         event::ApprovalAsked{
             .id = vocabulary::RequestId("r"), .tool_name = "bash", .call_id = call.id}}));
  }
  const auto resumed = MUST(Session::resume(services(), id));
  EXPECT_FALSE(resumed->state().turn_open());
  ASSERT_EQ(resumed->state().open_approvals().size(), 1U);
  EXPECT_EQ(resumed->state().open_approvals()[0].id.text(), "r");
  const auto all = types(id);
  EXPECT_EQ(std::vector(all.end() - 3, all.end()),
            (std::vector<std::string>{"tool/result", "step/end", "turn/end"}));
  EXPECT_EQ(resumed->conversation().messages().back().answers, vocabulary::CallId("c"));
  const auto again = MUST(Session::resume(services(), id));
  EXPECT_EQ(types(id), all);
}

TEST_F(SessionTest, ResumeOfAnUnknownSessionSaysSo) {
  EXPECT_EQ(Session::resume(services(), vocabulary::SessionId("x")).error().kind,
            base::ErrorKind::not_found);
}

TEST_F(SessionTest, ASecondWriterElsewhereIsAConflict) {
  const auto session = open();
  const auto other = MUST(Session::resume(services(), session->id()));
  ASSERT_TRUE(other->append(event::TurnStarted{1}));
  EXPECT_EQ(session->append(event::TurnStarted{1}).error().kind, base::ErrorKind::conflict);
}

TEST_F(SessionTest, CommandsOfOtherThreadsRunOnTheWritersThread) {
  const auto session = open();
  std::atomic<bool> done = false;
  std::thread::id ran_on;
  const Session::Writer writer(*session);
  std::jthread other([&] {
    EXPECT_TRUE(session->submit([&](Session& live) {
      ran_on = std::this_thread::get_id();
      return live.append(event::TurnStarted{1});
    }));
    done = true;
    session->wake();
  });
  session->serve_until([&] { return done.load(); });
  EXPECT_EQ(ran_on, std::this_thread::get_id());
  EXPECT_TRUE(session->state().turn_open());
}

TEST_F(SessionTest, WithoutAWriterASubmitterBecomesIt) {
  const auto session = open();
  EXPECT_TRUE(session->submit([](Session& live) { return live.append(event::TurnStarted{1}); }));
  EXPECT_FALSE(session->submit([](Session& live) { return live.append(event::TurnStarted{1}); }));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      EXPECT_TRUE(session->submit([](Session& live) {
        return live.append(event::UserMessage{"hello", "user"});
      }));
    });
  }
  threads.clear();
  EXPECT_EQ(session->conversation().messages().size(), 8U);
}

// The same script and clock give the same bytes (session.md).
TEST_F(SessionTest, TheLogIsTheSameEveryTime) {
  const auto once = [] {
    base::testing::FakeClock clock;
    base::testing::SeededRng rng;
    store::MemoryEventStore store;
    const auto session =
        MUST(Session::create({store, clock, rng}, {.cwd = "/w", .origin = "user"}));
    MUST(session->append({event::TurnStarted{1}, event::TurnEnded{.turn = 1}}));
    return MUST(store.read(session->id(), 0, 10)).back().hash;
  };
  EXPECT_EQ(once(), once());
}

}  // namespace
}  // namespace assent::session
