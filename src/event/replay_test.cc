// Crash repair at every point of a log, and replay of any log that the rules accept.

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "event/testing/chain.h"
#include "event/testing/recorded_session.h"

namespace assent::event {
namespace {

using testing::Chain;
using testing::chain_of;
using testing::fold;
using ::testing::HasSubstr;
using testing::recorded_session;
using vocabulary::CallId;
using vocabulary::ErrorCode;

// covers: P-010, P-012
TEST(Repair, BalancesTheLogAfterACrashAtAnyEvent) {
  const auto log = recorded_session();
  for (std::size_t length = 1; length <= log.size(); ++length) {
    auto chain = chain_of({log.begin(), log.begin() + static_cast<std::ptrdiff_t>(length)});
    const auto open_before = chain.state().open_approvals();
    for (auto& data : repair(chain.state())) {
      const auto added = chain.add(std::move(data));
      ASSERT_TRUE(added) << length << ": " << added.error().message;
    }
    EXPECT_FALSE(chain.state().turn_open()) << length;
    EXPECT_FALSE(chain.state().step_open()) << length;
    EXPECT_TRUE(chain.state().unanswered().empty()) << length;
    EXPECT_EQ(chain.state().open_approvals(), open_before) << length;
    EXPECT_EQ(repair(chain.state()), std::vector<Data>{}) << length;
    EXPECT_EQ(MUST(fold(chain.session(), chain.records())), chain.state()) << length;
  }
}

// covers: P-010
TEST(Repair, LeavesABalancedLogAlone) {
  EXPECT_EQ(repair(chain_of(recorded_session()).state()), std::vector<Data>{});
  EXPECT_EQ(repair(State{}), std::vector<Data>{});
}

// covers: P-010, P-011
TEST(Repair, SaysOfEachCallHowFarItCame) {
  const vocabulary::ToolCall running{CallId("a"), "bash", "{}"};
  const vocabulary::ToolCall cleared{CallId("b"), "bash", "{}"};
  const vocabulary::ToolCall unseen{CallId("c"), "bash", "{}"};
  const auto chain = chain_of(
      {SessionOpened{.cwd = "/w", .origin = "user"}, TurnStarted{1}, StepStarted{1, 1},
       AssistantMessage{.content = "", .calls = {running, cleared, unseen}},
       ToolCalled{.call = running}, ToolCalled{.call = cleared}, ToolCleared{.call_id = running.id},
       ToolCleared{.call_id = cleared.id}, ToolStarted{running.id}});
  const auto repaired = repair(chain.state());
  ASSERT_EQ(repaired.size(), 6u);
  const auto& unknown = std::get<ToolResult>(repaired[0]);
  EXPECT_EQ(unknown.call_id, running.id);
  EXPECT_EQ(unknown.error->code, ErrorCode::tool_outcome_unknown);
  EXPECT_THAT(unknown.content, HasSubstr("repeat only what is read-only or idempotent"));
  const auto& not_started = std::get<ToolResult>(repaired[1]);
  EXPECT_EQ(not_started.call_id, cleared.id);
  EXPECT_EQ(not_started.error->code, ErrorCode::tool_not_started);
  EXPECT_THAT(not_started.content, HasSubstr("nothing ran"));
  EXPECT_EQ(repaired[2], Data(ToolCalled{.call = unseen}));
  EXPECT_EQ(std::get<ToolResult>(repaired[3]).error->code, ErrorCode::tool_not_started);
  EXPECT_EQ(repaired[4], Data(StepEnded{1, 1}));
  EXPECT_EQ(repaired[5], Data(TurnEnded{.turn = 1, .reason = TurnEndReason::interrupted}));
}

// An event that may or may not be permitted now; its numbers and ids are often the right ones.
class AnyEvent {
 public:
  explicit AnyEvent(std::uint32_t seed) : random_(seed) {}

  Data next(const State& state) {
    if (pick(3) == 0) {
      const auto any = recorded_session();
      return any[pick(any.size())];
    }
    const std::string id(1, static_cast<char>('a' + pick(3)));
    switch (pick(11)) {
      case 0: return TurnStarted{state.turn() + 1};
      case 1: return StepStarted{state.turn(), state.step() + 1};
      case 2: return StepEnded{state.turn(), state.step()};
      case 3: return TurnEnded{.turn = state.turn()};
      case 4: return AssistantMessage{.content = id, .calls = {{CallId(id), "t", "{}"}}};
      case 5: return ToolCalled{.call = {CallId(id), "t", "{}"}};
      case 6: return ToolCleared{.call_id = CallId(id)};
      case 7: return ToolStarted{CallId(id)};
      case 8: return ToolResult{.call_id = CallId(id), .content = id};
      case 9: return ApprovalAsked{.id = vocabulary::RequestId(id), .tool_name = "t"};
      default:
        return ApprovalDecided{.id = vocabulary::RequestId(id),
                               .outcome = static_cast<vocabulary::ApprovalOutcome>(pick(4)),
                               .by = "terminal:ann"};
    }
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  std::mt19937 random_;
};

// covers: B-152, P-016
TEST(Replay, AnyAcceptedLogFoldsToTheSameStateFromItsRecords) {
  std::size_t accepted = 0;
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    Chain chain;
    MUST(chain.add(SessionOpened{.cwd = "/w", .origin = "user"}));
    AnyEvent any(seed);
    for (int i = 0; i < 300; ++i) (void)chain.add(any.next(chain.state()));
    accepted += chain.records().size();
    ASSERT_EQ(MUST(fold(chain.session(), chain.records())), chain.state()) << "seed " << seed;
    for (auto& data : repair(chain.state())) {
      ASSERT_TRUE(chain.add(std::move(data))) << "seed " << seed;
    }
    ASSERT_FALSE(chain.state().turn_open()) << "seed " << seed;
  }
  EXPECT_GT(accepted, 2000u) << "the generator must reach deep into the rules";
}

}  // namespace
}  // namespace assent::event
