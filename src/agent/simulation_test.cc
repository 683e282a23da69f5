// Random agents, listeners, answers, knobs, cancellations and crashes at any append, from a seed
// that is printed; what must hold is checked on the logs alone. Every draw is made from the seed
// and a name, never from a shared stream, so that the order of threads changes no decision.
//
// ASSENT_SIMULATION_SEED=N runs that one alone; ASSENT_LONG_TESTS runs many more.

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <set>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "agent/children.h"
#include "agent/prompt.h"
#include "approval/gate_answerer.h"
#include "approval/handler_channel.h"
#include "approval/session_grants.h"
#include "base/limits.h"
#include "base/testing/fake_clock.h"
#include "builtin/ask_user_question.h"
#include "crypto/sha256.h"
#include "store/memory_event_store.h"
#include "store/testing/failing_event_store.h"
#include "tool/testing/log_invariants.h"

namespace assent::agent {
namespace {

using approval::Answer;
using approval::Decision;
using vocabulary::ApprovalPolicy;
using vocabulary::CallId;
using vocabulary::Risk;
using vocabulary::SandboxMode;
using vocabulary::ToolCall;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  // A number below `sides`, the same for the same name.
  [[nodiscard]] std::uint64_t roll(std::string_view name, std::uint64_t sides) const {
    crypto::Sha256 hash;
    hash.update(fmt::format("{}/{}", seed_, name));
    const auto digest = hash.finish();
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      value = value << 8 | std::to_integer<std::uint64_t>(digest.at(i));
    }
    return value % sides;
  }
  [[nodiscard]] bool chance(std::string_view name, int percent) const {
    return std::cmp_less(roll(name, 100), percent);
  }

 private:
  std::uint64_t seed_;
};

// Writes random calls. A conversation is known by its root or child and by its length, which is the
// same whenever the run is.
class RandomModel final : public provider::Provider {
 public:
  explicit RandomModel(const Dice& dice) : dice_(dice) {}

  base::Result<provider::Reply> generate(const provider::Request& request, provider::Sink&,
                                         const base::StopToken& stop) override {
    if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
    const std::string at = place(request);
    if (dice_.chance(at + "/breaks", 3)) return base::failure(base::ErrorKind::io, "it broke");
    provider::Reply reply{
        .message = {.role = vocabulary::Role::assistant, .content = "step " + at}};
    const std::uint64_t calls = dice_.chance(at + "/ends", 20) ? 0 : 1 + dice_.roll(at + "/n", 4);
    for (std::uint64_t i = 0; i < calls; ++i) {
      reply.message.calls.push_back(call(fmt::format("{}.{}", at, i), request));
    }
    if (calls > 0) reply.finish = provider::Finish::tool_calls;
    return reply;
  }
  [[nodiscard]] std::string name() const override { return "random"; }

 private:
  // The task of a child names the call that made it.
  static std::string place(const provider::Request& request) {
    std::string task = "root";
    if (request.messages.front().content == child_text()) {
      for (const auto& message : request.messages) {
        if (message.role == vocabulary::Role::user) task = message.content;
      }
    }
    return fmt::format("{}:{}", task, request.messages.size());
  }

  [[nodiscard]] ToolCall call(const std::string& id, const provider::Request& request) const {
    if (dice_.chance(id + "/odd", 6)) return {CallId(id), "no_such_tool", "{}"};
    if (dice_.chance(id + "/bad", 6)) return {CallId(id), "change", R"({"n":)"};
    const auto& tool = request.tools.at(dice_.roll(id + "/tool", request.tools.size())).name;
    json::Object arguments;
    if (tool == "spawn_agent") {
      arguments["task"] = "child " + id;
    } else if (tool == "ask_user_question") {
      arguments["questions"] = json::Array{json::Object{{"question", "What of " + id + "?"}}};
    } else {
      // Few different ones, so that grants and repeats are met.
      arguments["n"] = dice_.roll(id + "/arg", 3);
      if (dice_.chance(id + "/escalates", 20)) {
        arguments["mode"] = dice_.chance(id + "/wide", 70) ? "danger-full-access" : "read-only";
        if (dice_.chance(id + "/reason", 85)) arguments["why"] = "needed";
      }
    }
    return {CallId(id), tool, json::write(arguments)};
  }

  const Dice& dice_;
};

// What the world knows beside the logs.
struct Witness {
  std::mutex mutex;
  std::vector<std::string> faults;
  void fault(std::string what) {
    const std::lock_guard lock(mutex);
    faults.push_back(std::move(what));
  }
};

class RandomTool final : public tool::Tool, public tool::RiskedTool {
 public:
  RandomTool(std::string name, Risk risk, const Dice& dice, store::EventStore& store,
             Witness& witness)
      : name_(std::move(name)), risk_(risk), dice_(dice), store_(store), witness_(witness) {}
  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] tool::Definition definition(tool::Escalatable) const override {
    return {name_, "a tool of the simulation", schema_};
  }
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::yes; }
  [[nodiscard]] Risk risk_level() const override { return risk_; }
  [[nodiscard]] vocabulary::Effects effects(const json::Object& arguments,
                                            const tool::CallView&) const override {
    const auto access =
        risk_ == Risk::safe ? vocabulary::PathAccess::read : vocabulary::PathAccess::write;
    return {vocabulary::PathEffect{access,
                                   fmt::format("/nonexistent/{}", arguments.at("n").as_int64())}};
  }
  [[nodiscard]] approval::EscalationArgs escalation(const json::Object& arguments) const override {
    approval::EscalationArgs args;
    if (const auto* mode = arguments.if_contains("mode"))
      args.sandbox_permissions = mode->as_string();
    if (const auto* why = arguments.if_contains("why")) args.justification = why->as_string();
    return args;
  }
  tool::Output run(tool::Clearance clearance, const tool::RunContext& context) override {
    // What is about to happen already stands in the log.
    const std::string id = clearance.call().id.text();
    bool started = false;
    for (const auto& record : MUST(store_.read(context.session.id(), 0, 100'000))) {
      started = started || (record.type == "tool/started" &&
                            record.data == fmt::format(R"({{"callId":"{}"}})", id));
    }
    if (!started) witness_.fault("a body ran before its tool/started: " + id);
    if (dice_.chance(id + "/throws", 5)) throw std::runtime_error("the body broke");
    return {"done"};
  }

 private:
  std::string name_;
  Risk risk_;
  const Dice& dice_;
  store::EventStore& store_;
  Witness& witness_;
  json::Value schema_ = json::Object{{"type", "object"},
                                     {"properties",
                                      {{"n", {{"type", "integer"}}},
                                       {"mode", {{"type", "string"}}},
                                       {"why", {{"type", "string"}}}}},
                                     {"required", {"n"}}};
};

// Answers at random, and turns the session's knobs while it is asked.
class RandomHuman final : public approval::Handler, public question::Provider {
 public:
  RandomHuman(const Dice& dice, session::Session& session) : dice_(dice), session_(session) {}

  base::Result<Answer> approve(const approval::Request& request,
                               const base::StopToken& stop) override {
    const std::string at = "human/" + request.call.id.text();
    if (dice_.chance(at + "/turns", 10)) turn_a_knob(at);
    Answer answer{.at_ms = 1, .by = "test:user"};
    const auto throw_of = dice_.roll(at, 10);
    if (throw_of == 0) return base::failure(base::ErrorKind::io, "the channel broke");
    if (throw_of == 1) throw std::runtime_error("the asker crashed");
    if (throw_of == 2) answer.decision = static_cast<Decision>(9);
    if (throw_of == 3) answer.edited = fmt::format(R"({{"n":{}}})", dice_.roll(at + "/n", 3));
    if (throw_of == 4 || throw_of == 5) answer.decision = Decision::allow_session;
    if (throw_of >= 6) answer.decision = Decision::allow_once;
    if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
    return answer;
  }
  base::Result<question::Answered> ask(const std::vector<question::Question>& questions,
                                       const base::StopToken& stop) override {
    if (stop.stop_requested() || dice_.chance("q/" + questions[0].question, 20)) {
      return base::failure(base::ErrorKind::cancelled, "closed");
    }
    return question::Answered{{{.id = questions[0].id, .custom = "so"}}, "test:user"};
  }

 private:
  void turn_a_knob(const std::string& at) {
    const auto policy =
        dice_.chance(at + "/never", 50) ? ApprovalPolicy::never : ApprovalPolicy::ask;
    const auto mode =
        dice_.chance(at + "/narrow", 50) ? SandboxMode::read_only : SandboxMode::workspace_write;
    // A log that takes no more is the run's affair.
    (void)session_.submit([=, this](session::Session& session) {
      if (dice_.chance(at + "/which", 50)) return session.append(event::SandboxModeSet{mode});
      return session.append(event::ApprovalPolicySet{policy});
    });
  }

  const Dice& dice_;
  session::Session& session_;
};

// One session with everything in it, for one turn; made anew for each turn, as a process is.
class World {
 public:
  World(const Dice& dice, int turn, store::EventStore& store, store::EventStore& readable,
        std::unique_ptr<session::Session> session, Witness& witness)
      : dice_(dice),
        turn_(turn),
        store_(store),
        session_(std::move(session)),
        human_(dice, *session_),
        grants_(*session_, clock_) {
    const auto add = [&](std::shared_ptr<tool::Tool> tool) {
      keep_.push_back(MUST(registry_.add(std::move(tool))));
    };
    add(std::make_shared<RandomTool>("look", Risk::safe, dice, readable, witness));
    add(std::make_shared<RandomTool>("change", Risk::mutating, dice, readable, witness));
    add(std::make_shared<RandomTool>("danger", Risk::dangerous, dice, readable, witness));
    add(std::make_shared<builtin::AskUserQuestion>(questions_));
    add(std::make_shared<builtin::SpawnAgent>(children_));
    keep_.push_back(inbox_.join(std::make_shared<approval::HandlerChannel>(inbox_, human_)));
    keep_.push_back(approval_.add_answerer(approval::gate_answerer(gate_)));
    keep_.push_back(MUST(questions_.provide(human_)));
    keep_.push_back(pre_execute_.add(
        [this](const tool::Execution& execution, const auto& next) -> tool::PreToolDecision {
          const auto throw_of = dice_.roll("listener/" + execution.call.id.text(), 12);
          if (throw_of == 0) return tool::Deny{"no"};
          if (throw_of == 1) throw std::runtime_error("the listener broke");
          if (throw_of <= 4) return tool::AskHuman{"sure?"};
          return next();
        }));
    keep_.push_back(guards_.add([this](const tool::Execution& execution) {
      const bool vetoes = dice_.chance("guard/" + execution.call.id.text(), 8);
      return vetoes ? std::optional<std::string>("vetoed") : std::nullopt;
    }));
    // The user's Ctrl-C, at some event.
    if (dice.chance(fmt::format("stop/{}", turn), 25)) {
      const auto when = static_cast<std::int64_t>(dice.roll(fmt::format("stop/{}/at", turn), 60));
      keep_.push_back(session_->observe([this, when](const event::Event& event, const auto&) {
        if (event.seq >= when) stop_.request_stop();
      }));
    }
  }

  base::Result<TurnResult> run() {
    Agent root({.session = *session_,
                .provider = model_,
                .pipeline = pipeline_,
                .tools = registry_,
                .roll = roll_,
                .step_limit = 6},
               "/");
    return root.run_turn(fmt::format("turn {}", turn_), stop_.token());
  }
  [[nodiscard]] const session::Session& session() const { return *session_; }

 private:
  const Dice& dice_;
  int turn_;
  store::EventStore& store_;
  base::testing::FakeClock clock_;
  base::SystemRng rng_;
  std::unique_ptr<session::Session> session_;
  RandomHuman human_;
  RandomModel model_{dice_};
  approval::Inbox inbox_{clock_};
  approval::SessionGrants grants_;
  approval::DefaultPolicy default_policy_;
  approval::TighteningPolicy policy_{default_policy_};
  approval::Gate gate_{policy_, inbox_, grants_, clock_, rng_};
  approval::ApprovalService approval_;
  tool::ToolRegistry registry_;
  tool::PreExecute pre_execute_ = tool::PreExecute::with_policy(tool::policy_listener);
  tool::Guards guards_;
  const tool::Parts parts_{
      .tools = registry_,
      .pre_execute = pre_execute_,
      .guards = guards_,
      .approval = [this] { return &approval_; },
      .sandbox = {.enforcement = dice_.chance("sandbox", 80) ? sandbox::Enforcement::full
                                                             : sandbox::Enforcement::none},
      .grant_ttl = base::Milliseconds(0x7FFF'FFFF)};
  const tool::Pipeline pipeline_{parts_};
  AgentRoll roll_;
  question::UserQuestions questions_{roll_};
  Children children_{Nursery{.session = {store_, clock_, rng_},
                             .provider = model_,
                             .parts = parts_,
                             .tools = registry_,
                             .roll = roll_,
                             .work_dir = "/"}};
  base::StopSource stop_;
  std::vector<scope::Registration> keep_;
};

// Several turns of one session, each in a new process; some of them die at an append.
class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) : dice_(seed) {}

  std::vector<std::string> run() {
    for (int turn = 0; turn < 3; ++turn) one_turn(turn);
    for (const auto& session : MUST(memory_.sessions())) {
      const auto log = MUST(memory_.read(session.id, 0, 100'000));
      const bool crashed = crashed_ || session.id != id_;
      for (auto& line : tool::testing::broken_rules(
               session.id, log,
               crashed ? tool::testing::Ended::in_a_crash : tool::testing::Ended::in_peace)) {
        witness_.fault(session.id.text() + ": " + line);
      }
      for (const auto& record : log) seen.insert(record.type);
    }
    return witness_.faults;
  }
  std::set<std::string> seen;  // types of events

 private:
  void one_turn(int turn) {
    base::testing::FakeClock clock;
    base::SystemRng rng;
    store::testing::FailingEventStore failing(memory_);
    const session::Services services{failing, clock, rng};
    auto session = id_.empty() ? session::Session::create(services, {.cwd = "/", .origin = "user"})
                               : session::Session::resume(services, id_);
    if (!session) return witness_.fault("cannot open: " + session.error().message);
    id_ = (*session)->id();
    if ((*session)->state().turn_open() || !(*session)->state().unanswered().empty()) {
      witness_.fault("repair left the log unbalanced");
    }
    // An earlier run's knobs may have closed everything.
    MUST((*session)->append({event::SandboxModeSet{SandboxMode::workspace_write},
                             event::ApprovalPolicySet{ApprovalPolicy::ask},
                             event::ReviewSet{static_cast<vocabulary::Review>(
                                 dice_.roll(fmt::format("review/{}", turn), 3))},
                             event::GrantModeSet{vocabulary::GrantMode::scoped}}));
    const std::string at = fmt::format("crash/{}", turn);
    if (dice_.chance(at, 40)) {
      failing.fail_append(1 + static_cast<int>(dice_.roll(at + "/at", 50)),
                          dice_.chance(at + "/after", 50)
                              ? store::testing::FailingEventStore::When::after
                              : store::testing::FailingEventStore::When::before);
    }
    World world(dice_, turn, failing, memory_, std::move(*session), witness_);
    const auto ended = world.run();
    if (!ended) crashed_ = true;
    if (ended && world.session().state().turn_open()) witness_.fault("the turn is open");
  }

  const Dice dice_;
  store::MemoryEventStore memory_;
  vocabulary::SessionId id_;
  bool crashed_ = false;
  Witness witness_;
};

// covers: B-038, B-138
TEST(Simulation, EveryLogOfARandomRunIsSound) {
  const char* one = std::getenv("ASSENT_SIMULATION_SEED");
  const std::uint64_t from = one == nullptr ? 1 : std::strtoull(one, nullptr, 10);
  const std::uint64_t runs = one != nullptr                                ? 1
                             : std::getenv("ASSENT_LONG_TESTS") != nullptr ? 20'000
                                                                           : 150;
  std::set<std::string> seen;
  for (std::uint64_t seed = from; seed < from + runs; ++seed) {
    Simulation simulation(seed);
    ASSERT_EQ(simulation.run(), std::vector<std::string>{}) << "ASSENT_SIMULATION_SEED=" << seed;
    seen.merge(simulation.seen);
  }
  if (one != nullptr) return;
  // The runs met what they are there to meet.
  for (const char* type : {"approval/asked", "approval/decided", "tool/cleared", "tool/started",
                           "grant/saved", "question/asked", "sandbox/mode", "approval/policy"}) {
    EXPECT_TRUE(seen.contains(type)) << type;
  }
}

}  // namespace
}  // namespace assent::agent
