#include "agent/children.h"

#include <barrier>
#include <mutex>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "agent/prompt.h"
#include "approval/gate_answerer.h"
#include "base/limits.h"
#include "base/testing/fake_clock.h"
#include "builtin/ask_user_question.h"
#include "provider/testing/fake_provider.h"
#include "store/memory_event_store.h"

namespace assent::agent {
namespace {

using provider::testing::make_reply;
using vocabulary::CallId;
using vocabulary::Risk;
using vocabulary::ToolCall;

// The system's randomness: ids of concurrent sessions have no order to replay.
class AgentTool final : public tool::Tool, public tool::RiskedTool {
 public:
  AgentTool(std::string name, Risk risk) : name_(std::move(name)), risk_(risk) {}
  std::atomic<int> ran = 0;
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] tool::Definition definition(tool::Escalatable) const override {
    return {name_, "a tool of the test", schema_};
  }
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::no; }
  [[nodiscard]] Risk risk_level() const override { return risk_; }
  tool::Output run(tool::Clearance, const tool::RunContext&) override {
    ++ran;
    return {"done"};
  }

 private:
  std::string name_;
  Risk risk_;
  json::Value schema_ = json::Object{{"type", "object"}};
};

// Answers by what the last messages say: each agent gets its own conversation.
class ByConversation final : public provider::Provider {
 public:
  using Answer = std::function<provider::Reply(const provider::Request&)>;
  explicit ByConversation(Answer answer) : answer_(std::move(answer)) {}
  base::Result<provider::Reply> generate(const provider::Request& request, provider::Sink&,
                                         const base::StopToken& stop) override {
    if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
    {
      const std::lock_guard lock(mutex_);
      requests.push_back(request);
    }
    return answer_(request);
  }
  [[nodiscard]] std::string name() const override { return "by-conversation"; }
  std::vector<provider::Request> requests;

 private:
  Answer answer_;
  std::mutex mutex_;
};

bool is_child(const provider::Request& request) {
  return request.messages.front().content == child_text();
}
bool has_result(const provider::Request& request) {
  return request.messages.back().role == vocabulary::Role::tool;
}
ToolCall spawn(std::string id, const std::string& task) {
  return {CallId(std::move(id)), "spawn_agent", json::write(json::Object{{"task", task}})};
}

class ChildrenTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::SystemRng rng_;
  store::MemoryEventStore store_;
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/", .origin = "user"}));
  }();
  approval::ApprovalService approval_;
  tool::ToolRegistry registry_;
  tool::PreExecute pre_execute_ = tool::PreExecute::with_policy(tool::policy_listener);
  tool::Guards guards_;
  const tool::Parts parts_{.tools = registry_,
                           .pre_execute = pre_execute_,
                           .guards = guards_,
                           .approval = [this] { return &approval_; },
                           .sandbox = {.enforcement = sandbox::Enforcement::full}};
  const tool::Pipeline pipeline_{parts_};
  AgentRoll roll_;
  question::UserQuestions questions_{roll_};
  std::unique_ptr<ByConversation> provider_;
  std::unique_ptr<Children> children_;
  std::shared_ptr<AgentTool> look_ = std::make_shared<AgentTool>("look", Risk::safe);
  std::shared_ptr<AgentTool> change_ = std::make_shared<AgentTool>("change", Risk::mutating);
  std::vector<scope::Registration> keep_;
  base::StopSource stop_;

  TurnResult run(ByConversation::Answer answer) {
    provider_ = std::make_unique<ByConversation>(std::move(answer));
    children_ = std::make_unique<Children>(Nursery{.session = {store_, clock_, rng_},
                                                   .provider = *provider_,
                                                   .parts = parts_,
                                                   .tools = registry_,
                                                   .roll = roll_,
                                                   .work_dir = "/"});
    for (const std::shared_ptr<tool::Tool>& tool : std::vector<std::shared_ptr<tool::Tool>>{
             look_, change_, std::make_shared<builtin::AskUserQuestion>(questions_),
             std::make_shared<builtin::SpawnAgent>(*children_)}) {
      keep_.push_back(MUST(registry_.add(tool)));
    }
    Agent root({.session = *session_,
                .provider = *provider_,
                .pipeline = pipeline_,
                .tools = registry_,
                .roll = roll_,
                .step_limit = 20},
               "/");
    return MUST(root.run_turn("work", stop_.token()));
  }
  std::vector<std::string> results() {
    std::vector<std::string> contents;
    for (const auto& message : session_->conversation().messages()) {
      if (message.role == vocabulary::Role::tool) contents.push_back(message.content);
    }
    return contents;
  }
  // The events of the one child.
  std::vector<event::Record> child_log() {
    for (const auto& session : MUST(store_.sessions())) {
      if (session.id != session_->id()) return MUST(store_.read(session.id, 0, 1000));
    }
    return {};
  }
};

// covers: A-106, A-107, B-001
TEST_F(ChildrenTest, AChildWorksInASessionOfItsOwnAndReportsItsLastWords) {
  run([](const provider::Request& request) {
    if (is_child(request)) {
      return has_result(request) ? make_reply("it is green")
                                 : make_reply("", {{CallId("l"), "look", "{}"}});
    }
    return has_result(request) ? make_reply("done") : make_reply("", {spawn("s", "look around")});
  });
  ASSERT_EQ(results().size(), 1U);
  const auto log = child_log();
  EXPECT_EQ(
      results()[0], "it is green\n[session of the child: " + [&] {
        for (const auto& s : MUST(store_.sessions())) {
          if (s.id != session_->id()) return s.id.text();
        }
        return std::string();
      }() + "]");
  EXPECT_EQ(look_->ran, 1);
  EXPECT_NE(log[0].data.find(R"("depth":1)"), std::string::npos);
  EXPECT_NE(log[0].data.find(R"("origin":"subagent","parent":")" + session_->id().text()),
            std::string::npos);
  std::vector<std::string> knobs;
  for (const auto& record : log) {
    if (record.seq >= 1 && record.seq <= 4) knobs.push_back(record.type + record.data);
  }
  EXPECT_EQ(knobs,
            (std::vector<std::string>{
                R"(sandbox/mode{"mode":"workspace-write"})", R"(approval/policy{"policy":"never"})",
                R"(policy/review{"review":"escalations"})", R"(grant/mode{"mode":"off"})"}));
  // The child was shown what is safe, and nothing else.
  std::vector<std::string> shown;
  for (const auto& tool : provider_->requests.at(1).tools) shown.push_back(tool.name);
  EXPECT_EQ(shown, (std::vector<std::string>{"ask_user_question", "look", "spawn_agent"}));
}

// covers: A-108
TEST_F(ChildrenTest, NothingThatChangesAnythingComesToStandAmongReadOnlyTools) {
  class Undeclared final : public tool::Tool {
   public:
    [[nodiscard]] std::string_view name() const override { return "undeclared"; }
    [[nodiscard]] tool::Definition definition(tool::Escalatable) const override { return {}; }
    [[nodiscard]] const json::Value& schema() const override { return schema_; }
    [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::no; }
    tool::Output run(tool::Clearance, const tool::RunContext&) override { return {}; }

   private:
    json::Value schema_ = json::Object{};
  };
  const std::vector<std::shared_ptr<tool::Tool>> refused{
      change_, std::make_shared<AgentTool>("danger", Risk::dangerous),
      std::make_shared<AgentTool>("odd", static_cast<Risk>(9)), std::make_shared<Undeclared>()};
  for (const auto& tool : refused) {
    const auto view = tool::ReadOnlyTools::create({look_, tool});
    ASSERT_FALSE(view) << tool->name();
    EXPECT_EQ(view.error().kind, base::ErrorKind::invalid);
    EXPECT_NE(view.error().message.find(tool->name()), std::string::npos);
  }
  EXPECT_EQ(tool::ReadOnlyTools::create({look_})->find("look"), look_);
  EXPECT_EQ(tool::ReadOnlyTools::create({look_})->find("change"), nullptr);
}

TEST_F(ChildrenTest, AChildCannotCallWhatItWasNotShown) {
  run([](const provider::Request& request) {
    if (is_child(request)) {
      return has_result(request) ? make_reply(request.messages.back().content)
                                 : make_reply("", {{CallId("c"), "change", "{}"}});
    }
    return has_result(request) ? make_reply("done") : make_reply("", {spawn("s", "change it")});
  });
  EXPECT_TRUE(results()[0].starts_with("Error: there is no tool named \"change\"")) << results()[0];
  EXPECT_EQ(change_->ran, 0);
}

// covers: B-098, B-101, B-102
TEST_F(ChildrenTest, AChildThatNeedsTheUserReturnsItsQuestionAndTheRootAsks) {
  class Human final : public question::Provider {
   public:
    base::Result<question::Answered> ask(const std::vector<question::Question>& questions,
                                         const base::StopToken&) override {
      asked.push_back(questions.at(0).question);
      return question::Answered{{{.id = questions[0].id, .custom = "blue"}}, "test:user"};
    }
    std::vector<std::string> asked;
  } human;
  keep_.push_back(MUST(questions_.provide(human)));
  const ToolCall question{CallId("q"), "ask_user_question",
                          R"({"questions":[{"question":"Which colour?"}]})"};
  run([&](const provider::Request& request) {
    if (is_child(request)) {
      return has_result(request) ? make_reply("I could not find out.") : make_reply("", {question});
    }
    if (!has_result(request)) return make_reply("", {spawn("s", "paint")});
    return request.messages.back().content.find("colour") != std::string::npos
               ? make_reply("", {question})
               : make_reply("done");
  });
  ASSERT_EQ(results().size(), 2U);
  EXPECT_TRUE(results()[0].starts_with(
      "I could not find out.\n[open questions of the child, which only the user can answer:\n - "
      "Which colour?]"))
      << results()[0];
  EXPECT_NE(results()[1].find("blue"), std::string::npos);
  EXPECT_EQ(human.asked, std::vector<std::string>{"Which colour?"});
}

// A listener that asks about a child's call finds nobody: the child's policy is `never`.
TEST_F(ChildrenTest, WhatAChildWouldHaveToAskForIsRejectedInItsOwnLog) {
  int asked = 0;
  keep_.push_back(approval_.add_answerer([&](const approval::Asking&, const auto&) {
    ++asked;
    return approval::Answered{.outcome = vocabulary::ApprovalOutcome::allowed_once, .by = "t:u"};
  }));
  keep_.push_back(pre_execute_.add([](const tool::Execution& execution, const auto& next) {
    return execution.call.name == "look" ? tool::PreToolDecision(tool::AskHuman{}) : next();
  }));
  run([](const provider::Request& request) {
    if (is_child(request)) {
      return has_result(request) ? make_reply(request.messages.back().content)
                                 : make_reply("", {{CallId("l"), "look", "{}"}});
    }
    return has_result(request) ? make_reply("done") : make_reply("", {spawn("s", "look")});
  });
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(look_->ran, 0);
  EXPECT_TRUE(
      results()[0].starts_with("Error: tool \"look\" requires approval, and approval "
                               "prompts are disabled in this session"))
      << results()[0];
  std::size_t pairs = 0;
  for (const auto& record : child_log()) {
    pairs += record.type == "approval/decided" &&
             record.data.find(R"("by":"never")") != std::string::npos;
  }
  EXPECT_EQ(pairs, 1U);
}

TEST_F(ChildrenTest, EightChildrenOfOneMessageWorkAtTheSameTime) {
  std::barrier all(8);
  run([&](const provider::Request& request) {
    if (is_child(request)) {
      all.arrive_and_wait();
      return make_reply("done");
    }
    if (has_result(request)) return make_reply("done");
    std::vector<ToolCall> calls;
    for (int i = 0; i < 8; ++i) calls.push_back(spawn("s" + std::to_string(i), "work"));
    return make_reply("", calls);
  });
  EXPECT_EQ(results().size(), 8U);
}

TEST_F(ChildrenTest, ChildrenEndAtADepth) {
  run([&](const provider::Request& request) {
    if (has_result(request)) return make_reply(request.messages.back().content);
    return make_reply("", {spawn("s", "deeper")});
  });
  EXPECT_TRUE(results()[0].starts_with("Error: there is no tool named \"spawn_agent\""))
      << results()[0];
  EXPECT_EQ(MUST(store_.sessions()).size(), 1 + base::limits::agent_depth);
}

// Cancellation flows from the parent down; the child's log is balanced, and says whose stop it was.
TEST_F(ChildrenTest, TheParentsStopEndsTheChildFirst) {
  const auto ended = run([&](const provider::Request& request) {
    if (!is_child(request)) return make_reply("", {spawn("s", "work")});
    stop_.request_stop();
    return make_reply("", {{CallId("l"), "look", "{}"}});
  });
  EXPECT_EQ(ended.reason, event::TurnEndReason::aborted);
  EXPECT_EQ(look_->ran, 0);
  EXPECT_EQ(results(), std::vector<std::string>{"Error: the call was aborted"});
  const auto log = child_log();
  EXPECT_EQ(log.back().type, "turn/end");
  EXPECT_NE(log.back().data.find("parent"), std::string::npos);
}

}  // namespace
}  // namespace assent::agent
