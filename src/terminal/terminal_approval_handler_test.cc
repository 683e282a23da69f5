#include "terminal/terminal_approval_handler.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/testing/fake_clock.h"

namespace assent::terminal {
namespace {

using approval::Answer;
using approval::Decision;
using approval::Grantable;
using approval::Request;
using namespace std::chrono_literals;

class TerminalApproval : public ::testing::Test {
 protected:
  base::Pipe in_ = [] { return MUST(base::make_pipe()); }();
  base::Pipe out_ = [] { return MUST(base::make_pipe()); }();
  base::testing::FakeClock clock_;
  Screen screen_{out_.write.get()};
  InputBroker broker_{in_.read.get(), screen_, 30ms};
  TerminalApprovalHandler handler_{{broker_, clock_}, Catalogue::zh, "tester"};

  void type(std::string_view text) { MUST(base::write_all(in_.write.get(), text)); }
  void end_input() { in_.write.reset(); }
  std::string shown() {
    out_.write.reset();
    return MUST(base::read_to_end(out_.read.get(), 1 << 20));
  }
  static Request request() {
    return {.call = {vocabulary::CallId("c"), "bash", R"({"command":"ls"})"},
            .risk = vocabulary::Risk::dangerous,
            .grantable = Grantable::yes,
            .headline = "runs a command"};
  }
};

// covers: A-085, A-086, A-087, A-088
TEST_F(TerminalApproval, OnlyAYesIsAYes) {
  const std::vector<std::pair<const char*, Decision>> rows{
      {"y\n", Decision::allow_once},     {"  Y \n", Decision::allow_once},
      {"\ty\r\n", Decision::allow_once}, {"a\n", Decision::allow_session},
      {" A\n", Decision::allow_session}, {"n\n", Decision::deny},
      {"N\n", Decision::deny},           {"\n", Decision::deny},
      {" \n", Decision::deny},           {"yes\n", Decision::deny},
      {"y y\n", Decision::deny},         {"a b\n", Decision::deny},
      {"allow\n", Decision::deny},       {"ja\n", Decision::deny},
      {"v x\n", Decision::deny},         {"e\n", Decision::deny},
      {"a 1\n", Decision::deny},         {"\xff\n", Decision::deny}};
  for (const auto& [line, decision] : rows) {
    type(line);
    EXPECT_EQ(handler_.approve(request(), {}),
              (Answer{.decision = decision, .at_ms = clock_.now_ms(), .by = "terminal:tester"}))
        << line;
  }
}

// covers: A-087
TEST_F(TerminalApproval, WithoutGrantsALastingAnswerIsADeny) {
  Request once = request();
  once.grantable = Grantable::no;
  type("a\n");
  EXPECT_EQ(handler_.approve(once, {})->decision, Decision::deny);
  EXPECT_EQ(shown().find("[a]"), std::string::npos);
}

TEST_F(TerminalApproval, ALastingAnswerMayHaveAWiderScope) {
  Request scoped = request();
  scoped.wider_scopes = {{vocabulary::GrantKind::path_range, "/w/a"},
                         {vocabulary::GrantKind::path_range, "/w"}};
  using Scope = std::optional<vocabulary::GrantScope>;
  const std::vector<std::tuple<const char*, Decision, Scope>> rows{
      {"a\n", Decision::allow_session, std::nullopt},
      {"A  2 \n", Decision::allow_session, scoped.wider_scopes[1]},
      {"a 1\n", Decision::allow_session, scoped.wider_scopes[0]},
      {"a 0\n", Decision::deny, std::nullopt},
      {"a 3\n", Decision::deny, std::nullopt},
      {"a 1x\n", Decision::deny, std::nullopt},
      {"a 1 2\n", Decision::deny, std::nullopt},
      {"a -1\n", Decision::deny, std::nullopt},
      {"a 18446744073709551617\n", Decision::deny, std::nullopt}};
  for (const auto& [line, decision, scope] : rows) {
    type(line);
    const auto answer = MUST(handler_.approve(scoped, {}));
    EXPECT_EQ(answer.decision, decision) << line;
    EXPECT_EQ(answer.scope, scope) << line;
  }
  scoped.grantable = Grantable::no;
  type("a 1\n");
  EXPECT_EQ(handler_.approve(scoped, {})->decision, Decision::deny);
}

TEST_F(TerminalApproval, OtherArgumentsComeWithADeny) {
  TerminalApprovalHandler handler({broker_, clock_}, Catalogue::en, "tester");
  const Answer deny{.at_ms = clock_.now_ms(), .by = "terminal:tester"};
  Answer with_other = deny;
  with_other.edited = R"({"command":"ls -l"})";
  type("E \n" + *with_other.edited + "\n");
  EXPECT_EQ(handler.approve(request(), {}), with_other);
  type("e\n \n");
  EXPECT_EQ(handler.approve(request(), {}), deny);
  type("e\n" + request().call.arguments + "\n");
  EXPECT_EQ(handler.approve(request(), {}), deny);
  type("e\n");
  base::StopSource stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    stop.request_stop();
  });
  EXPECT_EQ(handler.approve(request(), stop.token()).error().kind, base::ErrorKind::cancelled);
  type("e\n");
  end_input();
  EXPECT_EQ(handler.approve(request(), {}), deny);
}

TEST_F(TerminalApproval, ADenyMayCarryAWordToTheModel) {
  type("N  use Make instead \n");
  EXPECT_EQ(handler_.approve(request(), {}), (Answer{.decision = Decision::deny,
                                                     .at_ms = clock_.now_ms(),
                                                     .by = "terminal:tester",
                                                     .feedback = "use Make instead"}));
}

// covers: A-083, A-084
TEST_F(TerminalApproval, ItIsAHandlerAndWritesTheLiteralsOfTheSource) {
  type("y\n");
  approval::Handler& channel = handler_;
  MUST(channel.approve(request(), {}));
  const std::string text = shown();
  EXPECT_TRUE(text.starts_with("\n"));
  EXPECT_NE(text.find("\n需要确认执行工具: bash\n参数: {\"command\":\"ls\"}\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("\n[y]允许本次 [a]本会话允许 [n]拒绝: "));
}

TEST_F(TerminalApproval, ShowsAllWhereThatIsAskedForAndAsksAgain) {
  Request large = request();
  large.call.arguments = std::string(5000, 'a');
  type("V \ny\n");
  EXPECT_EQ(handler_.approve(large, {})->decision, Decision::allow_once);
  const std::string text = shown();
  const auto cut = text.find("904 bytes left out");
  ASSERT_NE(cut, std::string::npos);
  EXPECT_NE(text.find(std::string(5000, 'a'), cut), std::string::npos);
}

// covers: A-088
TEST_F(TerminalApproval, TheEndOfInputDenies) {
  end_input();
  EXPECT_EQ(handler_.approve(request(), {})->decision, Decision::deny);
  EXPECT_EQ(handler_.approve(request(), {})->decision, Decision::deny);
}

// covers: A-007, A-089, A-102, A-103, A-104
TEST_F(TerminalApproval, ACancelledQuestionEndsAtOnceAndSwallowsNothing) {
  base::StopSource stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    stop.request_stop();
  });
  EXPECT_EQ(handler_.approve(request(), stop.token()).error().kind, base::ErrorKind::cancelled);
  type("the next line\n");
  EXPECT_EQ(broker_.read_prompt("> ", {}), "the next line");
}

// covers: A-081
TEST_F(TerminalApproval, TwoQuestionsNeverStandInEachOther) {
  Request child = request();
  child.agent = {.id = vocabulary::AgentId("b"), .parent = vocabulary::AgentId("a")};
  child.call.name = "second_tool";
  type("y\nn\n");
  {
    const std::jthread first([&] { (void)handler_.approve(child, {}); });
    const std::jthread second([&] { (void)handler_.approve(child, {}); });
  }
  const std::string text = shown();
  const std::string label = "▶ [child 1] ";
  const auto start = text.find(label);
  const auto end = text.find("[n]拒绝: ", start);
  EXPECT_EQ(text.find(label, start + 1), text.rfind(label));
  EXPECT_LT(end, text.rfind(label));
  EXPECT_NE(text.find("[child 1] [y]"), std::string::npos);
}

TEST(AgentLabels, NumberChildrenInTheOrderOfTheirAsking) {
  AgentLabels labels;
  const auto child = [](std::string id) {
    return vocabulary::AgentRef{.id = vocabulary::AgentId(std::move(id)),
                                .parent = vocabulary::AgentId("root")};
  };
  EXPECT_EQ(labels.of({.id = vocabulary::AgentId("root")}), "");
  EXPECT_EQ(labels.of(child("x")), "child 1");
  EXPECT_EQ(labels.of(child("y")), "child 2");
  EXPECT_EQ(labels.of(child("x")), "child 1");
}

}  // namespace
}  // namespace assent::terminal
