// The whole decision space of one call, walked (issue of the pipeline: every axis of the two
// sources). A point is a tape of choices; an axis is asked for only where the pipeline comes to it,
// so that those which an earlier stage makes irrelevant collapse by themselves. The short form
// walks a seeded sample, ASSENT_LONG_TESTS all of it.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "approval/gate_answerer.h"
#include "approval/memory_grant_store.h"
#include "base/file.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "store/memory_event_store.h"
#include "tool/pipeline.h"
#include "tool/registry.h"
#include "tool/testing/log_invariants.h"

namespace assent::tool {
namespace {

using approval::Answer;
using approval::Decision;
using vocabulary::ApprovalPolicy;
using vocabulary::CallId;
using vocabulary::ErrorCode;
using vocabulary::Review;
using vocabulary::Risk;
using vocabulary::SandboxMode;

// One path through a tree of choices; next() goes to the one behind it, depth first.
class Tape {
 public:
  std::size_t choose(std::size_t width) {
    if (at_ == choices_.size()) choices_.push_back({0, width});
    return choices_.at(at_++).taken;
  }
  bool next() {
    choices_.resize(at_);
    at_ = 0;
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().width) {
      choices_.pop_back();
    }
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

 private:
  struct Choice {
    std::size_t taken;
    std::size_t width;
  };
  std::vector<Choice> choices_;
  std::size_t at_ = 0;
};

enum class RiskAxis : std::uint8_t { safe, mutating, dangerous, unknown, undeclared };
enum class ListenerAxis : std::uint8_t { allow, ask, deny, throws, nonsense };
enum class GrantAxis : std::uint8_t { none, live, expired };
enum class AnswerAxis : std::uint8_t { once, session, deny, fails, throws, nonsense, late, never };
enum class GuardAxis : std::uint8_t { none, veto, throws };
enum class EscalationAxis : std::uint8_t {
  none,
  valid,
  without_reason,
  without_mode,
  blank_reason,
  same_mode,
  unknown_mode
};
// Where the caller cancels. `nowhere` first, so that the plain path is walked first.
enum class Stage : std::uint8_t { nowhere, before, listener, answer, guard, dispatch };

// What is known before the call comes.
struct Setting {
  RiskAxis risk;
  SandboxMode mode;
  ApprovalPolicy policy;
  Review review;
  EscalationAxis escalation;
  sandbox::Enforcement sandbox;
  Stage cancel;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (int risk = 0; risk < 5; ++risk) {
    for (const auto mode :
         {SandboxMode::read_only, SandboxMode::workspace_write, SandboxMode::danger_full_access}) {
      for (const auto policy : {ApprovalPolicy::ask, ApprovalPolicy::never}) {
        for (const auto review : {Review::mutations, Review::changes, Review::escalations}) {
          for (int escalation = 0; escalation < 7; ++escalation) {
            for (const auto sandbox : {sandbox::Enforcement::full, sandbox::Enforcement::none}) {
              for (int cancel = 0; cancel < 6; ++cancel) {
                all.push_back({static_cast<RiskAxis>(risk), mode, policy, review,
                               static_cast<EscalationAxis>(escalation), sandbox,
                               static_cast<Stage>(cancel)});
              }
            }
          }
        }
      }
    }
  }
  return all;
}

// What the pipeline came to on its way.
struct Seen {
  std::optional<ListenerAxis> listener{};
  std::optional<GrantAxis> grant{};
  std::optional<AnswerAxis> answer{};
  std::optional<GuardAxis> guard{};
  int handler_calls = 0;
  int listener_calls = 0;
  int bodies = 0;
  std::optional<SandboxMode> ran_under{};
  bool cancelled = false;
};

class Undeclared : public Tool {
 public:
  Undeclared(Seen& seen, std::function<void()> on_effects)
      : seen_(seen), on_effects_(std::move(on_effects)) {}
  [[nodiscard]] std::string_view name() const override { return "tool"; }
  [[nodiscard]] Definition definition(Escalatable) const override { return {}; }
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] Confinable confinable() const override { return Confinable::yes; }
  [[nodiscard]] vocabulary::Effects effects(const json::Object&, const CallView&) const override {
    on_effects_();
    return {vocabulary::PathEffect{vocabulary::PathAccess::write, "/nonexistent/a"}};
  }
  [[nodiscard]] approval::EscalationArgs escalation(const json::Object& arguments) const override {
    approval::EscalationArgs args;
    if (const auto* mode = arguments.if_contains("mode"))
      args.sandbox_permissions = mode->as_string();
    if (const auto* why = arguments.if_contains("why")) args.justification = why->as_string();
    return args;
  }
  Output run(Clearance clearance, const RunContext&) override {
    ++seen_.bodies;
    seen_.ran_under = clearance.confinement().mode;
    return {"done"};
  }

 private:
  Seen& seen_;
  std::function<void()> on_effects_;
  json::Value schema_ = json::Object{{"type", "object"}};
};

class Declared final : public Undeclared, public RiskedTool {
 public:
  Declared(Seen& seen, std::function<void()> on_effects, Risk risk)
      : Undeclared(seen, std::move(on_effects)), risk_(risk) {}
  [[nodiscard]] Risk risk_level() const override { return risk_; }

 private:
  Risk risk_;
};

// A PreToolDecision that lost its value, as a listener that returned nothing would leave it.
PreToolDecision nonsense() {
  struct Thrower {
    operator std::string() const { throw std::runtime_error("torn"); }  // NOLINT: that is the trick
  };
  PreToolDecision decision = Deny{"about to be torn"};
  try {
    decision.emplace<Deny>(Thrower(), "x");
  } catch (const std::runtime_error&) {
  }
  return decision;
}

// One point: a house of its own, one call through it.
class Walk final : private approval::Handler, private approval::GrantStore {
 public:
  Walk(const Setting& setting, Tape& tape) : setting_(setting), tape_(tape) {
    MUST(session_->append(
        {event::SandboxModeSet{setting.mode}, event::ApprovalPolicySet{setting.policy},
         event::ReviewSet{setting.review}, event::GrantModeSet{vocabulary::GrantMode::exact}}));
    keep_.push_back(approval_.add_answerer(approval::gate_answerer(gate_)));
    keep_.push_back(
        pre_execute_.add([this](const Execution&, const auto& next) { return listener(next); }));
    keep_.push_back(guards_.add([this](const Execution&) { return guard(); }));
    keep_.push_back(MUST(registry_.add(tool())));
  }

  void run() {
    const vocabulary::ToolCall call{CallId("c"), "tool", arguments()};
    MUST(session_->append({event::TurnStarted{1}, event::StepStarted{1, 1},
                           event::AssistantMessage{.calls = {call}}}));
    const session::Session::Writer writer(*session_);
    const Caller caller{.session = *session_,
                        .agent = {.id = agent_, .session = session_->id()},
                        .path = scope::ScopePath({agent_}),
                        .work_dir = "/"};
    cancel_at(Stage::before);
    MUST(Pipeline(parts_).run({call}, caller, stop_.token()));
    MUST(session_->append({event::StepEnded{1, 1}, event::TurnEnded{.turn = 1}}));
  }

  const Seen& seen() const { return seen_; }
  std::vector<event::Record> log() { return MUST(store_.read(session_->id(), 0, 1000)); }
  vocabulary::SessionId id() const { return session_->id(); }

 private:
  [[nodiscard]] std::shared_ptr<Tool> tool() {
    const auto on_effects = [this] {
      // Once to show the batch, once when the call is judged, then again at dispatch.
      if (++reductions_ == 3) cancel_at(Stage::dispatch);
    };
    if (setting_.risk == RiskAxis::undeclared) {
      return std::make_shared<Undeclared>(seen_, on_effects);
    }
    const Risk risk = setting_.risk == RiskAxis::unknown ? static_cast<Risk>(77)
                                                         : static_cast<Risk>(setting_.risk);
    return std::make_shared<Declared>(seen_, on_effects, risk);
  }

  [[nodiscard]] std::string arguments() const {
    const std::string wider =
        setting_.mode == SandboxMode::read_only ? "workspace-write" : "danger-full-access";
    json::Object arguments;
    switch (setting_.escalation) {
      case EscalationAxis::none: break;
      case EscalationAxis::valid: arguments = {{"mode", wider}, {"why", "needed"}}; break;
      case EscalationAxis::without_reason: arguments = {{"mode", wider}}; break;
      case EscalationAxis::without_mode: arguments = {{"why", "needed"}}; break;
      case EscalationAxis::blank_reason: arguments = {{"mode", wider}, {"why", " \t"}}; break;
      case EscalationAxis::same_mode:
        arguments = {{"mode", vocabulary::to_text(setting_.mode)}, {"why", "needed"}};
        break;
      case EscalationAxis::unknown_mode:
        arguments = {{"mode", "everything"}, {"why", "needed"}};
        break;
    }
    return json::write(arguments);
  }

  void cancel_at(Stage stage) {
    if (setting_.cancel != stage) return;
    seen_.cancelled = true;
    stop_.request_stop();
  }

  template <class Next>
  PreToolDecision listener(const Next& next) {
    ++seen_.listener_calls;
    cancel_at(Stage::listener);
    if (!seen_.listener) seen_.listener = static_cast<ListenerAxis>(tape_.choose(5));
    switch (*seen_.listener) {
      case ListenerAxis::allow: return next();
      case ListenerAxis::ask: return AskHuman{"a listener asks"};
      case ListenerAxis::deny: return Deny{"a listener denies"};
      case ListenerAxis::throws: throw std::runtime_error("a listener throws");
      case ListenerAxis::nonsense: break;
    }
    return nonsense();
  }

  std::optional<std::string> guard() {
    cancel_at(Stage::guard);
    if (!seen_.guard) seen_.guard = static_cast<GuardAxis>(tape_.choose(3));
    if (*seen_.guard == GuardAxis::throws) throw std::runtime_error("a guard throws");
    if (*seen_.guard == GuardAxis::veto) return "a guard vetoes";
    return std::nullopt;
  }

  base::Result<std::optional<vocabulary::GrantId>> has(const approval::Request& request,
                                                       const base::StopToken& stop) override {
    seen_.grant = static_cast<GrantAxis>(tape_.choose(3));
    if (*seen_.grant != GrantAxis::none) {
      const auto life = *seen_.grant == GrantAxis::live ? 1 : 0;
      TRY(memory_.save({.id = vocabulary::GrantId("g"),
                        .session = request.session,
                        .tool_name = request.call.name,
                        .work_dir = request.work_dir,
                        .scope = {vocabulary::GrantKind::exact, request.digest},
                        .expires_ms = clock_.now_ms() + life},
                       {}));
    }
    return memory_.has(request, stop);
  }
  base::Result<void> save(const approval::Grant& grant, const base::StopToken& stop) override {
    return memory_.save(grant, stop);
  }
  base::Result<void> revoke(const approval::Grant& grant, const base::StopToken& stop) override {
    return memory_.revoke(grant, stop);
  }

  base::Result<Answer> approve(const approval::Request&, const base::StopToken& stop) override {
    ++seen_.handler_calls;
    cancel_at(Stage::answer);
    if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
    seen_.answer = static_cast<AnswerAxis>(tape_.choose(8));
    Answer answer{.decision = Decision::allow_once, .at_ms = clock_.now_ms(), .by = "test:user"};
    switch (*seen_.answer) {
      case AnswerAxis::once: break;
      case AnswerAxis::session: answer.decision = Decision::allow_session; break;
      case AnswerAxis::deny: answer.decision = Decision::deny; break;
      case AnswerAxis::fails: return base::failure(base::ErrorKind::io, "the channel broke");
      case AnswerAxis::throws: throw std::runtime_error("the asker crashed");
      case AnswerAxis::nonsense: answer.decision = static_cast<Decision>(9); break;
      case AnswerAxis::late: clock_.advance(question_life); break;
      case AnswerAxis::never:
        // Nobody answers until the caller gives up.
        seen_.cancelled = true;
        stop_.request_stop();
        (void)stop.wait_for(std::chrono::hours(1));
        return base::failure(base::ErrorKind::cancelled, "cancelled");
    }
    return answer;
  }

  static constexpr base::Milliseconds question_life{60'000};

  Setting setting_;
  Tape& tape_;
  Seen seen_;
  int reductions_ = 0;
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore store_;
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/", .origin = "user"}));
  }();
  approval::MemoryGrantStore memory_{clock_};
  approval::DefaultPolicy default_policy_;
  approval::TighteningPolicy policy_{default_policy_};
  approval::Gate gate_{policy_, *this, *this, clock_, rng_};
  approval::ApprovalService approval_;
  ToolRegistry registry_;
  PreExecute pre_execute_ = PreExecute::with_policy(policy_listener);
  Guards guards_;
  const Parts parts_{.tools = registry_,
                     .pre_execute = pre_execute_,
                     .guards = guards_,
                     .approval = [this] { return &approval_; },
                     .sandbox = {.enforcement = setting_.sandbox},
                     .search_path = "/usr/bin:/bin",
                     .grant_ttl = base::Milliseconds(1000),
                     .question_ttl = question_life};
  base::StopSource stop_;
  const vocabulary::AgentId agent_{"agent"};
  std::vector<scope::Registration> keep_;
};

// --- what must come of it: decisions.md read aloud, apart from the code
// ---------------------------

enum class Expected : std::uint8_t {
  runs,
  escalation_invalid,
  denied,
  rejected,
  unavailable,
  aborted
};

bool valid(EscalationAxis axis) {
  return axis == EscalationAxis::none || axis == EscalationAxis::valid;
}

// Review's verdict: whether it asks (section 4).
bool review_asks(const Setting& s) {
  if (s.risk == RiskAxis::safe) return false;
  if (s.mode == SandboxMode::danger_full_access) return false;
  if (s.sandbox == sandbox::Enforcement::none) return true;
  return s.review != Review::escalations;
}

// What the question came to, if one was put.
Expected answered(const Setting& s, const Seen& seen) {
  if (s.cancel == Stage::listener) return Expected::aborted;  // withdrawn before it was shown
  if (s.policy == ApprovalPolicy::never) return Expected::rejected;
  if (s.risk == RiskAxis::unknown) return Expected::denied;
  if (seen.grant == GrantAxis::live) return Expected::runs;
  if (s.cancel == Stage::answer) return Expected::aborted;
  switch (seen.answer.value()) {
    case AnswerAxis::once: return Expected::runs;
    case AnswerAxis::session:
      return s.escalation == EscalationAxis::valid ? Expected::rejected : Expected::runs;
    case AnswerAxis::deny:
    case AnswerAxis::nonsense: return Expected::rejected;
    case AnswerAxis::fails:
    case AnswerAxis::throws:
    case AnswerAxis::late: return Expected::unavailable;
    case AnswerAxis::never: return Expected::aborted;
  }
  return Expected::denied;
}

Expected expected(const Setting& s, const Seen& seen) {
  if (!valid(s.escalation)) return Expected::escalation_invalid;
  // Nothing is wider than danger-full-access.
  if (s.escalation == EscalationAxis::valid && s.mode == SandboxMode::danger_full_access) {
    return Expected::escalation_invalid;
  }
  if (s.cancel == Stage::before) return Expected::aborted;
  if (s.risk == RiskAxis::unknown) return Expected::denied;  // by policy, before any listener
  const ListenerAxis listener = seen.listener.value();
  if (listener == ListenerAxis::deny || listener == ListenerAxis::throws ||
      listener == ListenerAxis::nonsense) {
    return Expected::denied;
  }
  const bool escalates = s.escalation == EscalationAxis::valid;
  const bool asks = listener == ListenerAxis::ask || review_asks(s);
  if (asks && !escalates) {
    const Expected outcome = answered(s, seen);
    if (outcome != Expected::runs) return outcome;
  }
  if (seen.guard.value() != GuardAxis::none) return Expected::denied;
  if (escalates) {
    if (s.cancel == Stage::guard) return Expected::aborted;
    const Expected outcome = answered(s, seen);
    if (outcome != Expected::runs) return outcome;
  }
  const bool cancelled = s.cancel == Stage::listener || s.cancel == Stage::guard;
  return cancelled ? Expected::aborted : Expected::runs;
}

Expected came(const std::vector<event::Record>& log, const vocabulary::SessionId& session) {
  for (const auto& record : log) {
    const auto event = MUST(event::open(session, record));
    const auto* result = std::get_if<event::ToolResult>(&event.data);
    if (result == nullptr) continue;
    if (!result->error) return Expected::runs;
    switch (result->error->code) {
      case ErrorCode::escalation_invalid: return Expected::escalation_invalid;
      case ErrorCode::denied: return Expected::denied;
      case ErrorCode::rejected: return Expected::rejected;
      case ErrorCode::unavailable: return Expected::unavailable;
      case ErrorCode::aborted_before_dispatch: return Expected::aborted;
      default: ADD_FAILURE() << "unexpected: " << record.data;
    }
  }
  ADD_FAILURE() << "no result";
  return Expected::denied;
}

std::string describe(const Setting& s, const Seen& seen) {
  const auto number = [](const auto& axis) {
    return axis ? std::to_string(static_cast<int>(*axis)) : std::string("-");
  };
  return "risk " + std::to_string(static_cast<int>(s.risk)) + ", " +
         std::string(vocabulary::to_text(s.mode)) + ", " +
         std::string(vocabulary::to_text(s.policy)) + ", " +
         std::string(vocabulary::to_text(s.review)) + ", escalation " +
         std::to_string(static_cast<int>(s.escalation)) + ", sandbox " +
         std::to_string(static_cast<int>(s.sandbox)) + ", cancel " +
         std::to_string(static_cast<int>(s.cancel)) + "; listener " + number(seen.listener) +
         ", grant " + number(seen.grant) + ", answer " + number(seen.answer) + ", guard " +
         number(seen.guard);
}

std::size_t count(const std::vector<event::Record>& log, std::string_view type) {
  std::size_t found = 0;
  for (const auto& record : log) found += record.type == type;
  return found;
}

void check(const Setting& setting, Walk& walk) {
  const Seen& seen = walk.seen();
  const auto log = walk.log();
  SCOPED_TRACE(describe(setting, seen));
  EXPECT_EQ(testing::broken_rules(walk.id(), log, testing::Ended::in_peace, {"g"}),
            std::vector<std::string>{});
  const bool ran = seen.bodies > 0;
  EXPECT_EQ(came(log, walk.id()), expected(setting, seen));
  EXPECT_EQ(came(log, walk.id()) == Expected::runs, ran);
  EXPECT_EQ(seen.bodies, ran ? 1 : 0);
  EXPECT_EQ(count(log, "tool/started"), ran ? 1U : 0U);
  EXPECT_LE(seen.handler_calls, 1);
  EXPECT_LE(count(log, "approval/asked"), 1U);
  EXPECT_EQ(count(log, "approval/asked"), count(log, "approval/decided"));
  if (setting.policy == ApprovalPolicy::never) {
    EXPECT_EQ(seen.handler_calls, 0);
    EXPECT_FALSE(seen.grant);
  }
  if (!valid(setting.escalation)) {
    EXPECT_EQ(seen.listener_calls, 0);
  }
  if (ran) {
    const bool escalated = setting.escalation == EscalationAxis::valid;
    const auto wider = setting.mode == SandboxMode::read_only ? SandboxMode::workspace_write
                                                              : SandboxMode::danger_full_access;
    EXPECT_EQ(seen.ran_under, escalated ? wider : setting.mode);
  }
}

bool long_form() { return std::getenv("ASSENT_LONG_TESTS") != nullptr; }

// covers, B-008, B-024, B-043, B-053, B-108, B-109, B-110, B-127, B-166
// covers, B-167
TEST(DecisionSpace, EveryPointIsDecidedAsTheDesignSays) {
  auto all = settings();
  if (!long_form()) {
    // The seed is fixed: a failure shows the point, and the long form walks all of them.
    std::mt19937 order(20261201);
    std::ranges::shuffle(all, order);
    all.resize(800);
  }
  std::size_t points = 0;
  for (const Setting& setting : all) {
    Tape tape;
    do {
      Walk walk(setting, tape);
      walk.run();
      check(setting, walk);
      ++points;
      if (::testing::Test::HasFailure()) FAIL() << "after " << points << " points";
    } while (tape.next());
  }
  ::testing::Test::RecordProperty("points", static_cast<int>(points));
  std::printf("%zu points of %zu settings\n", points, all.size());
  EXPECT_GT(points, all.size());
}

}  // namespace
}  // namespace assent::tool
