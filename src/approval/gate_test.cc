#include "approval/gate.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <thread>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "approval/gate_answerer.h"
#include "approval/grant_scope.h"
#include "approval/memory_grant_store.h"
#include "approval/testing/fakes.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"

namespace assent::approval {
namespace {

using testing::FakeHandler;
using testing::FixedPolicy;
using vocabulary::Risk;

class GateTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  DefaultPolicy policy_;
  FakeHandler handler_;
  MemoryGrantStore grants_{clock_};
  Gate gate_{policy_, handler_, grants_, clock_, rng_};

  static Request request(Risk risk = Risk::dangerous) {
    return {.session = vocabulary::SessionId("s"),
            .call = {vocabulary::CallId("c"), "bash", R"({"command":"ls"})"},
            .risk = risk,
            .work_dir = "/w",
            .digest = "sha256:1",
            .grantable = Grantable::yes,
            .grant_ttl = std::chrono::minutes(30)};
  }
};

// A part that is missing cannot be written: the gate takes references (A-109).
static_assert(!std::is_constructible_v<Gate, std::nullptr_t, Handler&, GrantStore&,
                                       const base::Clock&, base::Rng&>);
static_assert(!std::is_default_constructible_v<Gate>);
// Closed sets, and interfaces with one job each (A-017, A-030, A-036, A-037).
static_assert(std::is_abstract_v<Handler> && std::is_abstract_v<Policy> &&
              std::is_abstract_v<GrantStore>);
static_assert(std::is_base_of_v<GrantStore, MemoryGrantStore> &&
              !std::is_same_v<GrantStore, MemoryGrantStore>);
static_assert(static_cast<int>(Decision::deny) == 2 && static_cast<int>(PolicyDecision::deny) == 2);

// covers: A-012, A-013, A-014, A-017, A-029, A-030, A-036, A-037, A-053, A-109
TEST_F(GateTest, IsMadeOfAnyPolicyAnyHandlerAndAnyStore) {
  class Counting final : public GrantStore {
   public:
    int asked = 0;
    int saved = 0;
    base::Result<std::optional<vocabulary::GrantId>> has(const Request&,
                                                         const base::StopToken&) override {
      ++asked;
      return saved > 0 ? std::optional(vocabulary::GrantId("g")) : std::nullopt;
    }
    base::Result<void> save(const Grant&, const base::StopToken&) override {
      ++saved;
      return {};
    }
    base::Result<void> revoke(const Grant&, const base::StopToken&) override { return {}; }
  } store;
  for (const auto decision : {PolicyDecision::auto_allow, PolicyDecision::deny}) {
    const FixedPolicy fixed(decision);
    Gate gate(fixed, handler_, store, clock_, rng_);
    EXPECT_EQ(gate.check(request(), {})->decision,
              decision == PolicyDecision::deny ? Decision::deny : Decision::allow_once);
  }
  EXPECT_EQ(store.asked, 0);
  const FixedPolicy asks(PolicyDecision::ask);
  Gate gate(asks, handler_, store, clock_, rng_);
  handler_.answer = [](const auto&) { return Answer{.decision = Decision::allow_once}; };
  // Allow once is for the call at hand: the next one is asked about again.
  EXPECT_EQ(gate.check(request(), {})->decision, Decision::allow_once);
  EXPECT_EQ(gate.check(request(), {})->decision, Decision::allow_once);
  EXPECT_EQ(handler_.asked.size(), 2U);
  handler_.answer = [](const auto&) { return Answer{.decision = Decision::allow_session}; };
  EXPECT_EQ(gate.check(request(), {})->decision, Decision::allow_session);
  EXPECT_EQ(store.saved, 1);
  EXPECT_EQ(gate.check(request(), {})->decision, Decision::allow_once);
  EXPECT_EQ(handler_.asked.size(), 3U);
}

// covers: A-031, A-035
TEST_F(GateTest, TheFourExamplesOfTheSourceAreAPolicyEachAndChangeNothingElse) {
  class ByFunction final : public Policy {
   public:
    using Function = std::function<PolicyDecision(const Request&)>;
    explicit ByFunction(Function function) : function_(std::move(function)) {}
    [[nodiscard]] PolicyDecision evaluate(const Request& request) const override {
      return function_(request);
    }

   private:
    Function function_;
  };
  const auto decide = [&](const Policy& policy, const Request& request) {
    Gate gate(policy, handler_, grants_, clock_, rng_);
    return gate.check(request, {})->decision;
  };
  handler_.answer = [](const auto&) { return Answer{.decision = Decision::deny}; };
  Request write = request(Risk::mutating);
  write.effects = {vocabulary::PathEffect{vocabulary::PathAccess::write, "/w/a"}};
  Request outside = write;
  outside.effects = {vocabulary::PathEffect{vocabulary::PathAccess::write, "/etc/a"}};
  const ByFunction workspace_only([](const Request& r) {
    const bool within = std::ranges::all_of(r.effects, [&](const vocabulary::Effect& effect) {
      const auto* file = std::get_if<vocabulary::PathEffect>(&effect);
      return file != nullptr && vocabulary::path_within(file->path, r.work_dir);
    });
    return within ? PolicyDecision::auto_allow : PolicyDecision::deny;
  });
  EXPECT_EQ(decide(workspace_only, write), Decision::allow_once);
  EXPECT_EQ(decide(workspace_only, outside), Decision::deny);

  Request test = request();
  test.effects = {vocabulary::ExecuteEffect{.argv = {"go", "test"}}};
  const ByFunction named_commands([](const Request& r) {
    const auto* run =
        r.effects.empty() ? nullptr : std::get_if<vocabulary::ExecuteEffect>(&r.effects[0]);
    const bool named = run != nullptr && run->argv.size() > 1 && run->argv[0] == "go" &&
                       (run->argv[1] == "test" || run->argv[1] == "fmt");
    return named ? PolicyDecision::auto_allow : PolicyDecision::ask;
  });
  EXPECT_EQ(decide(named_commands, test), Decision::allow_once);
  EXPECT_EQ(decide(named_commands, request()), Decision::deny);
  EXPECT_EQ(handler_.asked.size(), 1U);

  const ByFunction production([](const Request& r) {
    return r.risk == Risk::dangerous ? PolicyDecision::deny : PolicyDecision::ask;
  });
  EXPECT_EQ(decide(production, request()), Decision::deny);
  EXPECT_EQ(handler_.asked.size(), 1U);

  // Development: the human may grant some commands for a while, because the request allows it.
  handler_.answer = [&](const auto&) {
    return Answer{.decision = Decision::allow_session, .at_ms = clock_.now_ms()};
  };
  EXPECT_EQ(decide(policy_, request()), Decision::allow_session);
  EXPECT_EQ(decide(policy_, request()), Decision::allow_once);
}

// covers: A-039, A-045, A-051
TEST_F(GateTest, TheMemoryStoreServesManyThreads) {
  Request other = request();
  other.work_dir = "/other";
  const auto grant_for = [](const Request& request, int i) {
    return Grant{.id = vocabulary::GrantId(std::to_string(i)),
                 .session = request.session,
                 .tool_name = request.call.name,
                 .work_dir = request.work_dir,
                 .scope = {vocabulary::GrantKind::exact, request.digest},
                 .expires_ms = i % 3 == 0 ? 1 : 0};
  };
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 500; ++i) {
          const Request mine = (i + t) % 2 == 0 ? other : request();
          EXPECT_TRUE(grants_.save(grant_for(mine, i), {}));
          EXPECT_TRUE(grants_.has(mine, {}));
          EXPECT_TRUE(grants_.revoke(grant_for(mine, i), {}));
        }
      });
    }
  }
  EXPECT_EQ(*grants_.has(request(), {}), std::nullopt);
  ASSERT_TRUE(grants_.save(grant_for(other, 1), {}));
  EXPECT_EQ(*grants_.has(request(), {}), std::nullopt) << "another working directory";
  EXPECT_TRUE(*grants_.has(other, {}));
}

// covers: A-054, A-055, A-110
TEST_F(GateTest, SafeRiskIsAllowedOnceAndAsksNobody) {
  const auto ruling = gate_.check(request(Risk::safe), {});
  EXPECT_EQ(ruling, (Ruling{.decision = Decision::allow_once, .by = "policy"}));
  EXPECT_EQ(handler_.asked.size(), 0U);
}

// covers: A-034, A-056, A-111
TEST_F(GateTest, AnUnknownRiskIsDeniedAndAsksNobody) {
  const auto ruling = gate_.check(request(static_cast<Risk>(77)), {});
  EXPECT_EQ(ruling->decision, Decision::deny);
  EXPECT_EQ(handler_.asked.size(), 0U);
}

// covers: A-032, A-033
TEST_F(GateTest, TheDefaultPolicyIsTheTableOfTheSource) {
  EXPECT_EQ(policy_.evaluate(request(Risk::safe)), PolicyDecision::auto_allow);
  EXPECT_EQ(policy_.evaluate(request(Risk::mutating)), PolicyDecision::ask);
  EXPECT_EQ(policy_.evaluate(request(Risk::dangerous)), PolicyDecision::ask);
}

// covers: A-061, A-062, A-113, A-086
TEST_F(GateTest, AllowOnceAndDenyWriteNoGrant) {
  for (const auto decision : {Decision::allow_once, Decision::deny}) {
    handler_.answer = [&](const auto&) { return Answer{.decision = decision, .by = "test"}; };
    EXPECT_EQ(gate_.check(request(), {}), (Ruling{.decision = decision, .by = "test"}));
    EXPECT_EQ(*grants_.has(request(), {}), std::nullopt);
  }
  EXPECT_EQ(handler_.asked.size(), 2U);
}

// covers: A-060, A-100, A-114, A-112, A-058
TEST_F(GateTest, AllowSessionSavesExactlyOneGrantWithWorkDirAndExpiry) {
  handler_.answer = [&](const auto&) {
    return Answer{.decision = Decision::allow_session, .at_ms = clock_.now_ms(), .by = "test"};
  };
  const auto first = gate_.check(request(), {});
  ASSERT_TRUE(first->saved);
  EXPECT_EQ(first->decision, Decision::allow_session);
  EXPECT_EQ(first->saved->work_dir, "/w");
  EXPECT_EQ(first->saved->expires_ms - first->saved->created_ms, 30 * 60 * 1000);
  const auto second = gate_.check(request(), {});
  EXPECT_EQ(*second,
            (Ruling{.decision = Decision::allow_once, .by = "grant", .via = first->saved->id}));
  EXPECT_EQ(handler_.asked.size(), 1U);
}

// covers: A-043, A-101, A-116
TEST_F(GateTest, AfterAGrantExpiresTheUserIsAskedAgain) {
  handler_.answer = [&](const auto&) {
    return Answer{.decision = Decision::allow_session, .at_ms = clock_.now_ms()};
  };
  ASSERT_TRUE(gate_.check(request(), {}));
  clock_.advance(std::chrono::minutes(30) - std::chrono::milliseconds(1));
  ASSERT_TRUE(gate_.check(request(), {}));
  EXPECT_EQ(handler_.asked.size(), 1U);
  clock_.advance(std::chrono::milliseconds(1));
  ASSERT_TRUE(gate_.check(request(), {}));
  EXPECT_EQ(handler_.asked.size(), 2U);
}

// covers: A-094, A-095, A-096, A-097
TEST_F(GateTest, AGrantCoversOnlyTheVeryCall) {
  handler_.answer = [&](const auto&) {
    return Answer{.decision = Decision::allow_session, .at_ms = clock_.now_ms()};
  };
  ASSERT_TRUE(gate_.check(request(), {}));
  handler_.answer = [](const auto&) { return Answer{.decision = Decision::deny}; };
  const std::vector<std::function<void(Request&)>> changes{
      [](Request& r) { r.digest = "sha256:2"; }, [](Request& r) { r.work_dir = "/other"; },
      [](Request& r) { r.call.name = "write_file"; },
      [](Request& r) { r.session = vocabulary::SessionId("t"); },
      [](Request& r) { r.grantable = Grantable::no; }};
  for (const auto& change : changes) {
    Request other = request();
    change(other);
    EXPECT_EQ(gate_.check(other, {})->decision, Decision::deny);
  }
  EXPECT_EQ(gate_.check(request(), {})->decision, Decision::allow_once);
}

// covers: A-087
TEST_F(GateTest, ALastingAnswerWhereNoneMayBeIsADeny) {
  handler_.answer = [](const auto&) { return Answer{.decision = Decision::allow_session}; };
  Request escalation = request();
  escalation.grantable = Grantable::no;
  EXPECT_EQ(gate_.check(escalation, {})->decision, Decision::deny);
}

// covers: A-011
TEST_F(GateTest, ADecisionOutsideTheSetNeverAllows) {
  handler_.answer = [](const auto&) { return Answer{.decision = static_cast<Decision>(9)}; };
  EXPECT_EQ(gate_.check(request(), {})->decision, Decision::deny);
  FixedPolicy nonsense(static_cast<PolicyDecision>(9));
  Gate gate(nonsense, handler_, grants_, clock_, rng_);
  EXPECT_EQ(gate.check(request(), {})->decision, Decision::deny);
  EXPECT_EQ(handler_.asked.size(), 1U);
}

// covers: A-059, A-117, A-041, A-057
TEST_F(GateTest, CancellationAndFailuresComeBackAsErrors) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(gate_.check(request(), stop.token()).error().kind, base::ErrorKind::cancelled);
  EXPECT_EQ(handler_.asked.size(), 0U);
  handler_.answer = [](const auto&) -> base::Result<Answer> {
    return base::failure(base::ErrorKind::io, "channel broken");
  };
  EXPECT_EQ(gate_.check(request(), {}).error().message, "channel broken");
  EXPECT_EQ(*grants_.has(request(), {}), std::nullopt);
}

// covers: A-044, A-046, A-047, A-048, A-049, A-050, A-052, A-042, A-040
TEST_F(GateTest, TheMemoryStoreValidatesOverwritesAndRevokes) {
  Grant grant{.id = vocabulary::GrantId("g"),
              .session = vocabulary::SessionId("s"),
              .tool_name = "bash",
              .work_dir = "/w",
              .scope = {vocabulary::GrantKind::exact, "sha256:1"}};
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(grants_.save(grant, stop.token()).error().kind, base::ErrorKind::cancelled);
  EXPECT_EQ(*grants_.has(request(), {}), std::nullopt);
  EXPECT_EQ(grants_.save({}, {}).error().message, "grant session ID 不能为空");
  EXPECT_EQ(grants_.save({.session = grant.session}, {}).error().message,
            "grant tool name 不能为空");
  EXPECT_EQ(grants_.save({.session = grant.session, .tool_name = "bash"}, {}).error().message,
            "grant 工作区不能为空");
  ASSERT_TRUE(grants_.save(grant, {}));
  clock_.advance(std::chrono::hours(24 * 365));
  EXPECT_EQ(*grants_.has(request(), {}), grant.id);
  grant.id = vocabulary::GrantId("h");
  ASSERT_TRUE(grants_.save(grant, {}));
  EXPECT_EQ(*grants_.has(request(), {}), grant.id);
  EXPECT_TRUE(grants_.revoke(grant, {}));
  EXPECT_TRUE(grants_.revoke(grant, {}));
  EXPECT_EQ(*grants_.has(request(), {}), std::nullopt);
}

// covers: A-098
TEST_F(GateTest, AFolderIsOfferedForOneFileAndCoversNoMoreThanItSays) {
  using vocabulary::PathAccess;
  using vocabulary::PathEffect;
  const auto writing = [&](vocabulary::Effects effects) {
    Request change = request(Risk::mutating);
    change.call.name = "write_file";
    change.digest = "sha256:of the change";
    change.effects = std::move(effects);
    change.wider_scopes = wider_scopes(change);
    return change;
  };
  const auto write = [](std::string path) {
    return PathEffect{PathAccess::write, std::move(path)};
  };
  const Request first = writing({PathEffect{PathAccess::read, "/w/src/a.c"}, write("/w/src/a.c")});
  const vocabulary::GrantScope folder{vocabulary::GrantKind::path_range, "/w/src"};
  ASSERT_EQ(first.wider_scopes, std::vector{folder});
  handler_.answer = [&](const Request& asked) {
    return Answer{.decision = Decision::allow_session,
                  .at_ms = clock_.now_ms(),
                  .scope = asked.wider_scopes.at(0)};
  };
  ASSERT_EQ(gate_.check(first, {})->saved->scope, folder);
  handler_.answer = [](const auto&) { return Answer{.decision = Decision::deny}; };
  const auto verdict = [&](vocabulary::Effects effects) {
    Request next = writing(std::move(effects));
    next.digest = "sha256:another";
    return gate_.check(next, {})->decision;
  };
  EXPECT_EQ(verdict({write("/w/src/deep/b.c")}), Decision::allow_once);
  const std::vector<vocabulary::Effects> outside{
      {write("/w/b.c")},
      {write("/w/srcs/b.c")},
      {write("/w/src/.git/config")},
      {write("/w/src/deep/.envrc")},
      {write("/w/src/b.c"), write("/w/c.c")},
      {PathEffect{PathAccess::remove, "/w/src/b.c"}},
      {PathEffect{PathAccess::write, "/w/src/deep", vocabulary::PathExtent::subtree}},
      {write("/w/src/b.c"), vocabulary::OpaqueEffect{"x", "y"}},
      {vocabulary::ConnectEffect{"example.com", 443, "tcp"}},
      {}};
  for (const auto& effects : outside) EXPECT_EQ(verdict(effects), Decision::deny);
  // Nothing is offered that would not cover the call itself, or that lies outside.
  EXPECT_EQ(writing({write("/etc/passwd")}).wider_scopes.size(), 0U);
  EXPECT_EQ(writing({write("/w/src/.env")}).wider_scopes.size(), 0U);
  EXPECT_EQ(writing({write("/w/src/a.c"), write("/w/b.c")}).wider_scopes.size(), 0U);
}

TEST_F(GateTest, AScopeThatWasNotOfferedIsADeny) {
  handler_.answer = [](const auto&) {
    return Answer{.decision = Decision::allow_session,
                  .scope = vocabulary::GrantScope{vocabulary::GrantKind::path_range, "/"}};
  };
  EXPECT_EQ(gate_.check(request(), {})->decision, Decision::deny);
}

TEST_F(GateTest, NewArgumentsComeOnlyWithADeny) {
  const auto answered = [&](Decision decision) {
    handler_.answer = [=](const auto&) { return Answer{.decision = decision, .edited = "{}"}; };
    return gate_.check(request(), {})->edited;
  };
  EXPECT_EQ(answered(Decision::deny), "{}");
  EXPECT_EQ(answered(Decision::allow_once), std::nullopt);
}

// K-07: the explicit ask of a listener on a safe tool reaches the handler.
TEST_F(GateTest, InsideAnAnswererThePolicyCanOnlyTighten) {
  const TighteningPolicy tightening(policy_);
  EXPECT_EQ(tightening.evaluate(request(Risk::safe)), PolicyDecision::ask);
  EXPECT_EQ(tightening.evaluate(request(Risk::dangerous)), PolicyDecision::ask);
  EXPECT_EQ(tightening.evaluate(request(static_cast<Risk>(9))), PolicyDecision::deny);
}

}  // namespace
}  // namespace assent::approval
