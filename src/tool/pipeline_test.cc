#include "tool/pipeline.h"

#include <algorithm>
#include <barrier>
#include <filesystem>
#include <latch>
#include <stdexcept>
#include <thread>
#include <type_traits>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "approval/gate_answerer.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "store/memory_event_store.h"
#include "store/testing/failing_event_store.h"
#include "tool/digest.h"
#include "tool/registry.h"
#include "tool/service_ask.h"

namespace assent::tool {
namespace {

using approval::Answered;
using vocabulary::AgentId;
using vocabulary::ApprovalOutcome;
using vocabulary::CallId;
using vocabulary::ErrorCode;
using vocabulary::Risk;
using vocabulary::ToolCall;

// A tool whose every side is set by the test.
class TestTool final : public Tool, public RiskedTool {
 public:
  explicit TestTool(std::string name) : name_(std::move(name)) {}
  Risk risk = Risk::dangerous;
  bool alone = false;
  std::function<vocabulary::Effects()> reduce = [] { return vocabulary::Effects{}; };
  std::function<Output(const Clearance&)> body = [](const auto&) { return Output{"done"}; };
  std::atomic<int> ran = 0;

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Definition definition(Escalatable) const override {
    return {name_, "a tool of the test", schema_};
  }
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] Confinable confinable() const override { return Confinable::yes; }
  [[nodiscard]] Risk risk_level() const override { return risk; }
  [[nodiscard]] bool runs_alone() const override { return alone; }
  [[nodiscard]] vocabulary::Effects effects(const json::Object&, const CallView&) const override {
    return reduce();
  }
  [[nodiscard]] approval::EscalationArgs escalation(const json::Object& arguments) const override {
    approval::EscalationArgs args;
    if (const auto* mode = arguments.if_contains("sandbox_permissions")) {
      args.sandbox_permissions = std::string(mode->as_string());
    }
    if (const auto* why = arguments.if_contains("justification")) {
      args.justification = std::string(why->as_string());
    }
    return args;
  }
  Output run(Clearance clearance, const RunContext&) override {
    ++ran;
    return body(clearance);
  }

 private:
  std::string name_;
  json::Value schema_ = json::Object{{"type", "object"},
                                     {"properties",
                                      {{"n", {{"type", "integer"}}},
                                       {"sandbox_permissions", {{"type", "string"}}},
                                       {"justification", {{"type", "string"}}}}},
                                     {"additionalProperties", false}};
};

// A tool without a declared risk.
class Undeclared final : public Tool {
 public:
  [[nodiscard]] std::string_view name() const override { return "undeclared"; }
  [[nodiscard]] Definition definition(Escalatable) const override { return {}; }
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] Confinable confinable() const override { return Confinable::no; }
  Output run(Clearance, const RunContext&) override { return {"done"}; }

 private:
  json::Value schema_ = json::Object{{"type", "object"}};
};

// The shape of a tool (A-009), and of what must not be made elsewhere: nobody but the pipeline has
// a clearance to give, nobody has two of one, and no body runs without (A-105). A guard answers at
// once: there is nothing in its signature to wait with (B-167).
static_assert(std::is_same_v<decltype(&Tool::run), Output (Tool::*)(Clearance, const RunContext&)>);
static_assert(!std::is_constructible_v<Clearance, Terms> &&
              !std::is_copy_constructible_v<Clearance>);
static_assert(std::is_same_v<Guards::Guard, std::optional<std::string>(const Execution&)>);
static_assert(!std::is_default_constructible_v<Pipeline> &&
              !std::is_constructible_v<Pipeline, std::nullptr_t>);

class PipelineTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore memory_;
  store::testing::FailingEventStore store_{memory_};
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/", .origin = "user"}));
  }();
  approval::ApprovalService approval_;
  approval::ApprovalService* composed_ = &approval_;
  ToolRegistry registry_;
  PreExecute pre_execute_ = PreExecute::without_policy();
  Guards guards_;
  const Parts parts_{.tools = registry_,
                     .pre_execute = pre_execute_,
                     .guards = guards_,
                     .approval = [this] { return composed_; },
                     .sandbox = {.enforcement = sandbox::Enforcement::full},
                     .search_path = "/usr/bin:/bin"};
  const Pipeline pipeline_{parts_};
  std::shared_ptr<TestTool> tool_ = std::make_shared<TestTool>("tool");
  std::vector<scope::Registration> keep_;
  base::StopSource stop_;
  const AgentId agent_{"agent"};

  void SetUp() override {
    keep_.push_back(MUST(registry_.add(tool_)));
    MUST(session_->append(event::TurnStarted{1}));
  }

  // One step with one assistant message that makes these calls.
  base::Result<BatchEnd> run(const std::vector<ToolCall>& calls) {
    MUST(session_->append({event::StepStarted{1, session_->state().step() + 1},
                           event::AssistantMessage{.calls = calls}}));
    const session::Session::Writer writer(*session_);
    const Caller caller{.session = *session_,
                        .agent = {.id = agent_, .session = session_->id()},
                        .path = scope::ScopePath({agent_}),
                        .work_dir = MUST(base::resolve_path("/tmp"))};
    auto end = pipeline_.run(calls, caller, stop_.token());
    if (end) MUST(session_->append(event::StepEnded{1, session_->state().step()}));
    return end;
  }
  static ToolCall call(std::string id, std::string arguments = "{}", std::string name = "tool") {
    return {CallId(std::move(id)), std::move(name), std::move(arguments)};
  }
  void listen(PreToolDecision decision) {
    keep_.push_back(
        pre_execute_.add([decision](const Execution&, const auto&) { return decision; }));
  }
  void answer(ApprovalOutcome outcome, std::string by = "test:user") {
    keep_.push_back(
        approval_.add_answerer([this, outcome, by](const approval::Asking& asking, const auto&) {
          asked_.push_back(asking.request);
          return Answered{.outcome = outcome, .by = by};
        }));
  }
  std::vector<std::string> types() {
    std::vector<std::string> found;
    for (const auto& record : MUST(memory_.read(session_->id(), 0, 1000))) {
      found.push_back(record.type);
    }
    return found;
  }
  std::size_t count(std::string_view type) {
    return static_cast<std::size_t>(std::ranges::count(types(), type));
  }
  std::vector<event::ToolResult> results() {
    std::vector<event::ToolResult> found;
    for (const auto& record : MUST(memory_.read(session_->id(), 0, 1000))) {
      const auto opened = MUST(event::open(session_->id(), record));
      if (const auto* result = std::get_if<event::ToolResult>(&opened.data)) {
        found.push_back(*result);
      }
    }
    return found;
  }
  event::ToolResult only_result() {
    const auto all = results();
    EXPECT_EQ(all.size(), 1U);
    return all.empty() ? event::ToolResult{} : all.front();
  }

  std::vector<approval::Request> asked_;
};

// covers: B-010, B-108, B-110, A-001, A-003, A-122
TEST_F(PipelineTest, AnAllowedCallIsClearedStartedAndAnsweredInThisOrder) {
  ASSERT_TRUE(run({call("a")}));
  const auto all = types();
  EXPECT_EQ(std::vector(all.end() - 5, all.end()),
            (std::vector<std::string>{"tool/call", "tool/cleared", "tool/started", "tool/result",
                                      "step/end"}));
  EXPECT_EQ(only_result(), (event::ToolResult{CallId("a"), "done"}));
}

// covers: B-005, B-006, B-007, B-008, B-166, A-070
TEST_F(PipelineTest, ADenyOfAListenerIsAnErrorResultAndNothingRuns) {
  listen(Deny{"not on a Sunday"});
  EXPECT_EQ(run({call("a")})->refused, 1U);
  EXPECT_EQ(only_result(),
            (event::ToolResult{CallId("a"), "Error: not on a Sunday",
                               vocabulary::CallError{ErrorCode::denied, "listener"}}));
  EXPECT_EQ(tool_->ran, 0);
  EXPECT_EQ(count("tool/started"), 0U);
  EXPECT_EQ(count("approval/asked"), 0U);
}

// covers: B-159, B-169
TEST_F(PipelineTest, AListenerThatThrowsDenies) {
  keep_.push_back(pre_execute_.add(
      [](const Execution&, const auto&) -> PreToolDecision { throw std::runtime_error("boom"); }));
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(only_result().content, "Error: a listener failed: boom");
  EXPECT_EQ(tool_->ran, 0);
}

// covers: B-159
TEST_F(PipelineTest, AScopedListenerGatesOnlyItsAgent) {
  keep_.push_back(
      pre_execute_.add([](const Execution&, const auto&) -> PreToolDecision { return Deny{"no"}; },
                       {.scope = AgentId("another")}));
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(tool_->ran, 1);
}

struct Outcome {
  ApprovalOutcome outcome;
  std::string by;
  int ran;
  std::optional<ErrorCode> code;
  std::string content;
};

// covers: B-134
// covers: B-009, B-011, B-025, B-026, B-027, B-028, B-029, B-030, B-106, B-107, B-109, B-158, A-069
TEST_F(PipelineTest, EachOutcomeOfAnAskHasItsOwnResult) {
  const std::vector<Outcome> rows{
      {ApprovalOutcome::allowed_once, "t:u", 1, std::nullopt, "done"},
      {ApprovalOutcome::rejected, "t:u", 0, ErrorCode::rejected,
       "Error: the user rejected tool \"tool\""},
      {ApprovalOutcome::cancelled, "t:u", 0, ErrorCode::cancelled,
       "Error: approval for tool \"tool\" was cancelled"},
      {ApprovalOutcome::unavailable, "t:u", 0, ErrorCode::unavailable,
       "Error: tool \"tool\" requires approval, but no approval channel is available"}};
  listen(AskHuman{"because"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    tool_->ran = 0;
    answer(rows[i].outcome, rows[i].by);
    ASSERT_TRUE(run({call("c" + std::to_string(i), "{\"n\":" + std::to_string(i) + "}")}));
    keep_.pop_back();
    EXPECT_EQ(tool_->ran, rows[i].ran) << i;
    EXPECT_EQ(results().back().content, rows[i].content);
    const auto error = results().back().error;
    EXPECT_EQ(error ? std::optional(error->code) : std::nullopt, rows[i].code);
  }
  ASSERT_EQ(asked_.size(), 4U);
  EXPECT_EQ(count("sandbox/mode") + count("approval/policy") + count("permission/preset"), 0U);
  EXPECT_EQ(count("question/asked"), 0U);
  EXPECT_EQ(asked_[0].reason, "because");
  EXPECT_EQ(asked_[0].call.arguments, "{\"n\":0}");
  EXPECT_EQ(asked_[0].risk, Risk::dangerous);
}

// covers: B-021, B-022, B-024, B-103
TEST_F(PipelineTest, WithoutAServiceAnAskIsADenial) {
  listen(AskHuman{"the reason"});
  composed_ = nullptr;
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(only_result().content,
            "Error: tool \"tool\" requires approval (not yet supported): the reason");
  EXPECT_EQ(tool_->ran, 0);
}

// covers: B-023, B-024
TEST(ServiceAsk, LooksForTheServiceThenForTheAgent) {
  approval::ApprovalService service;
  const approval::Request draft{.call = {CallId("c"), "tool", "{}"}};
  const auto without_agent = MUST(service_ask({.service = &service}, draft, Language::en, {}));
  EXPECT_EQ(without_agent.refusal,
            "tool \"tool\" requires approval, but the call has no agent to route it through");
  EXPECT_FALSE(without_agent.approval_cancelled);
  const auto without_both = MUST(service_ask({}, draft, Language::en, {}));
  EXPECT_EQ(without_both.refusal, "tool \"tool\" requires approval (not yet supported)");
}

// covers: B-012, B-013, B-014, B-015, B-016, B-127, A-028, A-005, A-010
TEST_F(PipelineTest, AGuardsVetoHoldsAgainstListenersAndHumans) {
  listen(AskHuman{});
  answer(ApprovalOutcome::allowed_once);
  keep_.push_back(guards_.add([](const Execution&) { return std::optional<std::string>(); }));
  keep_.push_back(
      guards_.add([](const Execution&) { return std::optional<std::string>("outside hours"); }));
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(only_result(), (event::ToolResult{CallId("a"), "Error: outside hours",
                                              vocabulary::CallError{ErrorCode::denied, "guard"}}));
  EXPECT_EQ(asked_.size(), 1U);
  EXPECT_EQ(tool_->ran, 0);
}

// covers: B-018, B-020, B-160
TEST_F(PipelineTest, EveryPermutationOfGuardsDeniesWhatAnyVetoes) {
  std::vector<int> order{0, 1, 2, 3};
  int round = 0;
  do {
    std::vector<scope::Registration> guards;
    for (const int which : order) {
      guards.push_back(guards_.add(
          [which](const Execution&) {
            return which == 2 ? std::optional<std::string>("two") : std::nullopt;
          },
          {.scope = which % 2 == 0 ? scope::ScopeTag(agent_) : std::nullopt}));
    }
    ASSERT_TRUE(run({call("c" + std::to_string(round++))}));
    EXPECT_EQ(results().back().content, "Error: two");
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(tool_->ran, 0);
}

// covers: B-017, B-019, B-128
TEST_F(PipelineTest, GuardsRunGlobalThenOutsideInAndOnlyForTheirAgent) {
  keep_.push_back(guards_.add([](const Execution&) { return std::optional<std::string>("own"); },
                              {.scope = agent_}));
  keep_.push_back(
      guards_.add([](const Execution&) { return std::optional<std::string>("foreign"); },
                  {.scope = AgentId("another")}));
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(results().back().content, "Error: own");
  keep_.push_back(
      guards_.add([](const Execution&) { return std::optional<std::string>("global"); }));
  ASSERT_TRUE(run({call("b")}));
  EXPECT_EQ(results().back().content, "Error: global");
}

TEST_F(PipelineTest, AGuardThatThrowsVetoes) {
  keep_.push_back(guards_.add(
      [](const Execution&) -> std::optional<std::string> { throw std::runtime_error("boom"); }));
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(only_result().content, "Error: a guard failed: boom");
}

// covers: A-066, A-072, A-118, A-006, A-081
TEST_F(PipelineTest, NothingRunsBeforeTheLastCallIsDecided) {
  listen(AskHuman{});
  int started_early = 0;
  int question = 0;
  keep_.push_back(approval_.add_answerer([&](const approval::Asking& asking, const auto&) {
    started_early += tool_->ran;
    EXPECT_EQ(asking.request.batch.position, static_cast<std::size_t>(++question));
    EXPECT_EQ(asking.request.batch.pending.size(), 3U);
    return Answered{
        .outcome = question == 3 ? ApprovalOutcome::rejected : ApprovalOutcome::allowed_once,
        .by = "t:u"};
  }));
  ASSERT_TRUE(run({call("a", R"({"n":1})"), call("b", R"({"n":2})"), call("c", R"({"n":3})")}));
  EXPECT_EQ(started_early, 0);
  EXPECT_EQ(tool_->ran, 2);
  const auto all = types();
  const auto last_decided = std::find(all.rbegin(), all.rend(), "approval/decided").base();
  EXPECT_LE(last_decided - all.begin(), std::ranges::find(all, "tool/started") - all.begin());
}

// covers: A-073, A-080, A-082, A-119, A-120, A-065, A-078, A-079
TEST_F(PipelineTest, ApprovedCallsOverlapAndTheirResultsStandInTheModelsOrder) {
  std::barrier both(2);
  std::atomic<bool> second_done = false;
  tool_->body = [&](const Clearance& clearance) {
    both.arrive_and_wait();
    if (clearance.call().id.text() == "a") {
      while (!second_done) std::this_thread::yield();
    } else {
      second_done = true;
    }
    return Output{clearance.call().id.text()};
  };
  ASSERT_TRUE(run({call("a"), call("b")}));
  EXPECT_EQ(results(), (std::vector<event::ToolResult>{{CallId("a"), "a"}, {CallId("b"), "b"}}));
}

TEST_F(PipelineTest, CallsWithOpaqueEffectsRunOneAfterTheOther) {
  tool_->reduce = [] { return vocabulary::Effects{vocabulary::OpaqueEffect{"x", "y"}}; };
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  tool_->body = [&](const Clearance&) {
    const int now = ++inside;
    most = std::max(most.load(), now);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --inside;
    return Output{"done"};
  };
  ASSERT_TRUE(run({call("a"), call("b"), call("c")}));
  EXPECT_EQ(most, 1);
  EXPECT_EQ(tool_->ran, 3);
}

// covers: A-020, A-021, A-022, A-023, A-019, A-027
TEST_F(PipelineTest, RiskIsWhatTheToolDeclaresElseDangerous) {
  keep_.push_back(MUST(registry_.add(std::make_shared<Undeclared>())));
  tool_->risk = Risk::safe;
  EXPECT_EQ(risk_level(registry_, "tool"), Risk::safe);
  EXPECT_EQ(risk_level(registry_, "undeclared"), Risk::dangerous);
  EXPECT_EQ(risk_level(registry_, "unknown"), Risk::dangerous);
  EXPECT_EQ(registry_.add(std::make_shared<Undeclared>()).error().kind, base::ErrorKind::conflict);
}

TEST_F(PipelineTest, WhatCannotRunAsksNobody) {
  listen(AskHuman{});
  answer(ApprovalOutcome::allowed_once);
  ASSERT_TRUE(run({call("a", "{}", "nothing"), call("b", "{"), call("c", R"({"x":1})"),
                   call("d", R"({"n":"one"})"), call("e", "[1]")}));
  std::vector<ErrorCode> codes;
  for (const auto& result : results()) codes.push_back(result.error->code);
  EXPECT_EQ(codes,
            (std::vector{ErrorCode::unknown_tool, ErrorCode::invalid_args, ErrorCode::invalid_args,
                         ErrorCode::invalid_args, ErrorCode::invalid_args}));
  EXPECT_EQ(asked_.size(), 0U);
  EXPECT_EQ(tool_->ran, 0);
}

// What a human edits is judged anew, at the same place, under the model's id.
TEST_F(PipelineTest, EditedArgumentsAreACallOfTheirOwnUpToTheResult) {
  listen(AskHuman{});
  std::vector<std::string> questions;
  keep_.push_back(approval_.add_answerer([&](const approval::Asking& asking, const auto&) {
    questions.push_back(asking.request.call.id.text() + " " + asking.request.call.arguments);
    Answered answered{.outcome = ApprovalOutcome::rejected, .by = "t:u"};
    if (questions.size() == 1) answered.edited = R"({"n":2})";
    if (questions.size() == 2) answered.edited = R"({"n":3})";
    if (questions.size() == 3) answered.outcome = ApprovalOutcome::allowed_once;
    return answered;
  }));
  std::string ran_with;
  tool_->body = [&](const Clearance& clearance) {
    ran_with = json::write(clearance.arguments());
    return Output{"done"};
  };
  ASSERT_TRUE(run({call("a", R"({"n":1})")}));
  EXPECT_EQ(questions,
            (std::vector<std::string>{R"(a {"n":1})", R"(a#2 {"n":2})", R"(a#3 {"n":3})"}));
  EXPECT_EQ(ran_with, R"({"n":3})");
  EXPECT_EQ(only_result().call_id, CallId("a"));
  EXPECT_EQ(only_result().content,
            "[the user changed the arguments of this call to {\"n\":3}]\ndone");
  EXPECT_EQ(count("tool/call"), 3U);
  EXPECT_EQ(count("tool/cleared"), 1U);
  EXPECT_EQ(count("tool/started"), 1U);
  EXPECT_EQ(count("tool/result"), 1U);
}

TEST_F(PipelineTest, EditedArgumentsThatCannotRunAreTheResult) {
  listen(AskHuman{});
  keep_.push_back(approval_.add_answerer([&](const approval::Asking&, const auto&) {
    return Answered{.outcome = ApprovalOutcome::rejected, .by = "t:u", .edited = "{\"n\":"};
  }));
  ASSERT_TRUE(run({call("a", R"({"n":1})")}));
  EXPECT_EQ(only_result().error->code, ErrorCode::invalid_args);
  EXPECT_EQ(tool_->ran, 0);
}

// covers: A-016, A-067, B-164
TEST_F(PipelineTest, AQuestionCarriesTheWholeCallAndItsTimes) {
  Parts timed = parts_;
  timed.question_ttl = base::Milliseconds(60'000);
  timed.grant_ttl = base::Milliseconds(5000);
  const Pipeline pipeline(timed);
  MUST(session_->append(event::GrantModeSet{vocabulary::GrantMode::scoped}));
  tool_->risk = Risk::mutating;
  tool_->reduce = [] {
    return vocabulary::Effects{vocabulary::PathEffect{vocabulary::PathAccess::write, "/tmp/a/b"}};
  };
  listen(AskHuman{"look at it"});
  answer(ApprovalOutcome::allowed_once);
  MUST(session_->append(
      {event::StepStarted{1, 1}, event::AssistantMessage{.calls = {call("a", R"({"n":1})")}}}));
  const session::Session::Writer writer(*session_);
  const Caller caller{.session = *session_,
                      .agent = {.id = agent_, .session = session_->id()},
                      .path = scope::ScopePath({agent_}),
                      .work_dir = MUST(base::resolve_path("/tmp"))};
  ASSERT_TRUE(pipeline.run({call("a", R"({"n":1})")}, caller, stop_.token()));
  const approval::Request& asked = asked_.at(0);
  EXPECT_FALSE(asked.id.empty());
  EXPECT_EQ(asked.session, session_->id());
  EXPECT_EQ(asked.call, call("a", R"({"n":1})"));
  EXPECT_EQ(asked.risk, Risk::mutating);
  EXPECT_EQ(asked.reason, "look at it");
  EXPECT_EQ(asked.created_ms, clock_.now_ms());
  EXPECT_EQ(asked.expires_ms, clock_.now_ms() + 60'000);
  EXPECT_EQ(asked.grant_ttl, base::Milliseconds(5000));
  EXPECT_EQ(asked.wider_scopes,
            (std::vector<vocabulary::GrantScope>{{vocabulary::GrantKind::path_range, "/tmp/a"}}));
}

// A child's questions could never be granted anything that lasts (K-01).
TEST_F(PipelineTest, AChildIsOfferedNoGrant) {
  MUST(session_->append(event::GrantModeSet{vocabulary::GrantMode::scoped}));
  listen(AskHuman{});
  answer(ApprovalOutcome::allowed_once);
  MUST(session_->append({event::StepStarted{1, 1}, event::AssistantMessage{.calls = {call("a")}}}));
  const session::Session::Writer writer(*session_);
  const Caller child{
      .session = *session_,
      .agent = {.id = agent_, .session = session_->id(), .parent = AgentId("parent")},
      .path = scope::ScopePath({AgentId("parent"), agent_}),
      .work_dir = MUST(base::resolve_path("/tmp"))};
  ASSERT_TRUE(pipeline_.run({call("a")}, child, stop_.token()));
  EXPECT_EQ(asked_.at(0).grantable, approval::Grantable::no);
}

// What a listener has to tell the model reaches it with the result.
TEST_F(PipelineTest, AListenersContextStandsBehindTheResult) {
  listen(Allow{"mind the cache"});
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(only_result().content, "done\n[from a hook of the user: mind the cache]");
}

// covers: B-165
TEST_F(PipelineTest, AListenerThatNeverReturnsIsLeftBehindWhenTheCallIsCancelled) {
  const auto released = std::make_shared<std::latch>(1);
  const auto gone = std::make_shared<std::latch>(1);
  keep_.push_back(pre_execute_.add([=, this](const Execution& execution, const auto&) {
    stop_.request_stop();
    released->wait();
    // The house has gone on: nothing is logged for this call any more.
    EXPECT_FALSE(execution.log.append(event::SandboxModeSet{vocabulary::SandboxMode::read_only}));
    gone->count_down();
    return PreToolDecision(Allow{});
  }));
  std::jthread ticking([&](const std::stop_token& end) {
    while (!end.stop_requested()) {
      clock_.advance(base::limits::foreign_grace);
      session_->wake();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  ASSERT_TRUE(run({call("a")}));
  EXPECT_TRUE(only_result().error);
  EXPECT_EQ(tool_->ran, 0);
  released->count_down();
  gone->wait();
}

// covers: B-111, B-079, B-135, B-126, B-081
TEST_F(PipelineTest, AnEscalationIsAskedOnceAndWidensThisOneCall) {
  answer(ApprovalOutcome::allowed_once);
  std::vector<vocabulary::SandboxMode> modes;
  tool_->body = [&](const Clearance& clearance) {
    modes.push_back(clearance.confinement().mode);
    return Output{"done"};
  };
  const std::string wider =
      R"({"justification":"needed","sandbox_permissions":"danger-full-access"})";
  ASSERT_TRUE(run({call("a")}));
  ASSERT_TRUE(run({call("b", wider)}));
  ASSERT_TRUE(run({call("c")}));
  using enum vocabulary::SandboxMode;
  EXPECT_EQ(modes, (std::vector{workspace_write, danger_full_access, workspace_write}));
  EXPECT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].reason, "escalate sandbox to danger-full-access: needed");
  EXPECT_EQ(count("sandbox/mode"), 0U);
}

// covers: B-063, B-069, B-168
TEST_F(PipelineTest, AnInvalidEscalationIsTheCallsResultAndNoListenerRuns) {
  int heard = 0;
  keep_.push_back(pre_execute_.add([&](const Execution&, const auto& next) {
    ++heard;
    return next();
  }));
  ASSERT_TRUE(run({call("a", R"({"sandbox_permissions":"workspace-write","justification":"x"})"),
                   call("b", R"({"sandbox_permissions":"danger-full-access"})")}));
  EXPECT_EQ(results()[0].error->code, ErrorCode::escalation_invalid);
  EXPECT_EQ(results()[1].content,
            "Error: invalid escalation: sandbox_permissions requires a justification");
  EXPECT_EQ(heard, 0);
  EXPECT_EQ(count("approval/asked"), 0U);
}

TEST_F(PipelineTest, AListenersAskJoinsTheEscalationsQuestion) {
  listen(AskHuman{"a rule", "rule:r"});
  answer(ApprovalOutcome::allowed_once);
  ASSERT_TRUE(
      run({call("a", R"({"sandbox_permissions":"danger-full-access","justification":"x"})")}));
  ASSERT_EQ(asked_.size(), 1U);
  EXPECT_EQ(asked_[0].asked_by, "rule:r: a rule");
  EXPECT_EQ(tool_->ran, 1);
}

// covers: B-103, B-104, B-105, B-158
TEST_F(PipelineTest, CancellationIsAnAbortAndARejectionStaysOne) {
  listen(AskHuman{});
  bool reject = false;
  keep_.push_back(approval_.add_answerer([&](const approval::Asking&, const auto&) {
    stop_.request_stop();
    return Answered{.outcome = reject ? ApprovalOutcome::rejected : ApprovalOutcome::cancelled,
                    .by = "t:u"};
  }));
  ASSERT_TRUE(run({call("a"), call("b", R"({"n":2})")}));
  for (const auto& result : results()) {
    EXPECT_EQ(result.error->code, ErrorCode::aborted_before_dispatch);
  }
  EXPECT_EQ(tool_->ran, 0);
}

// covers: B-158
TEST_F(PipelineTest, ACancellationOvertakesALateYes) {
  keep_.push_back(pre_execute_.add([&](const Execution&, const auto& next) {
    stop_.request_stop();
    return next();
  }));
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(only_result().error->code, ErrorCode::aborted_before_dispatch);
  EXPECT_EQ(tool_->ran, 0);
}

// A knob that narrows between the yes and the dispatch makes the yes stale (K-03).
TEST_F(PipelineTest, AYesIsStaleWhenTheSessionNarrowed) {
  listen(AskHuman{});
  int question = 0;
  keep_.push_back(approval_.add_answerer([&](const approval::Asking&, const auto&) {
    if (++question == 2) {
      MUST(session_->submit([](session::Session& session) {
        return session.append(event::SandboxModeSet{vocabulary::SandboxMode::read_only});
      }));
    }
    return Answered{.outcome = ApprovalOutcome::allowed_once, .by = "t:u"};
  }));
  ASSERT_TRUE(run({call("a", R"({"n":1})"), call("b", R"({"n":2})")}));
  EXPECT_EQ(results()[0].error->code, ErrorCode::stale_clearance);
  EXPECT_EQ(tool_->ran, 0);
}

TEST_F(PipelineTest, AnUnaskedCallIsJudgedAgainAndRunsUnderTheStricterMode) {
  std::atomic<vocabulary::SandboxMode> ran_under{};
  tool_->body = [&](const Clearance& clearance) {
    ran_under = clearance.confinement().mode;
    return Output{"done"};
  };
  keep_.push_back(pre_execute_.add([&](const Execution& execution, const auto& next) {
    if (execution.call.id.text() == "b" &&
        session_->state().knobs().sandbox != vocabulary::SandboxMode::read_only) {
      MUST(execution.log.append(event::SandboxModeSet{vocabulary::SandboxMode::read_only}));
    }
    return next();
  }));
  ASSERT_TRUE(run({call("a"), call("b")}));
  EXPECT_EQ(ran_under, vocabulary::SandboxMode::read_only);
  EXPECT_EQ(tool_->ran, 2);
  EXPECT_GT(count("tool/cleared"), 2U);
}

// covers: A-121
TEST_F(PipelineTest, ABodyThatThrowsStillAnswersItsCall) {
  tool_->body = [](const Clearance&) -> Output { throw std::runtime_error("boom"); };
  ASSERT_TRUE(run({call("a")}));
  EXPECT_EQ(only_result().content, "Error: the tool failed: boom");
  EXPECT_EQ(only_result().error->code, ErrorCode::tool_failed);
}

// covers: B-145
TEST_F(PipelineTest, AFailedAppendStartsNothingAndRepairAnswersTheCall) {
  // The appends of run(): the message, tool/call, tool/cleared, tool/started.
  store_.fail_append(4, store::testing::FailingEventStore::When::before);
  EXPECT_FALSE(run({call("a")}));
  EXPECT_EQ(tool_->ran, 0);
  session_ = MUST(session::Session::resume({store_, clock_, rng_}, session_->id()));
  EXPECT_EQ(only_result().error->code, ErrorCode::tool_not_started);
}

TEST(Digest, CoversArgumentsPlacesContentsAndConfinement) {
  const auto folder = std::filesystem::temp_directory_path().string();
  std::string pattern = folder + "/digest-XXXXXX";
  const std::string root = MUST(base::resolve_path(::mkdtemp(pattern.data())));
  MUST(base::write_file(root + "/f", "one"));
  const json::Object arguments{{"path", "f"}};
  const json::Object other{{"path", "g"}};
  const vocabulary::Effects effects{
      vocabulary::PathEffect{vocabulary::PathAccess::write, root + "/f"}};
  const vocabulary::Confinement confinement{vocabulary::SandboxMode::workspace_write};
  const vocabulary::Confinement wider{vocabulary::SandboxMode::danger_full_access};
  const auto of = [&](const json::Object& given, const vocabulary::Confinement& under) {
    return digest({"tool", given, effects, under}, CallView(root, ""));
  };
  const auto first = of(arguments, confinement);
  EXPECT_EQ(of(arguments, confinement), first);
  EXPECT_NE(of(other, confinement), first);
  EXPECT_NE(of(arguments, wider), first);
  EXPECT_NE(digest({"else", arguments, effects, confinement}, CallView(root, "")), first);
  CallView predicted(root, "");
  predicted.stand_in(root + "/f", "two");
  MUST(base::write_file(root + "/f", "two"));
  const auto second = of(arguments, confinement);
  EXPECT_NE(second, first);
  EXPECT_EQ(digest({"tool", arguments, effects, confinement}, predicted), second);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace assent::tool
