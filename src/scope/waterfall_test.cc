#include "scope/waterfall.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace assent::scope {
namespace {

using vocabulary::AgentId;

ScopePath path(std::initializer_list<const char*> ids) {
  std::vector<AgentId> agents;
  for (const char* id : ids) agents.emplace_back(id);
  return ScopePath(std::move(agents));
}

using Letters = Waterfall<std::string, int>;

TEST(Waterfall, RunsOutsideInAndEachListenerMayDelegateOrAnswer) {
  Letters waterfall;
  const auto a = waterfall.add([](int, const auto& next) { return "a" + next(); });
  const auto b = waterfall.add([](int n, const auto& next) { return n > 1 ? "B" : "b" + next(); });
  const auto first = waterfall.add([](int, const auto& next) { return "0" + next(); },
                                   {.position = Position::prepend});
  const auto end = [] { return std::string("."); };
  EXPECT_EQ(waterfall.run(1, {}, end), "0ab.");
  EXPECT_EQ(waterfall.run(2, {}, end), "0aB");
}

// covers: B-010, B-149
TEST(Waterfall, WithoutListenersItIsTheDefaultAndARegistrationUndoesItself) {
  Letters waterfall;
  const auto end = [] { return std::string("default"); };
  EXPECT_EQ(waterfall.run(0, {}, end), "default");
  {
    const auto gone = waterfall.add([](int, const auto&) { return std::string("x"); });
    EXPECT_EQ(waterfall.run(0, {}, end), "x");
  }
  EXPECT_EQ(waterfall.run(0, {}, end), "default");
}

// covers: B-147
TEST(Waterfall, ReachesGlobalAndMatchingScopesNeverAForeignOne) {
  Letters waterfall;
  const auto global = waterfall.add([](int, const auto& next) { return "g" + next(); });
  const auto root =
      waterfall.add([](int, const auto& next) { return "r" + next(); }, {.scope = AgentId("root")});
  const auto child = waterfall.add([](int, const auto& next) { return "c" + next(); },
                                   {.scope = AgentId("child")});
  const auto end = [] { return std::string(); };
  EXPECT_EQ(waterfall.run(0, path({"root"}), end), "gr");
  EXPECT_EQ(waterfall.run(0, path({"root", "child"}), end), "grc");
  EXPECT_EQ(waterfall.run(0, path({"other"}), end), "g");
  EXPECT_EQ(waterfall.run(0, {}, end), "g");
}

TEST(Waterfall, WorksOnACopyOfTheList) {
  Letters waterfall;
  Registration late;
  const auto adds = waterfall.add([&](int, const auto& next) {
    late = waterfall.add([](int, const auto& then) { return "late" + then(); });
    return "now" + next();
  });
  const auto end = [] { return std::string("."); };
  EXPECT_EQ(waterfall.run(0, {}, end), "now.");
}

TEST(Waterfall, HandsAnExceptionToTheSeam) {
  Letters waterfall;
  const auto bad =
      waterfall.add([](int, const auto&) -> std::string { throw std::runtime_error("boom"); });
  EXPECT_THROW(waterfall.run(0, {}, [] { return std::string(); }), std::runtime_error);
}

// covers: B-017
TEST(Listeners, OutsideInIsGlobalThenFarthestAncestorToOwn) {
  Listeners<char()> listeners;
  std::vector<Registration> keep;
  const auto add = [&](char letter, ScopeTag tag) {
    keep.push_back(listeners.add([letter] { return letter; }, {.scope = std::move(tag)}));
  };
  add('c', AgentId("child"));
  add('r', AgentId("root"));
  add('g', std::nullopt);
  add('x', AgentId("foreign"));
  std::string order;
  for (const auto& listener : listeners.outside_in(path({"root", "child"}))) order += (*listener)();
  EXPECT_EQ(order, "grc");
}

TEST(Registration, OutlivesItsRegistry) {
  Registration registration;
  {
    Listeners<void()> listeners;
    registration = listeners.add([] {});
  }
  registration.reset();
  EXPECT_NO_FATAL_FAILURE(registration.reset());
}

}  // namespace
}  // namespace assent::scope
