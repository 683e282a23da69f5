#include "listener/hook.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "base/file.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "store/memory_event_store.h"
#include "store/testing/failing_event_store.h"

namespace assent::listener {
namespace {

namespace fs = std::filesystem;
using tool::Allow;
using tool::AskHuman;
using tool::Deny;
using tool::PreToolDecision;

class HookTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { launcher_ = MUST(sandbox::Launcher::create({})); }
  static void TearDownTestSuite() { launcher_.reset(); }
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "hook-test-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = MUST(base::resolve_path(pattern));
    MUST(session_->append({event::TurnStarted{1}, event::StepStarted{1, 1},
                           event::AssistantMessage{.calls = {call_}}}));
  }
  void TearDown() override { fs::remove_all(folder_); }

  // A hook that is this shell script.
  HookSpec script(const std::string& text, OnFailure on_failure = OnFailure::deny) {
    return {.command = {"/bin/sh", "-c", text}, .on_failure = on_failure};
  }
  static HookSpec says(const std::string& output) {
    return {.command = {"/bin/sh", "-c", "cat >/dev/null; printf '%s' '" + output + "'"}};
  }
  PreToolDecision decide(std::vector<HookSpec> hooks) {
    tool::PreExecute chain = tool::PreExecute::without_policy();
    const auto added = chain.add(hook_listener(std::move(hooks), *launcher_, folder_));
    const session::Session::Writer writer(*session_);
    return chain.decide(execution(), *session_);
  }
  tool::Execution execution() {
    return {
        .call = call_,
        .arguments = {{"command", "make"}},
        .effects = {vocabulary::PathEffect{vocabulary::PathAccess::write, "/w/a"}},
        .risk = vocabulary::Risk::dangerous,
        .mode = vocabulary::SandboxMode::workspace_write,
        .agent = vocabulary::AgentRef{.id = vocabulary::AgentId("a"), .session = session_->id()},
        .stop = stop_.token()};
  }
  std::vector<std::string> logged() {
    std::vector<std::string> lines;
    for (const auto& record : MUST(memory_.read(session_->id(), 0, 1000))) {
      if (record.type.starts_with("hook/")) lines.push_back(record.type + " " + record.data);
    }
    return lines;
  }

  static std::unique_ptr<sandbox::Launcher> launcher_;
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore memory_;
  store::testing::FailingEventStore store_{memory_};
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/", .origin = "user"}));
  }();
  const vocabulary::ToolCall call_{vocabulary::CallId("c1"), "bash", R"({"command":"make"})"};
  base::StopSource stop_;
  std::string folder_;
};

std::unique_ptr<sandbox::Launcher> HookTest::launcher_;

TEST_F(HookTest, ReadsTheCallAndIsLoggedBeforeAndAfter) {
  const std::string answer = R"({"decision":"deny","reason":"not on Fridays","context":"ask Ann"})";
  EXPECT_EQ(decide({script("cat > seen; echo '" + answer + "'")}),
            PreToolDecision(Deny{"not on Fridays\nask Ann", "hook"}));
  const auto seen = MUST(json::parse(*base::read_file(folder_ + "/seen", 1 << 20)));
  EXPECT_EQ(seen, hook_input(execution(), folder_));
  EXPECT_EQ(json::write(seen.as_object().at("call")),
            R"({"arguments":{"command":"make"},"id":"c1","name":"bash"})");
  EXPECT_EQ(json::write(seen.as_object().at("effects")), R"(["write /w/a"])");
  ASSERT_EQ(logged().size(), 2U);
  EXPECT_TRUE(logged()[0].starts_with(R"(hook/invoked {"callId":"c1","command":["/bin/sh")"));
  EXPECT_EQ(logged()[1],
            R"(hook/result {"callId":"c1","decision":"deny","reason":"not on Fridays\nask Ann"})");
}

TEST_F(HookTest, AsksOrLetsGoOnAndBringsItsContext) {
  EXPECT_EQ(decide({says(R"({"decision":"ask","reason":"sure?"})")}),
            PreToolDecision(AskHuman{.reason = "sure?", .by = "hook"}));
  EXPECT_EQ(decide({says(R"({"decision":"none"})")}), PreToolDecision(Allow{}));
  EXPECT_EQ(decide({says(R"({"decision":"none","context":"mind the cache"})")}),
            PreToolDecision(Allow{"mind the cache"}));
}

TEST_F(HookTest, SeveralFoldToTheStrictestAndADenyEndsTheRound) {
  const auto none = says(R"({"decision":"none","context":"one"})");
  const auto ask = says(R"({"decision":"ask","context":"two"})");
  const auto deny = says(R"({"decision":"deny","reason":"no"})");
  EXPECT_EQ(decide({none, ask, none}),
            PreToolDecision(AskHuman{.by = "hook", .context = "two\none\none"}));
  EXPECT_EQ(decide({ask, deny, script("touch third")}), PreToolDecision(Deny{"no", "hook"}));
  EXPECT_FALSE(fs::exists(folder_ + "/third"));
}

// A hook can only tighten: whatever goes wrong in one is a no, or a question where that was chosen.
TEST_F(HookTest, EveryFailureDeniesWithItsCause) {
  const auto reason = [&](const HookSpec& hook) {
    const auto decision = decide({hook});
    const auto* deny = std::get_if<Deny>(&decision);
    return deny == nullptr ? "(no deny)" : deny->reason;
  };
  EXPECT_EQ(reason(script("echo broken >&2; exit 3")),
            "the hook /bin/sh failed: exit code 3: broken\n");
  EXPECT_EQ(reason(script("kill -9 $$")), "the hook /bin/sh failed: killed by signal 9");
  HookSpec slow = script("sleep 1000");
  slow.timeout = base::Milliseconds(50);
  EXPECT_EQ(reason(slow), "the hook /bin/sh failed: no answer within 50 ms");
  EXPECT_TRUE(reason({.command = {"/nonexistent/hook"}})
                  .starts_with("the hook /nonexistent/hook failed: "));
  EXPECT_NE(reason(script("head -c 200000 /dev/zero | tr '\\0' ' '; echo '{}'")), "(no deny)");
  for (const char* output :
       {"", "null", "yes", "{}", R"({"decision":"allow"})", R"({"decision":"deny"})",
        R"({"decision":"deny","reason":""})", R"({"decision":"none","also":1})",
        R"({"decision":"none"} {"decision":"none"})", R"({"decision":"none","decision":"deny"})",
        R"({"decision":7})", R"({"decision":"ask","reason":7})"}) {
    EXPECT_NE(reason(says(output)), "(no deny)") << output;
  }
  HookSpec lenient = script("exit 1", OnFailure::ask);
  EXPECT_EQ(
      decide({lenient}),
      PreToolDecision(AskHuman{.reason = "the hook /bin/sh failed: exit code 1", .by = "hook"}));
}

TEST_F(HookTest, ACancelledCallEndsItsHook) {
  std::jthread stopper([&] { stop_.request_stop(); });
  EXPECT_TRUE(std::holds_alternative<Deny>(decide({script("sleep 1000")})));
}

TEST_F(HookTest, WhatCannotBeLoggedDoesNotRun) {
  store_.fail_append(1, store::testing::FailingEventStore::When::before);
  EXPECT_TRUE(std::holds_alternative<Deny>(decide({script("touch ran")})));
  EXPECT_FALSE(fs::exists(folder_ + "/ran"));
}

}  // namespace
}  // namespace assent::listener
