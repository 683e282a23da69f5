#include "vocabulary/modes.h"

#include <vector>

#include <gtest/gtest.h>

#include "vocabulary/effect.h"
#include "vocabulary/outcome.h"
#include "vocabulary/risk.h"

namespace assent::vocabulary {
namespace {

// covers: B-060, B-061, B-062
TEST(WiderModes, IsTheTableOfTheSource) {
  using enum SandboxMode;
  const auto wider = [](SandboxMode mode) {
    return std::vector<SandboxMode>(wider_modes(mode).begin(), wider_modes(mode).end());
  };
  EXPECT_EQ(wider(read_only), (std::vector{workspace_write, danger_full_access}));
  EXPECT_EQ(wider(workspace_write), std::vector{danger_full_access});
  EXPECT_EQ(wider(danger_full_access), std::vector<SandboxMode>{});
  EXPECT_EQ(stricter(danger_full_access, read_only), read_only);
  EXPECT_EQ(stricter(read_only, workspace_write), read_only);
  EXPECT_EQ(stricter(workspace_write, workspace_write), workspace_write);
}

// covers: B-051, B-052, A-015
TEST(Words, AreClosedSetsThatRoundTrip) {
  for (const auto* word : {"read-only", "workspace-write", "danger-full-access"}) {
    EXPECT_EQ(to_text(*sandbox_mode_from(word)), word);
  }
  for (const auto* word : {"allowed-once", "rejected", "cancelled", "unavailable"}) {
    EXPECT_EQ(to_text(*approval_outcome_from(word)), word);
  }
  for (const auto* word : {"safe", "mutating", "dangerous"}) {
    EXPECT_EQ(to_text(*risk_from(word)), word);
  }
  for (const auto* word : {"allowed-always", "allow-for-session", "", "Rejected"}) {
    EXPECT_EQ(approval_outcome_from(word), std::nullopt) << word;
    EXPECT_EQ(sandbox_mode_from(word), std::nullopt) << word;
  }
  for (int code = 0; code <= static_cast<int>(ErrorCode::delegated_caller); ++code) {
    EXPECT_EQ(error_code_from(to_text(static_cast<ErrorCode>(code))), static_cast<ErrorCode>(code));
  }
}

PathEffect path(PathAccess access, std::string at, PathExtent extent = PathExtent::path) {
  return PathEffect{access, std::move(at), extent};
}

TEST(Conflict, IsAboutWritesTheOtherSeesAndUnreadableEffects) {
  using enum PathAccess;
  const Effects read_a{path(read, "/w/a")};
  const Effects write_a{path(write, "/w/a")};
  const Effects write_b{path(write, "/w/ab")};
  const Effects remove_w{path(remove, "/w", PathExtent::subtree)};
  const Effects opaque{OpaqueEffect{"x", "y"}};
  const Effects shell{ExecuteEffect{{"sh"}, "/bin/sh", Modelled::no}};
  EXPECT_FALSE(conflict(read_a, read_a));
  EXPECT_TRUE(conflict(read_a, write_a));
  EXPECT_TRUE(conflict(write_a, write_a));
  EXPECT_FALSE(conflict(write_a, write_b));
  EXPECT_TRUE(conflict(remove_w, write_b));
  EXPECT_TRUE(conflict(opaque, shell));
  EXPECT_TRUE(conflict(opaque, write_a));
  EXPECT_FALSE(conflict(opaque, read_a));
}

}  // namespace
}  // namespace assent::vocabulary
