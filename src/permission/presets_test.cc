#include "permission/presets.h"

#include <gtest/gtest.h>

#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "store/memory_event_store.h"

namespace assent::permission {
namespace {

using vocabulary::ApprovalPolicy;
using vocabulary::SandboxMode;

class PresetsTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  base::testing::SeededRng rng_;
  store::MemoryEventStore store_;
  std::unique_ptr<session::Session> session_ = [&] {
    return MUST(session::Session::create({store_, clock_, rng_}, {.cwd = "/w", .origin = "user"}));
  }();
  const PresetTable table_ = PresetTable::shipped();

  std::vector<std::string> types_since(std::size_t from) {
    std::vector<std::string> types;
    for (const auto& record :
         MUST(store_.read(session_->id(), static_cast<std::int64_t>(from), 99)))
      types.push_back(record.type);
    return types;
  }
  std::size_t length() { return MUST(store_.read(session_->id(), 0, 99)).size(); }
};

// covers: B-083, B-084, B-085
TEST_F(PresetsTest, TheTableHoldsTheTwoOfTheSource) {
  const auto* workspace = MUST(table_.find("workspace-write"));
  EXPECT_EQ(workspace->knobs.sandbox, SandboxMode::workspace_write);
  EXPECT_EQ(workspace->knobs.approval, ApprovalPolicy::ask);
  const auto* full = MUST(table_.find("danger-full-access"));
  EXPECT_EQ(full->knobs.sandbox, SandboxMode::danger_full_access);
  EXPECT_EQ(full->knobs.approval, ApprovalPolicy::never);
  EXPECT_EQ(table_.default_spec().name, "workspace-write");
  EXPECT_EQ(table_.find("nothing").error().kind, base::ErrorKind::not_found);
}

// covers: B-086, B-087, B-133, B-082, B-156
TEST_F(PresetsTest, ASwitchWritesTheKnobsThatChangeThenThePreset) {
  ASSERT_TRUE(pin_preset(*session_, table_.default_spec()));
  EXPECT_EQ(types_since(1),
            (std::vector<std::string>{"sandbox/mode", "approval/policy", "policy/review",
                                      "grant/mode", "permission/preset"}));
  const auto before = length();
  ASSERT_TRUE(switch_preset(*session_, table_, "danger-full-access"));
  EXPECT_EQ(types_since(before),
            (std::vector<std::string>{"sandbox/mode", "approval/policy", "permission/preset"}));
  EXPECT_EQ(session_->state().knobs().approval, ApprovalPolicy::never);
}

// covers: B-154
TEST_F(PresetsTest, SwitchingToTheCurrentOneAppendsNothingAndADriftIsRepaired) {
  ASSERT_TRUE(pin_preset(*session_, table_.default_spec()));
  auto before = length();
  ASSERT_TRUE(switch_preset(*session_, table_, "workspace-write"));
  EXPECT_EQ(length(), before);
  MUST(session_->append(event::ApprovalPolicySet{ApprovalPolicy::never}));
  EXPECT_EQ(table_.current(session_->state()), "ci");
  before = length();
  ASSERT_TRUE(switch_preset(*session_, table_, "workspace-write"));
  EXPECT_EQ(types_since(before),
            (std::vector<std::string>{"approval/policy", "permission/preset"}));
  EXPECT_FALSE(switch_preset(*session_, table_, "nothing"));
}

// covers: B-088, B-154
TEST_F(PresetsTest, ExecutionFollowsTheKnobsNeverThePreset) {
  MUST(session_->append(event::PresetSet{"danger-full-access"}));
  EXPECT_EQ(session_->state().knobs(), vocabulary::Knobs{});
  EXPECT_EQ(table_.current(session_->state()), "workspace-write");
  MUST(session_->append(event::SandboxModeSet{SandboxMode::read_only}));
  MUST(session_->append(event::ReviewSet{vocabulary::Review::mutations}));
  EXPECT_EQ(table_.current(session_->state()), "custom");
}

// covers: B-155
TEST_F(PresetsTest, ATableThatCannotBeRightIsRefused) {
  EXPECT_FALSE(PresetTable::create({}, "x"));
  EXPECT_FALSE(PresetTable::create({{.name = "custom"}}, "custom"));
  EXPECT_FALSE(PresetTable::create({{.name = "a"}, {.name = "a"}}, "a"));
  EXPECT_FALSE(PresetTable::create({{.name = "a"}}, "b"));
  EXPECT_TRUE(PresetTable::create({{.name = "a"}}, "a"));
}

// covers: B-113, B-114, B-115, B-120
TEST_F(PresetsTest, SetPolicyAppendsTheChangeOnceAndNothingElse) {
  MUST(set_policy(*session_, vocabulary::ApprovalPolicy::ask));
  const auto before = MUST(store_.read(session_->id(), 0, 100)).size();
  MUST(set_policy(*session_, vocabulary::ApprovalPolicy::never));
  MUST(set_policy(*session_, vocabulary::ApprovalPolicy::never));
  const auto log = MUST(store_.read(session_->id(), 0, 100));
  ASSERT_EQ(log.size(), before + 1);
  EXPECT_EQ(log.back().type, "approval/policy");
  EXPECT_EQ(log.back().data, R"({"policy":"never"})");
  EXPECT_EQ(session_->state().knobs().approval, vocabulary::ApprovalPolicy::never);
  EXPECT_FALSE(set_policy(*session_, static_cast<vocabulary::ApprovalPolicy>(9)));
  EXPECT_EQ(MUST(store_.read(session_->id(), 0, 100)).size(), before + 1);
}

TEST_F(PresetsTest, NarrowingRevokesWhatWasGranted) {
  const auto grant = [&](const std::string& id) {
    MUST(session_->append(event::GrantSaved{.id = vocabulary::GrantId(id), .tool_name = "bash"}));
  };
  MUST(switch_preset(*session_, table_, "careful"));
  grant("g1");
  grant("g2");
  MUST(switch_preset(*session_, table_, "read-only"));
  EXPECT_EQ(session_->state().grants().size(), 0U);
  MUST(switch_preset(*session_, table_, "careful"));
  grant("g3");
  MUST(set_policy(*session_, vocabulary::ApprovalPolicy::never));
  EXPECT_EQ(session_->state().grants().size(), 0U);
  grant("g4");
  MUST(set_policy(*session_, vocabulary::ApprovalPolicy::ask));
  EXPECT_EQ(session_->state().grants().size(), 1U);
}

TEST_F(PresetsTest, TheKnobsInWords) {
  EXPECT_EQ(in_words(table_.default_spec().knobs),
            "writes: this folder · network: off · asks: to leave it");
  EXPECT_EQ(in_words((*table_.find("danger-full-access"))->knobs),
            "writes: everything you can · network: on · asks: nothing");
}

}  // namespace
}  // namespace assent::permission
