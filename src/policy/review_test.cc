#include "policy/review.h"

#include <gtest/gtest.h>

#include "policy/effects.h"

namespace assent::policy {
namespace {

using vocabulary::Effects;
using vocabulary::Modelled;
using vocabulary::PathAccess;
using vocabulary::Review;
using vocabulary::Risk;
using vocabulary::SandboxMode;

const Effects reads{vocabulary::PathEffect{PathAccess::read, "/w/a"}};
const Effects writes{vocabulary::PathEffect{PathAccess::write, "/w/a"}};
const Effects runs_known{vocabulary::ExecuteEffect{{"ls"}, "/bin/ls", Modelled::yes}};
const Effects runs_unknown{vocabulary::ExecuteEffect{{"x"}, "/bin/x", Modelled::no}};

struct Row {
  Review knob;
  Risk risk;
  const Effects* effects;
  Confined confined;
  Verdict verdict;
};

// The table of the design, row by row; the column "confined" as its own axis.
// covers, B-081, B-126
TEST(Review, IsTheTableOfTheDesign) {
  using enum Confined;
  const std::vector<Row> rows{
      {Review::mutations, Risk::safe, &reads, yes, Verdict::allow},
      {Review::mutations, Risk::safe, &reads, no, Verdict::allow},
      {Review::mutations, Risk::mutating, &writes, yes, Verdict::ask},
      {Review::mutations, Risk::dangerous, &runs_known, yes, Verdict::ask},
      {Review::mutations, Risk::dangerous, &runs_known, no, Verdict::ask},
      {Review::changes, Risk::safe, &reads, no, Verdict::allow},
      {Review::changes, Risk::mutating, &writes, yes, Verdict::ask},
      {Review::changes, Risk::dangerous, &runs_known, yes, Verdict::allow},
      {Review::changes, Risk::dangerous, &runs_unknown, yes, Verdict::ask},
      {Review::changes, Risk::dangerous, &runs_known, no, Verdict::ask},
      {Review::escalations, Risk::safe, &reads, no, Verdict::allow},
      {Review::escalations, Risk::mutating, &writes, yes, Verdict::allow},
      {Review::escalations, Risk::dangerous, &runs_unknown, yes, Verdict::allow},
      {Review::escalations, Risk::mutating, &writes, no, Verdict::ask},
      {Review::escalations, Risk::dangerous, &runs_known, no, Verdict::ask},
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    EXPECT_EQ(review(row.knob, {row.risk, *row.effects, SandboxMode::workspace_write, row.confined})
                  .verdict,
              row.verdict)
        << "row " << i;
  }
}

// covers: B-089, B-137
TEST(Review, NeverAsksUnderFullAccess) {
  for (const auto knob : {Review::mutations, Review::changes, Review::escalations}) {
    for (const auto risk : {Risk::safe, Risk::mutating, Risk::dangerous}) {
      EXPECT_EQ(
          review(knob, {risk, runs_unknown, SandboxMode::danger_full_access, Confined::no}).verdict,
          Verdict::allow);
    }
  }
}

//
TEST(Review, DeniesWhatNobodyKnows) {
  for (const auto mode : {SandboxMode::workspace_write, SandboxMode::danger_full_access}) {
    EXPECT_EQ(
        review(Review::escalations, {static_cast<Risk>(9), reads, mode, Confined::yes}).verdict,
        Verdict::deny);
  }
  EXPECT_EQ(review(static_cast<Review>(9),
                   {Risk::dangerous, reads, SandboxMode::read_only, Confined::yes})
                .verdict,
            Verdict::deny);
}

class FakeView final : public PathView {
 public:
  [[nodiscard]] const std::string& work_dir() const override { return work_dir_; }
  [[nodiscard]] std::string resolve(std::string_view path) const override {
    return "/real/" + std::string(path);
  }
  [[nodiscard]] std::string program(std::string_view name) const override {
    return "/usr" + std::string(name);
  }

 private:
  std::string work_dir_ = "/real";
};

TEST(Effects, OfTheFirstPartyTools) {
  const FakeView view;
  EXPECT_EQ(read_file_effects("a", view),
            Effects{vocabulary::PathEffect(PathAccess::read, "/real/a")});
  EXPECT_EQ(write_file_effects("a", view),
            (Effects{vocabulary::PathEffect{PathAccess::read, "/real/a"},
                     vocabulary::PathEffect{PathAccess::write, "/real/a"}}));
  EXPECT_EQ(bash_effects("ls", view),
            (Effects{vocabulary::ExecuteEffect{{"/bin/bash", "--noprofile", "--norc", "-c", "ls"},
                                               "/usr/bin/bash",
                                               Modelled::no},
                     vocabulary::OpaqueEffect{"ls", "shell text is run as a whole"}}));
}

}  // namespace
}  // namespace assent::policy
