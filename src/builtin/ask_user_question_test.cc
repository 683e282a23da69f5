#include "builtin/ask_user_question.h"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "approval/service.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "store/memory_event_store.h"
#include "tool/pipeline.h"
#include "tool/registry.h"

namespace assent::builtin {
namespace {

// Without the service there is no such tool (B-094).
static_assert(!std::is_default_constructible_v<AskUserQuestion>);

class Human final : public question::Provider {
 public:
  std::vector<std::vector<question::Question>> asked;
  base::Result<question::Answered> ask(const std::vector<question::Question>& questions,
                                       const base::StopToken&) override {
    asked.push_back(questions);
    question::Answered answered{.by = "test:user"};
    for (const auto& question : questions) {
      answered.answers.push_back({.id = question.id, .selected = {"red"}, .custom = "or blue"});
    }
    return answered;
  }
};

class Everyone final : public question::LiveAgents {
  [[nodiscard]] bool is_live(const vocabulary::AgentId&) const override { return true; }
  [[nodiscard]] bool is_root(const vocabulary::AgentId&) const override { return true; }
};

class AskUserQuestionTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore store_;
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/", .origin = "user"}));
  }();
  Everyone agents_;
  question::UserQuestions questions_{agents_};
  tool::ToolRegistry registry_;
  tool::PreExecute pre_execute_ = tool::PreExecute::with_policy(tool::policy_listener);
  tool::Guards guards_;
  // No approval service is composed, and none is missed.
  const tool::Parts parts_{
      .tools = registry_, .pre_execute = pre_execute_, .guards = guards_, .approval = [] {
        return nullptr;
      }};
  const vocabulary::AgentId agent_{"agent"};
  scope::Registration tool_ = [&] {
    return MUST(registry_.add(std::make_shared<AskUserQuestion>(questions_)));
  }();

  event::ToolResult ask(const std::string& arguments) {
    const vocabulary::ToolCall call{vocabulary::CallId("c"), "ask_user_question", arguments};
    MUST(session_->append({event::TurnStarted{session_->state().turn() + 1},
                           event::StepStarted{session_->state().turn() + 1, 1},
                           event::AssistantMessage{.calls = {call}}}));
    const session::Session::Writer writer(*session_);
    const tool::Caller caller{.session = *session_,
                              .agent = {.id = agent_, .session = session_->id()},
                              .path = scope::ScopePath({agent_}),
                              .work_dir = "/"};
    MUST(tool::Pipeline(parts_).run({call}, caller, {}));
    event::ToolResult result;
    for (const auto& record : MUST(store_.read(session_->id(), 0, 1000))) {
      const auto event = MUST(event::open(session_->id(), record));
      if (const auto* found = std::get_if<event::ToolResult>(&event.data)) result = *found;
    }
    MUST(session_->append({event::StepEnded{session_->state().turn(), 1},
                           event::TurnEnded{.turn = session_->state().turn()}}));
    return result;
  }
  std::vector<std::string> types(std::string_view prefix) {
    std::vector<std::string> found;
    for (const auto& record : MUST(store_.read(session_->id(), 0, 1000))) {
      if (record.type.starts_with(prefix)) found.push_back(record.type);
    }
    return found;
  }
};

// covers: B-004, B-090, B-092, B-094, B-096, B-112, B-136
TEST_F(AskUserQuestionTest, IsAToolLikeAnyOtherAndNoPartOfTheApprovalFlow) {
  Human human;
  const auto provided = MUST(questions_.provide(human));
  const std::string arguments = R"({"questions":[{"question":"Which colour?",)"
                                R"("options":[{"label":"red"},{"label":"blue"}]}]})";
  const auto answered = ask(arguments);
  EXPECT_EQ(answered.error, std::nullopt);
  EXPECT_EQ(answered.content, R"({"answers":[{"custom":"or blue","id":"q1","selected":["red"]}]})");
  ASSERT_EQ(human.asked.size(), 1U);
  EXPECT_EQ(human.asked[0],
            (std::vector<question::Question>{
                {.id = "q1", .question = "Which colour?", .options = {{"red"}, {"blue"}}}}));
  EXPECT_EQ(types("question/"), (std::vector<std::string>{"question/asked", "question/answered"}));

  // No approval policy affects it, and it writes no approval event.
  MUST(session_->append(event::ApprovalPolicySet{vocabulary::ApprovalPolicy::never}));
  EXPECT_EQ(ask(arguments).content, answered.content);
  EXPECT_EQ(human.asked.size(), 2U);
  EXPECT_EQ(types("approval/asked").size() + types("approval/decided").size(), 0U);
  EXPECT_EQ(types("sandbox/").size() + types("permission/").size(), 0U);
}

TEST_F(AskUserQuestionTest, FailuresAreErrorResultsWithTheirCodeInTheLog) {
  EXPECT_EQ(ask(R"({"questions":[{"question":"?"}]})").error->code,
            vocabulary::ErrorCode::no_provider);
  EXPECT_EQ(ask(R"({"questions":[]})").error->code, vocabulary::ErrorCode::empty_questions);
  EXPECT_EQ(ask(R"({"questions":[{"header":"x"}]})").error->code,
            vocabulary::ErrorCode::invalid_args);
  EXPECT_EQ(types("question/answered").size(), 2U);
}

}  // namespace
}  // namespace assent::builtin
