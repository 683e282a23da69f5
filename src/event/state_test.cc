#include "event/state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "event/testing/chain.h"
#include "event/testing/recorded_session.h"
#include "vocabulary/decider.h"

namespace assent::event {
namespace {

using base::ErrorKind;
using testing::Chain;
using testing::chain_of;
using ::testing::HasSubstr;
using testing::recorded_session;
using vocabulary::ApprovalOutcome;
using vocabulary::CallId;
using vocabulary::RequestId;

const SessionOpened opened{.cwd = "/w", .origin = "user"};
const vocabulary::ToolCall call{CallId("c1"), "bash", "{}"};
const AssistantMessage calling{.content = "", .calls = {call}};

ApprovalAsked asked(std::string id, std::string digest = "") {
  return {.id = RequestId(std::move(id)), .tool_name = "bash", .digest = std::move(digest)};
}
ApprovalDecided decided(std::string id, ApprovalOutcome outcome = ApprovalOutcome::rejected,
                        std::string by = "terminal:ann") {
  return {.id = RequestId(std::move(id)), .outcome = outcome, .by = std::move(by)};
}

// --- what may come next --------------------------------------------------------------------------

struct Rule {
  std::vector<Data> before;
  Data broken;
  std::string_view message;
};

const std::vector<Data> in_turn{opened, TurnStarted{1}};
const std::vector<Data> in_step{opened, TurnStarted{1}, StepStarted{1, 1}};
const std::vector<Data> called{opened, TurnStarted{1}, StepStarted{1, 1}, calling};

std::vector<Data> operator+(std::vector<Data> log, Data data) {
  log.push_back(std::move(data));
  return log;
}

std::vector<Rule> rules_of_turns() {
  return {{{}, TurnStarted{1}, "the first event of a session is session/opened"},
          {{}, SandboxModeSet{}, "the first event of a session is session/opened"},
          {{opened}, opened, "a session opens once"},
          {{}, SessionOpened{.version = 2, .cwd = "/", .origin = "user"}, "newer version"},
          {{}, SessionOpened{.version = 0, .cwd = "/", .origin = "user"}, "without a version"},
          {in_turn, SessionClosed{}, "session/closed inside a turn"},
          {in_turn, TurnStarted{2}, "turn/start inside a turn"},
          {{opened}, TurnStarted{2}, "turns are numbered"},
          {{opened}, TurnEnded{.turn = 0}, "turn/end outside an open turn"},
          {in_step, TurnEnded{.turn = 1}, "turn/end inside a step"},
          {in_turn, TurnEnded{.turn = 2}, "turn/end of another turn"},
          {{opened}, StepStarted{0, 1}, "step/start outside an open turn"},
          {in_step, StepStarted{1, 2}, "step/start inside a step"},
          {in_turn, StepStarted{1, 2}, "steps are numbered"},
          {in_turn, StepStarted{2, 1}, "steps are numbered"},
          {in_turn, StepEnded{1, 0}, "step/end outside a step"},
          {in_step, StepEnded{1, 2}, "step/end of another step"},
          {in_step, StepEnded{2, 1}, "step/end of another step"},
          {called, StepEnded{1, 1}, "step/end before every call has its result"},
          {called, UserMessage{"x", "user"}, "between a call and its result"},
          {in_turn, AssistantMessage{}, "assistant/message outside a step"},
          {called, AssistantMessage{}, "before every call has its result"},
          {{opened}, RequestHeader{}, "request/header outside an open turn"}};
}

std::vector<Rule> rules_of_calls() {
  const auto logged = called + ToolCalled{.call = call};
  const auto cleared = logged + ToolCleared{.call_id = call.id};
  const auto done = logged + ToolResult{.call_id = call.id};
  const vocabulary::ToolCall other{CallId("c2"), "bash", "{}"};
  return {{in_step, ToolCalled{.call = call}, "no call without a result"},
          {called, ToolCalled{.call = other}, "no call without a result"},
          {called, ToolCalled{.call = call, .replaces = other.id}, "no call without a result"},
          {called, ToolCleared{.call_id = call.id}, "tool/cleared before its tool/call"},
          {logged, ToolCleared{.call_id = other.id}, "no call without a result"},
          {cleared + ToolStarted{call.id}, ToolCleared{.call_id = call.id}, "after its"},
          {logged, ToolStarted{call.id}, "tool/started without its tool/cleared"},
          {cleared, ToolStarted{other.id}, "no call without a result"},
          {cleared + ToolStarted{call.id}, ToolStarted{call.id}, "a call starts once"},
          {called, ToolResult{.call_id = call.id}, "tool/result before its tool/call"},
          {logged, ToolResult{.call_id = other.id}, "no call without a result"},
          {done, ToolResult{.call_id = call.id}, "no call without a result"}};
}

std::vector<Rule> rules_of_approvals() {
  return {{{opened}, asked("r"), "approval/asked outside an open turn"},
          {in_turn, ApprovalAsked{.id = RequestId("r"), .tool_name = ""}, "without a tool"},
          {in_turn, asked(""), "with an id that is open already"},
          {in_turn + asked("r"), asked("r"), "with an id that is open already"},
          {in_turn, decided("r"), "approval/decided without its approval/asked"},
          {in_turn + asked("r"), decided("s"), "approval/decided without its approval/asked"},
          {in_turn + asked("r") + decided("r"), decided("r"), "without its approval/asked"},
          {in_turn + asked("r") + TurnEnded{.turn = 1}, decided("r"), "outside an open turn"}};
}

void expect_refused(const Rule& rule) {
  auto chain = chain_of(rule.before);
  const State before = chain.state();
  const auto added = chain.add(rule.broken);
  ASSERT_FALSE(added) << rule.message;
  EXPECT_EQ(added.error().kind, ErrorKind::invalid);
  EXPECT_THAT(added.error().message, HasSubstr(rule.message));
  EXPECT_EQ(chain.state(), before);
  EXPECT_EQ(chain.records().size(), rule.before.size());
}

// covers: B-032, B-033, P-003
TEST(Check, TurnsAndStepsNest) {
  for (const auto& rule : rules_of_turns()) expect_refused(rule);
}
TEST(Check, ACallIsLoggedClearedStartedAndAnswered) {
  for (const auto& rule : rules_of_calls()) expect_refused(rule);
}
// covers: B-040, B-152
TEST(Check, AnApprovalIsAPairInATurn) {
  for (const auto& rule : rules_of_approvals()) expect_refused(rule);
}

TEST(Check, ACallIsClearedAgainUntilItStarts) {
  auto chain = chain_of(called + ToolCalled{.call = call} + ToolCleared{.call_id = call.id});
  EXPECT_TRUE(chain.add(ToolCleared{.call_id = call.id, .by = "review"}));
  EXPECT_TRUE(chain.add(ToolStarted{call.id}));
}

// covers: B-040
TEST(Check, KnobsChangeOutsideATurnToo) {
  auto chain = chain_of({opened});
  EXPECT_TRUE(chain.add(ApprovalPolicySet{vocabulary::ApprovalPolicy::never}));
  EXPECT_EQ(chain.state().knobs().approval, vocabulary::ApprovalPolicy::never);
}

// --- the fold ------------------------------------------------------------------------------------

// covers: P-016
TEST(Fold, TheLastWordOnEachKnobHoldsAndEachChangeCounts) {
  using namespace vocabulary;
  auto chain = chain_of({opened});
  EXPECT_EQ(chain.state().knobs(), Knobs{});
  EXPECT_EQ(chain.state().policy_epoch(), 0);
  MUST(chain.add(SandboxModeSet{SandboxMode::workspace_write}));
  EXPECT_EQ(chain.state().policy_epoch(), 0) << "the value that holds already";
  MUST(chain.add(SandboxModeSet{SandboxMode::read_only}));
  MUST(chain.add(ApprovalPolicySet{ApprovalPolicy::never}));
  MUST(chain.add(ReviewSet{Review::mutations}));
  MUST(chain.add(GrantModeSet{GrantMode::exact}));
  EXPECT_EQ(chain.state().policy_epoch(), 4);
  EXPECT_EQ(chain.state().knobs(), (Knobs{SandboxMode::read_only, ApprovalPolicy::never,
                                          Review::mutations, GrantMode::exact}));
  MUST(chain.add(PresetSet{"careful"}));
  EXPECT_EQ(chain.state().preset_choice(), "careful");
  EXPECT_EQ(chain.state().policy_epoch(), 4) << "a preset is for display";
  EXPECT_EQ(chain.state().knobs().sandbox, SandboxMode::read_only);
}

// covers: B-033
TEST(Fold, ATurnIsOpenFromItsStartToItsEnd) {
  Chain chain;
  EXPECT_FALSE(chain.state().turn_open());
  MUST(chain.add(opened));
  EXPECT_FALSE(chain.state().turn_open());
  EXPECT_EQ(chain.state().last_turn_end(), std::nullopt);
  MUST(chain.add(TurnStarted{1}));
  EXPECT_TRUE(chain.state().turn_open());
  MUST(chain.add(StepStarted{1, 1}));
  EXPECT_TRUE(chain.state().step_open());
  MUST(chain.add(StepEnded{1, 1}));
  EXPECT_FALSE(chain.state().step_open());
  MUST(chain.add(TurnEnded{1, TurnEndReason::blocked}));
  EXPECT_FALSE(chain.state().turn_open());
  EXPECT_EQ(chain.state().last_turn_end(), TurnEndReason::blocked);
  MUST(chain.add(TurnStarted{2}));
  EXPECT_EQ(chain.state().turn(), 2);
  EXPECT_TRUE(chain.add(StepStarted{2, 1})) << "steps count from 1 in each turn";
}

// covers: B-162, P-004
TEST(Fold, OnlyMessagesAndResultsReachTheModel) {
  using vocabulary::Role;
  Conversation conversation;
  const auto chain = chain_of(recorded_session());
  for (const auto& event : chain.events()) conversation.apply(event);
  const auto& made = std::get<AssistantMessage>(chain.events()[10].data);
  EXPECT_EQ(conversation.messages(),
            (std::vector<vocabulary::Message>{
                {.role = Role::user, .content = "do \"it\"\n"},
                {.role = Role::assistant,
                 .content = made.content,
                 .calls = made.calls,
                 .reasoning = made.reasoning},
                {.role = Role::tool, .content = "exit 2", .answers = CallId("call_1")},
                {.role = Role::tool, .content = "x 😀\u2028", .answers = CallId("call_2")},
                {.role = Role::tool, .content = "", .answers = CallId("call_3")},
                {.role = Role::assistant, .content = "Done."}}));
}

TEST(Fold, TheLastRequestHeaderHolds) {
  auto chain = chain_of(in_turn);
  EXPECT_EQ(chain.state().request_header(), std::nullopt);
  MUST(chain.add(RequestHeader{"m1", "a", nullptr}));
  MUST(chain.add(RequestHeader{"m2", "b", json::Array{1}}));
  EXPECT_EQ(chain.state().request_header(), (RequestHeader{"m2", "b", json::Array{1}}));
}

TEST(Fold, CallsWaitInTheModelsOrderUntilTheirResult) {
  const vocabulary::ToolCall second{CallId("c2"), "grep", "{}"};
  auto chain = chain_of(in_step + AssistantMessage{.content = "", .calls = {call, second}});
  MUST(chain.add(ToolCalled{.call = call}));
  MUST(chain.add(ToolCalled{.call = {CallId("c2#2"), "grep", "[]"}, .replaces = second.id}));
  MUST(chain.add(ToolCleared{.call_id = second.id}));
  MUST(chain.add(ToolStarted{second.id}));
  EXPECT_EQ(chain.state().unanswered(),
            (std::vector<UnansweredCall>{
                {.call = call, .logged = true},
                {.call = second, .logged = true, .cleared = true, .started = true}}));
  MUST(chain.add(ToolResult{.call_id = call.id}));
  MUST(chain.add(ToolResult{.call_id = second.id}));
  EXPECT_TRUE(chain.state().unanswered().empty());
}

// covers: B-038, B-161, P-012
TEST(Fold, AQuestionStaysOpenUntilItIsDecidedWhateverBecomesOfItsTurn) {
  auto chain = chain_of(in_turn);
  MUST(chain.add(ApprovalAsked{.id = RequestId("r1"),
                               .tool_name = "bash",
                               .call_id = CallId("c9"),
                               .reason = "why",
                               .digest = "d"}));
  MUST(chain.add(asked("r2")));
  for (auto& data : repair(chain.state())) MUST(chain.add(std::move(data)));
  const OpenQuestion first{.id = RequestId("r1"),
                           .tool_name = "bash",
                           .call_id = CallId("c9"),
                           .reason = "why",
                           .digest = "d",
                           .asked_ms = Chain::start_ms + 2};
  const OpenQuestion second{
      .id = RequestId("r2"), .tool_name = "bash", .asked_ms = Chain::start_ms + 3};
  EXPECT_EQ(chain.state().open_approvals(), (std::vector{first, second}));
  MUST(chain.add(TurnStarted{2}));
  MUST(chain.add(decided("r1", ApprovalOutcome::allowed_once)));
  EXPECT_EQ(chain.state().open_approvals(), std::vector{second});
}

// covers: B-122
TEST(Fold, RejectionsByAHumanAreRememberedForTheTurn) {
  auto chain = chain_of(in_turn + asked("1", "d1") + decided("1"));
  EXPECT_TRUE(chain.state().rejected_in_turn("d1"));
  EXPECT_FALSE(chain.state().rejected_in_turn("d2"));
  EXPECT_EQ(chain.state().rejections_in_a_row(), 1);
  for (const auto by : {vocabulary::by_never, vocabulary::by_repeat, vocabulary::by_policy}) {
    MUST(chain.add(asked("2", "d2")));
    MUST(chain.add(decided("2", ApprovalOutcome::rejected, std::string(by))));
    EXPECT_FALSE(chain.state().rejected_in_turn("d2")) << by;
  }
  EXPECT_EQ(chain.state().rejections_in_a_row(), 1);
  MUST(chain.add(asked("3", "d3")));
  MUST(chain.add(decided("3", ApprovalOutcome::cancelled)));
  EXPECT_EQ(chain.state().rejections_in_a_row(), 1);
  MUST(chain.add(asked("4", "d4")));
  MUST(chain.add(decided("4", ApprovalOutcome::allowed_once)));
  EXPECT_EQ(chain.state().rejections_in_a_row(), 0);
  EXPECT_TRUE(chain.state().rejected_in_turn("d1"));
  MUST(chain.add(TurnEnded{.turn = 1}));
  MUST(chain.add(TurnStarted{2}));
  EXPECT_FALSE(chain.state().rejected_in_turn("d1"));
}

}  // namespace
}  // namespace assent::event
