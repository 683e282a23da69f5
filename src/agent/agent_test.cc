#include "agent/agent.h"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "agent/prompt.h"
#include "approval/gate_answerer.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "provider/testing/fake_provider.h"
#include "store/memory_event_store.h"
#include "store/testing/failing_event_store.h"
#include "tool/registry.h"

namespace assent::agent {
namespace {

using event::TurnEndReason;
using provider::testing::make_reply;
using vocabulary::CallId;
using vocabulary::ToolCall;

class Echo final : public tool::Tool, public tool::RiskedTool {
 public:
  [[nodiscard]] std::string_view name() const override { return "echo"; }
  [[nodiscard]] tool::Definition definition(tool::Escalatable) const override {
    return {"echo", "says it again", schema_};
  }
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::no; }
  [[nodiscard]] vocabulary::Risk risk_level() const override { return vocabulary::Risk::safe; }
  tool::Output run(tool::Clearance clearance, const tool::RunContext&) override {
    return {std::string(300, 'x') + clearance.call().id.text()};
  }

 private:
  json::Value schema_ = json::Object{{"type", "object"}};
};

// Writes down what it hears.
class Heard final : public Reporter {
 public:
  std::vector<std::string> lines;
  void on_text_delta(std::string_view) override {}
  void on_reasoning_delta(std::string_view) override {}
  void on_message(std::string_view text) override { lines.push_back("say " + std::string(text)); }
  void on_tool_call(std::string_view name, std::string_view arguments) override {
    lines.push_back("call " + std::string(name) + " " + std::string(arguments));
  }
  void on_tool_result(std::string_view name, std::string_view shown, bool is_error) override {
    lines.push_back((is_error ? "error " : "result ") + std::string(name) + " " +
                    std::string(shown));
  }
  void on_notice(std::string_view text) override { lines.push_back("notice " + std::string(text)); }
};

class AgentTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore store_;
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/w", .origin = "user"}));
  }();
  provider::testing::FakeProvider provider_;
  approval::ApprovalService approval_;
  tool::ToolRegistry registry_;
  tool::PreExecute pre_execute_ = tool::PreExecute::without_policy();
  tool::Guards guards_;
  const tool::Parts parts_{
      .tools = registry_, .pre_execute = pre_execute_, .guards = guards_, .approval = [this] {
        return &approval_;
      }};
  const tool::Pipeline pipeline_{parts_};
  AgentRoll roll_;
  Heard heard_;
  scope::Registration echo_ = [&] { return MUST(registry_.add(std::make_shared<Echo>())); }();
  base::StopSource stop_;

  Services services(Reporter* reporter = nullptr, int step_limit = 10) {
    return {.session = *session_,
            .provider = provider_,
            .pipeline = pipeline_,
            .tools = registry_,
            .roll = roll_,
            .reporter = reporter,
            .step_limit = step_limit};
  }
  static ToolCall echo(std::string id) { return {CallId(std::move(id)), "echo", "{}"}; }
  std::vector<std::string> types() {
    std::vector<std::string> found;
    for (const auto& record : MUST(store_.read(session_->id(), 0, 1000))) {
      found.push_back(record.type);
    }
    return found;
  }
};

TEST_F(AgentTest, ATurnIsStepsUntilTheModelCallsNothing) {
  Agent agent(services(), "/w");
  provider_.add(make_reply("", {echo("a")}));
  provider_.add(make_reply("done"));
  EXPECT_EQ(MUST(agent.run_turn("go", {})), TurnResult{});
  const auto all = types();
  EXPECT_EQ(all, (std::vector<std::string>{"session/opened", "turn/start", "step/start",
                                           "user/message", "user/message", "request/header",
                                           "assistant/message", "tool/call", "tool/cleared",
                                           "tool/started", "tool/result", "step/end", "step/start",
                                           "assistant/message", "step/end", "turn/end"}));
  ASSERT_EQ(provider_.requests.size(), 2U);
  EXPECT_EQ(provider_.requests[1].messages.back().answers, CallId("a"));
  EXPECT_EQ(provider_.requests[0].tools.at(0).name, "echo");
}

//
TEST_F(AgentTest, TheReporterHearsCallsAndCutResultsAndTheModelGetsTheWhole) {
  Services chinese = services(&heard_);
  chinese.language = tool::Language::zh;
  Agent agent(chinese, "/w");
  provider_.add(make_reply("I echo.", {echo("a")}));
  MUST(agent.run_turn("go", {}));
  EXPECT_EQ(heard_.lines,
            (std::vector<std::string>{"say I echo.", "call echo {}",
                                      "result echo " + std::string(200, 'x') + "... (已截断)"}));
  EXPECT_EQ(provider_.requests[1].messages.back().content, std::string(300, 'x') + "a");
}

TEST_F(AgentTest, TheReporterHearsOfACutInItsOwnLanguage) {
  Agent agent(services(&heard_), "/w");
  provider_.add(make_reply("", {echo("a")}));
  MUST(agent.run_turn("go", {}));
  EXPECT_EQ(heard_.lines.back(), "result echo " + std::string(200, 'x') + "... (cut)");
}

//
TEST_F(AgentTest, WithoutAReporterEverythingElseIsTheSame) {
  Agent agent(services(nullptr), "/w");
  provider_.add(make_reply("I echo.", {echo("a")}));
  EXPECT_EQ(MUST(agent.run_turn("go", {})).reason, TurnEndReason::completed);
}

TEST_F(AgentTest, AFailedRequestEndsTheTurnWithItsReason) {
  Agent agent(services(), "/w");
  provider_.add(base::failure(base::ErrorKind::unavailable, "no server"));
  const auto result = MUST(agent.run_turn("go", {}));
  EXPECT_EQ(result.reason, TurnEndReason::error);
  EXPECT_EQ(result.detail, "no server");
  EXPECT_FALSE(session_->state().turn_open());
  provider_.add(make_reply("again"));
  EXPECT_EQ(MUST(agent.run_turn("go on", {})).reason, TurnEndReason::completed);
}

TEST_F(AgentTest, AStopDuringTheRequestAborts) {
  Agent agent(services(), "/w");
  provider_.add(base::failure(base::ErrorKind::cancelled, "cancelled"));
  EXPECT_EQ(MUST(agent.run_turn("go", {})).reason, TurnEndReason::aborted);
  stop_.request_stop();
  EXPECT_EQ(MUST(agent.run_turn("go", stop_.token())).reason, TurnEndReason::aborted);
  EXPECT_FALSE(session_->state().turn_open());
}

TEST_F(AgentTest, TheStepLimitEndsATurn) {
  Agent agent(services(nullptr, 3), "/w");
  for (int i = 0; i < 5; ++i) provider_.add(make_reply("", {echo("c" + std::to_string(i))}));
  const auto result = MUST(agent.run_turn("go", {}));
  EXPECT_EQ(result.reason, TurnEndReason::limit);
  EXPECT_EQ(provider_.requests.size(), 3U);
}

// Answers each question with the next of its words; then, and by an empty word, not at all.
class Prepared final : public question::Provider {
 public:
  explicit Prepared(std::vector<std::string> words) : words_(std::move(words)) {}
  std::vector<std::string> asked;
  base::Result<question::Answered> ask(const std::vector<question::Question>& questions,
                                       const base::StopToken&) override {
    const std::size_t n = asked.size();
    asked.push_back(questions.at(0).question);
    if (n >= words_.size() || words_[n].empty()) {
      return base::failure(base::ErrorKind::not_found, "the form was closed");
    }
    return question::Answered{{{.id = questions[0].id, .selected = {words_[n]}}}, "t:u"};
  }

 private:
  std::vector<std::string> words_;
};

TEST_F(AgentTest, AtTheStepLimitTheUserMayLetItGoOnForAsManyAgain) {
  question::UserQuestions questions(roll_);
  Prepared user({"go on", "stop here"});
  const auto registered = MUST(questions.provide(user));
  Services all = services(nullptr, 2);
  all.at_limit = &questions;
  Agent agent(all, "/w");
  for (int i = 0; i < 9; ++i) provider_.add(make_reply("", {echo("c" + std::to_string(i))}));
  EXPECT_EQ(MUST(agent.run_turn("go", {})).reason, TurnEndReason::limit);
  EXPECT_EQ(provider_.requests.size(), 4U);
  ASSERT_EQ(user.asked.size(), 2U);
  EXPECT_NE(user.asked[1].find("4 steps"), std::string::npos);
  EXPECT_EQ(std::ranges::count(types(), "question/asked"), 2);
  EXPECT_EQ(std::ranges::count(types(), "question/answered"), 2);
}

TEST_F(AgentTest, AnAnswerThatIsNoneEndsTheTurnAtItsLimit) {
  for (const auto* word : {"", "perhaps"}) {
    question::UserQuestions questions(roll_);
    Prepared user({word});
    const auto registered = MUST(questions.provide(user));
    Services all = services(nullptr, 1);
    all.at_limit = &questions;
    Agent agent(all, "/w");
    provider_.add(make_reply("", {echo("c")}));
    EXPECT_EQ(MUST(agent.run_turn("go", {})).reason, TurnEndReason::limit);
    EXPECT_EQ(user.asked.size(), 1U);
  }
}

TEST_F(AgentTest, ThreeRejectionsInARowBlockTheTurn) {
  Agent agent(services(), "/w");
  const auto listener = pre_execute_.add(
      [](const auto&, const auto&) -> tool::PreToolDecision { return tool::AskHuman{}; });
  const auto answerer = approval_.add_answerer([](const auto&, const auto&) {
    return approval::Answered{.outcome = vocabulary::ApprovalOutcome::rejected, .by = "t:u"};
  });
  for (const auto* n : {"1", "2", "3", "4"}) {
    provider_.add(make_reply("", {{CallId(n), "echo", "{\"n\":" + std::string(n) + "}"}}));
  }
  const auto result = MUST(agent.run_turn("go", {}));
  EXPECT_EQ(result.reason, TurnEndReason::blocked);
  EXPECT_TRUE(result.ended_on_refusal);
  EXPECT_EQ(provider_.requests.size(), 3U);
}

//
TEST_F(AgentTest, AnAuditThatFailsEndsTheRunAndNothingRan) {
  store::testing::FailingEventStore failing(store_);
  session_ = MUST(session::Session::resume({failing, clock_, rng_}, session_->id()));
  const auto asks = pre_execute_.add(
      [](const tool::Execution&, const auto&) { return tool::PreToolDecision(tool::AskHuman{}); });
  int asked = 0;
  const auto answers = approval_.add_answerer([&](const approval::Asking&, const auto&) {
    ++asked;
    return approval::Answered{.outcome = vocabulary::ApprovalOutcome::allowed_once, .by = "t:u"};
  });
  Services chinese = services();
  chinese.language = tool::Language::zh;
  Agent agent(chinese, "/w");
  provider_.add(make_reply("", {{CallId("a"), "echo", "{}"}}),
                [&](const auto&, auto&, const auto&) {
                  // The message, tool/call, then approval/asked.
                  failing.fail_append(3, store::testing::FailingEventStore::When::before,
                                      {base::ErrorKind::io, "the disk is full"});
                  return base::Result<void>();
                });
  const auto ended = agent.run_turn("go", {});
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "审批请求失败: the disk is full");
  EXPECT_EQ(ended.error().kind, base::ErrorKind::io);
  EXPECT_EQ(asked, 0);
}

// covers: B-113, B-116, B-117, B-118, B-119, B-162, B-163, B-151
TEST_F(AgentTest, ThePolicyIsToldAndEveryChangeOfIt) {
  Agent agent(services(), "/w");
  provider_.add(make_reply("one"));
  MUST(agent.run_turn("go", {}));
  MUST(session_->append(event::ApprovalPolicySet{vocabulary::ApprovalPolicy::never}));
  provider_.add(make_reply("two"));
  MUST(agent.run_turn("go on", {}));
  provider_.add(make_reply("three"));
  MUST(agent.run_turn("go on", {}));
  std::vector<std::string> told;
  for (const auto& message : provider_.requests.back().messages) {
    if (message.role == vocabulary::Role::user) told.push_back(message.content);
  }
  vocabulary::Knobs never;
  never.approval = vocabulary::ApprovalPolicy::never;
  EXPECT_EQ(told,
            (std::vector<std::string>{
                context_text({}), "go",
                "The approval policy changed from \"ask\" to \"never\" (changed by the user).",
                context_text(never), "go on", "go on"}));
  EXPECT_NE(context_text(never).find("do not set sandbox_permissions"), std::string::npos);
  EXPECT_NE(context_text({}).find("may ask through the configured answerers"), std::string::npos);
}

// covers: B-099, B-157
TEST(AgentRoll, ARootIsOneThatNoLiveAgentOwns) {
  AgentRoll roll;
  const vocabulary::AgentRef root{.id = vocabulary::AgentId("root")};
  const vocabulary::AgentRef child{.id = vocabulary::AgentId("child"), .parent = root.id};
  auto alive = roll.enter(root);
  const auto owned = roll.enter(child);
  EXPECT_TRUE(roll.is_root(root.id));
  EXPECT_FALSE(roll.is_root(child.id));
  alive.reset();
  EXPECT_FALSE(roll.is_live(root.id));
  EXPECT_TRUE(roll.is_root(child.id));
  EXPECT_FALSE(roll.is_root(vocabulary::AgentId("never")));
}

}  // namespace
}  // namespace assent::agent
