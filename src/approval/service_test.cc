#include "approval/service.h"

#include <chrono>
#include <latch>
#include <optional>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "approval/escalation.h"
#include "approval/gate_answerer.h"
#include "approval/memory_grant_store.h"
#include "approval/session_grants.h"
#include "approval/testing/fakes.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "store/memory_event_store.h"
#include "store/testing/failing_event_store.h"

namespace assent::approval {
namespace {

using vocabulary::ApprovalOutcome;
using vocabulary::SandboxMode;

class ServiceTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore memory_;
  store::testing::FailingEventStore store_{memory_};
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/w", .origin = "user"}));
  }();
  ApprovalService service_;
  const scope::ScopePath path_{{vocabulary::AgentId("root")}};
  std::vector<scope::Registration> keep_;

  void SetUp() override { MUST(session_->append(event::TurnStarted{1})); }

  static Request draft(std::string digest = "d") {
    return {.call = {vocabulary::CallId("c"), "bash", "{}"},
            .reason = "why",
            .digest = std::move(digest)};
  }
  base::Result<Decided> ask(const base::StopToken& stop = {}, std::string digest = "d") {
    return service_.request(*session_, path_, draft(std::move(digest)), stop);
  }
  void answer(std::function<Answered()> answerer, scope::Placement placement = {}) {
    keep_.push_back(service_.add_answerer(
        [answerer = std::move(answerer)](const Asking&, const auto&) { return answerer(); },
        std::move(placement)));
  }
  static Answered outcome(ApprovalOutcome outcome, std::string by = "test:user") {
    return {.outcome = outcome, .by = std::move(by)};
  }
  std::vector<event::Record> records() { return MUST(memory_.read(session_->id(), 0, 1000)); }
  std::size_t pairs() {
    std::size_t count = 0;
    for (const auto& record : records()) count += record.type == "approval/decided";
    return count;
  }
};

// covers: B-032, B-033, B-132, B-141
TEST_F(ServiceTest, OutsideATurnItFailsBeforeAnythingHappened) {
  MUST(session_->append(event::TurnEnded{.turn = 1}));
  int asked = 0;
  answer([&] {
    ++asked;
    return outcome(ApprovalOutcome::allowed_once);
  });
  const auto before = records();
  EXPECT_TRUE(ask().error().message.starts_with("approval.request() outside an open turn"));
  EXPECT_EQ(records(), before);
  EXPECT_EQ(asked, 0);
}

// covers: B-034, B-035, B-036, B-037, B-039, B-149, B-002, B-003, B-031
TEST_F(ServiceTest, AskedIsDurableBeforeAnyoneIsAskedAndDecidedBeforeTheOutcomeReturns) {
  std::size_t seen = 0;
  answer([&] {
    seen = records().size();
    EXPECT_EQ(records().back().type, "approval/asked");
    return outcome(ApprovalOutcome::allowed_once);
  });
  const auto first = ask();
  EXPECT_EQ(first->outcome, ApprovalOutcome::allowed_once);
  EXPECT_EQ(records().size(), seen + 1);
  EXPECT_EQ(records().back().type, "approval/decided");
  const auto second = ask();
  EXPECT_NE(first->id, second->id);
  EXPECT_EQ(pairs(), 2U);
}

// covers: B-142
TEST_F(ServiceTest, NobodyListeningIsUnavailableAndAudited) {
  EXPECT_EQ(ask()->outcome, ApprovalOutcome::unavailable);
  EXPECT_EQ(pairs(), 1U);
}

// covers: B-143
TEST_F(ServiceTest, AbsentFieldsAreAbsentInTheLog) {
  MUST(service_.request(*session_, path_, {.call = {{}, "bash", "{}"}}, {}));
  const auto all = records();
  const auto& asked = all[all.size() - 2].data;
  EXPECT_EQ(asked.find("callId"), std::string::npos);
  EXPECT_EQ(asked.find("reason"), std::string::npos);
}

// covers: B-041, B-042, B-043, B-044, B-045, B-046, B-130
TEST_F(ServiceTest, SignalThenNeverComeBeforeAnyListener) {
  int asked = 0;
  answer(
      [&] {
        ++asked;
        return outcome(ApprovalOutcome::allowed_once);
      },
      {.position = scope::Position::prepend});
  MUST(session_->append(event::ApprovalPolicySet{vocabulary::ApprovalPolicy::never}));
  const auto never = ask();
  EXPECT_EQ(never->outcome, ApprovalOutcome::rejected);
  EXPECT_EQ(never->by, "never");
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(ask(stop.token())->outcome, ApprovalOutcome::cancelled);
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(pairs(), 2U);
}

// covers: B-047, B-048, B-049, B-050, B-053
TEST_F(ServiceTest, AnswerersThatThrowOrReturnNonsenseAreUnavailable) {
  answer([]() -> Answered { throw std::runtime_error("boom"); });
  EXPECT_EQ(ask()->outcome, ApprovalOutcome::unavailable);
  keep_.clear();
  answer([] { return outcome(static_cast<ApprovalOutcome>(42)); });
  EXPECT_EQ(ask()->outcome, ApprovalOutcome::unavailable);
  EXPECT_EQ(pairs(), 2U);
}

// covers: B-146
TEST_F(ServiceTest, TheFirstAnswerWinsAndOthersDelegate) {
  keep_.push_back(service_.add_answerer([](const Asking&, const auto& next) { return next(); }));
  answer([] { return outcome(ApprovalOutcome::rejected); });
  answer([] { return outcome(ApprovalOutcome::allowed_once); });
  EXPECT_EQ(ask()->outcome, ApprovalOutcome::rejected);
}

// covers: B-148
TEST_F(ServiceTest, ALateAnswerToAWithdrawnQuestionIsDiscarded) {
  base::StopSource stop;
  answer([&] {
    stop.request_stop();
    return outcome(ApprovalOutcome::allowed_once);
  });
  EXPECT_EQ(ask(stop.token())->outcome, ApprovalOutcome::cancelled);
}

// covers: B-145
TEST_F(ServiceTest, AnUnloggedDecisionIsNeverReturned) {
  answer([] { return outcome(ApprovalOutcome::allowed_once); });
  store_.fail_append(1, store::testing::FailingEventStore::When::before);
  EXPECT_FALSE(ask());
  store_.fail_append(2, store::testing::FailingEventStore::When::before);
  EXPECT_FALSE(ask());
}

// covers: B-122, B-123
TEST_F(ServiceTest, TwoIdenticalCallsAreTwoQuestionsUnlessAHumanSaidNo) {
  int asked = 0;
  answer([&] {
    ++asked;
    return outcome(ApprovalOutcome::allowed_once);
  });
  MUST(ask());
  MUST(ask());
  EXPECT_EQ(asked, 2);
  keep_.clear();
  answer([&] {
    ++asked;
    return outcome(ApprovalOutcome::rejected);
  });
  MUST(ask());
  const auto repeat = ask();
  EXPECT_EQ(repeat->outcome, ApprovalOutcome::rejected);
  EXPECT_EQ(repeat->by, "repeat");
  EXPECT_EQ(asked, 3);
  EXPECT_EQ(session_->state().rejections_in_a_row(), 1);
  MUST(ask({}, "another"));
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(pairs(), 5U);
}

TEST_F(ServiceTest, TheGateAnswersWithGrantsOfItsOwn) {
  testing::FakeHandler handler;
  handler.answer = [&](const auto&) {
    return Answer{.decision = Decision::allow_session, .at_ms = clock_.now_ms(), .by = "t:u"};
  };
  const DefaultPolicy policy;
  MemoryGrantStore grants(clock_);
  Gate gate(policy, handler, grants, clock_, rng_);
  keep_.push_back(service_.add_answerer(gate_answerer(gate)));
  Request grantable = draft();
  grantable.grantable = Grantable::yes;
  grantable.work_dir = "/w";
  grantable.session = session_->id();
  grantable.grant_ttl = std::chrono::minutes(1);
  EXPECT_EQ(service_.request(*session_, path_, grantable, {})->outcome,
            ApprovalOutcome::allowed_once);
  EXPECT_EQ(records().back().type, "grant/saved");
  const auto hit = service_.request(*session_, path_, grantable, {});
  EXPECT_EQ(hit->by, "grant");
  EXPECT_NE(records().back().data.find("\"via\""), std::string::npos);
  EXPECT_EQ(handler.asked.size(), 1U);
  handler.answer = [](const auto&) -> base::Result<Answer> {
    return base::failure(base::ErrorKind::io, "broken");
  };
  EXPECT_EQ(service_.request(*session_, path_, draft("x"), {})->outcome,
            ApprovalOutcome::unavailable);
}

// covers: B-065, B-066, B-067, B-068, B-069, B-153
TEST(EscalationArguments, ComeInPairsAndWithAReason) {
  const auto message = [](EscalationArgs args) {
    const auto valid = validate_escalation_args(args);
    return valid ? "" : valid.error().message;
  };
  EXPECT_EQ(message({}), "");
  EXPECT_EQ(message({"workspace-write", "because"}), "");
  EXPECT_EQ(message({"workspace-write", std::nullopt}),
            "invalid escalation: sandbox_permissions requires a justification");
  EXPECT_EQ(message({std::nullopt, "because"}),
            "invalid escalation: justification is only valid together with sandbox_permissions");
  EXPECT_EQ(message({"workspace-write", " \t\n"}),
            "invalid justification: expected a non-empty sentence");
}

// covers: B-148, B-165
TEST_F(ServiceTest, AnAnswererThatNeverReturnsIsLeftBehindWhenTheQuestionIsWithdrawn) {
  const auto released = std::make_shared<std::latch>(1);
  const auto gone = std::make_shared<std::latch>(1);
  base::StopSource stop;
  answer([released, gone, &stop] {
    stop.request_stop();
    released->wait();
    gone->count_down();
    return outcome(ApprovalOutcome::allowed_once);
  });
  EXPECT_EQ(ask(stop.token())->outcome, ApprovalOutcome::cancelled);
  EXPECT_EQ(pairs(), 1U);
  released->count_down();
  gone->wait();
  EXPECT_EQ(pairs(), 1U);
}

TEST_F(ServiceTest, AtItsDeadlineAQuestionIsUnavailableAndALaterYesCountsForNothing) {
  answer([&] {
    clock_.advance(std::chrono::minutes(5));
    return outcome(ApprovalOutcome::allowed_once);
  });
  Request timed = draft();
  timed.expires_ms = clock_.now_ms() + 60'000;
  const auto decided = MUST(service_.request(*session_, path_, timed, {}));
  EXPECT_EQ(decided.outcome, ApprovalOutcome::unavailable);
  EXPECT_EQ(decided.by, "deadline");
}

// covers: B-046
TEST_F(ServiceTest, NeverWithdrawsTheQuestionThatIsOpen) {
  std::optional<std::jthread> switching;
  keep_.push_back(service_.add_answerer([&](const Asking& asking, const auto&) {
    switching.emplace([&] {
      EXPECT_TRUE(session_->submit([](session::Session& session) {
        return session.append(event::ApprovalPolicySet{vocabulary::ApprovalPolicy::never});
      }));
    });
    EXPECT_TRUE(asking.stop.wait_for(std::chrono::hours(1)));
    return outcome(ApprovalOutcome::allowed_once);
  }));
  const session::Session::Writer writer(*session_);
  const auto decided = MUST(ask());
  EXPECT_EQ(decided.outcome, ApprovalOutcome::rejected);
  EXPECT_EQ(decided.by, "never");
}

TEST_F(ServiceTest, EditedArgumentsNameTheCallThatTakesThePlace) {
  answer([] {
    return Answered{
        .outcome = ApprovalOutcome::rejected, .by = "test:user", .edited = R"({"command":"ls"})"};
  });
  const auto decided = MUST(ask());
  EXPECT_EQ(decided.edited,
            (vocabulary::ToolCall{vocabulary::CallId("c#2"), "bash", R"({"command":"ls"})"}));
  EXPECT_NE(records().back().data.find(R"("edited":"c#2")"), std::string::npos);
  // It was help, not a no: the same call may be asked about again, and it counts towards nothing.
  EXPECT_EQ(session_->state().rejections_in_a_row(), 0);
  EXPECT_EQ(MUST(ask()).by, "test:user");
  Request again = draft("other");
  again.call.id = vocabulary::CallId("c#2");
  EXPECT_EQ(MUST(service_.request(*session_, path_, again, {})).edited->id,
            vocabulary::CallId("c#3"));
}

// covers: A-038, A-099, B-123
TEST_F(ServiceTest, AGrantCountsFromItsEventOnUntilItIsRevoked) {
  SessionGrants grants(*session_, clock_);
  const Grant grant{.id = vocabulary::GrantId("g"),
                    .session = session_->id(),
                    .tool_name = "bash",
                    .work_dir = "/w",
                    .scope = {vocabulary::GrantKind::exact, "d"},
                    .created_ms = clock_.now_ms(),
                    .expires_ms = clock_.now_ms() + 1000};
  Request covered = draft();
  covered.session = session_->id();
  covered.work_dir = "/w";
  EXPECT_EQ(grants.save({.session = session_->id()}, {}).error().message,
            "grant tool name 不能为空");
  ASSERT_TRUE(grants.save(grant, {}));
  EXPECT_EQ(*grants.has(covered, {}), std::nullopt);

  // Withdrawn in the moment of the answer: the log has no grant, so there is none.
  base::StopSource stop;
  const Answered yes{.outcome = ApprovalOutcome::allowed_once, .by = "test:user", .saved = grant};
  bool late = true;
  answer([&] {
    if (late) stop.request_stop();
    return yes;
  });
  EXPECT_EQ(ask(stop.token())->outcome, ApprovalOutcome::cancelled);
  EXPECT_EQ(*grants.has(covered, {}), std::nullopt);
  late = false;
  ASSERT_TRUE(ask());
  EXPECT_EQ(*grants.has(covered, {}), grant.id);
  EXPECT_EQ(session_->state().grants(), std::vector{grant.id});
  MUST(session_->append(event::GrantRevoked{grant.id, "test:user"}));
  EXPECT_EQ(*grants.has(covered, {}), std::nullopt);
  EXPECT_FALSE(session_->append(event::GrantRevoked{grant.id, "test:user"}));
}

// covers: B-060, B-061, B-062, B-063, B-064, B-131
TEST(EscalationArguments, AskForSomethingStrictlyWider) {
  const auto check = [](std::string target, SandboxMode mode) {
    return check_escalation({std::move(target), "because"}, mode);
  };
  EXPECT_EQ((*check("workspace-write", SandboxMode::read_only))->mode,
            SandboxMode::workspace_write);
  EXPECT_EQ((*check("danger-full-access", SandboxMode::workspace_write))->mode,
            SandboxMode::danger_full_access);
  const std::vector<std::pair<std::string, SandboxMode>> refused{
      {"read-only", SandboxMode::workspace_write},
      {"workspace-write", SandboxMode::workspace_write},
      {"workspace-write", SandboxMode::danger_full_access},
      {"danger-full-access", SandboxMode::danger_full_access},
      {"everything", SandboxMode::read_only}};
  for (const auto& [target, mode] : refused) {
    const auto result = check(target, mode);
    ASSERT_FALSE(result) << target;
    EXPECT_TRUE(
        result.error().message.starts_with("sandbox escalation to \"" + target +
                                           "\" is not strictly wider than this call's current \"" +
                                           std::string(vocabulary::to_text(mode)) + "\" mode"));
  }
  EXPECT_EQ(*check_escalation({}, SandboxMode::read_only), std::nullopt);
}

// covers: B-059, B-070, B-071, B-072, B-073, B-074, B-075, B-076, B-077, B-078, B-080, B-125
TEST_F(ServiceTest, AnEscalationIsAskedWithItsReasonAndOnlyAYesWidens) {
  const Escalation wanted{SandboxMode::danger_full_access, "the cache is outside"};
  const auto run = [&](const EscalationRoute& route) {
    return MUST(
        approve_escalation(wanted, route, draft(std::to_string(records().size())), "command", {}));
  };
  const EscalationRoute route{&service_, session_.get(), &path_};
  EXPECT_EQ(
      run({}).refusal,
      "sandbox escalation to \"danger-full-access\" requires approval, but no approval service "
      "is composed");
  EXPECT_EQ(
      run({.approver = &service_}).refusal,
      "sandbox escalation to \"danger-full-access\" requires approval, but the call has no agent "
      "to route it through");
  EXPECT_EQ(pairs(), 0U);
  std::string reason;
  auto next = ApprovalOutcome::allowed_once;
  keep_.push_back(service_.add_answerer([&](const Asking& asking, const auto&) {
    reason = asking.request.reason;
    EXPECT_EQ(asking.request.grantable, Grantable::no);
    return outcome(next);
  }));
  EXPECT_EQ(run(route).refusal, "");
  EXPECT_EQ(reason, "escalate sandbox to danger-full-access: the cache is outside");
  next = ApprovalOutcome::rejected;
  EXPECT_EQ(run(route).refusal,
            "the user rejected escalating this command to \"danger-full-access\"");
  next = ApprovalOutcome::cancelled;
  EXPECT_EQ(run(route).refusal, "approval for escalating to \"danger-full-access\" was cancelled");
  next = ApprovalOutcome::unavailable;
  EXPECT_EQ(
      run(route).refusal,
      "sandbox escalation to \"danger-full-access\" requires approval, but no approval channel is "
      "available");
  next = static_cast<ApprovalOutcome>(9);
  EXPECT_NE(run(route).refusal, "");
}

}  // namespace
}  // namespace assent::approval
