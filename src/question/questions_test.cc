#include "question/questions.h"

#include <set>

#include <gtest/gtest.h>

namespace assent::question {
namespace {

using vocabulary::AgentId;
using vocabulary::ErrorCode;

class FakeAgents final : public LiveAgents {
 public:
  std::set<AgentId> live{AgentId("root"), AgentId("child")};
  [[nodiscard]] bool is_live(const AgentId& agent) const override { return live.contains(agent); }
  [[nodiscard]] bool is_root(const AgentId& agent) const override {
    return agent == AgentId("root");
  }
};

class FakeProvider final : public Provider {
 public:
  std::function<base::Result<Answered>(const base::StopToken&)> answer;
  std::vector<Question> seen;
  base::Result<Answered> ask(const std::vector<Question>& questions,
                             const base::StopToken& stop) override {
    seen = questions;
    return answer(stop);
  }
};

class UserQuestionsTest : public ::testing::Test {
 protected:
  FakeAgents agents_;
  UserQuestions questions_{agents_};
  FakeProvider provider_;
  const std::vector<Question> one_{{.id = "q", .question = "Which?"}};
};

// covers: B-093, B-095, B-097
TEST_F(UserQuestionsTest, TheRootAsksItsProviderAndGetsTheAnswers) {
  const Answered expected{.answers = {{.id = "q", .selected = {"a"}}}, .by = "test"};
  provider_.answer = [&](const auto&) { return expected; };
  const auto registration = questions_.provide(provider_);
  EXPECT_EQ(questions_.ask(one_, AgentId("root"), {}), expected);
  EXPECT_EQ(provider_.seen, one_);
}

// covers: B-098, B-099, B-100, B-157
TEST_F(UserQuestionsTest, ChecksComeInTheOrderOfTheSource) {
  base::StopSource stopped;
  stopped.request_stop();
  const auto code = [&](const std::vector<Question>& questions, std::optional<AgentId> agent,
                        const base::StopToken& stop) {
    return questions_.ask(questions, agent, stop).error().code;
  };
  EXPECT_EQ(code({}, AgentId("gone"), stopped.token()), ErrorCode::ask_aborted);
  EXPECT_EQ(code({}, AgentId("gone"), {}), ErrorCode::empty_questions);
  EXPECT_EQ(code(one_, AgentId("gone"), {}), ErrorCode::caller_not_live);
  EXPECT_EQ(code(one_, std::nullopt, {}), ErrorCode::caller_not_live);
  EXPECT_EQ(code(one_, AgentId("child"), {}), ErrorCode::delegated_caller);
  EXPECT_EQ(code(one_, AgentId("root"), {}), ErrorCode::no_provider);
}

// covers: B-157
TEST_F(UserQuestionsTest, ASecondProviderIsRefusedUntilTheFirstIsGone) {
  {
    const auto first = questions_.provide(provider_);
    ASSERT_TRUE(first);
    EXPECT_EQ(questions_.provide(provider_).error().kind, base::ErrorKind::conflict);
  }
  EXPECT_TRUE(questions_.provide(provider_));
}

TEST(UserQuestionsLifetime, ARegistrationMayOutliveTheService) {
  const FakeAgents agents;
  FakeProvider provider;
  base::Result<scope::Registration> registration;
  {
    UserQuestions questions(agents);
    registration = questions.provide(provider);
  }
  registration->reset();
  EXPECT_TRUE(registration);
}

TEST_F(UserQuestionsTest, AnyFailureOfTheProviderIsAnAbort) {
  provider_.answer = [](const auto&) {
    return base::Result<Answered>(base::failure(base::ErrorKind::cancelled, "the form was closed"));
  };
  const auto registration = questions_.provide(provider_);
  EXPECT_EQ(questions_.ask(one_, AgentId("root"), {}).error(),
            (QuestionError{ErrorCode::ask_aborted, "the form was closed"}));
}

TEST_F(UserQuestionsTest, AnOpenQuestionEndsWithItsProvidersRegistration) {
  auto registration = questions_.provide(provider_);
  provider_.answer = [&](const base::StopToken& stop) -> base::Result<Answered> {
    registration->reset();
    EXPECT_TRUE(stop.stop_requested());
    return base::failure(base::ErrorKind::cancelled, "stopped");
  };
  EXPECT_EQ(questions_.ask(one_, AgentId("root"), {}).error().code, ErrorCode::ask_aborted);
}

}  // namespace
}  // namespace assent::question
