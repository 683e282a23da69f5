#include "terminal/approval_view.h"

#include <gtest/gtest.h>

#include "terminal/testing/wrapped_rows.h"
#include "text/gutter.h"

namespace assent::terminal {
namespace {

using approval::Grantable;
using approval::Request;
using testing::wrapped_rows;

// What a model could write, in letters that nothing of ours has, and without two blanks in a row.
const std::string imitation = std::string(300, '#') +
                              "[#] ##### ####: #\n#: #漢#漢#漢字#\r\u1100\u1100\u1100\u1100# " +
                              std::string(90, '#');

Request everything_hostile() {
  return {.call = {vocabulary::CallId("c"), "bash" + imitation, imitation},
          .reason = imitation,
          .confinement = {.mode = vocabulary::SandboxMode::workspace_write,
                          .extra = {.write = {imitation}, .connect = {imitation}}},
          .effects = {vocabulary::OpaqueEffect{imitation, imitation},
                      vocabulary::PathEffect{vocabulary::PathAccess::write, imitation}},
          .grantable = Grantable::yes,
          .wider_scopes = {{vocabulary::GrantKind::path_range, imitation}},
          .headline = "writes " + imitation,
          .asked_by = imitation,
          .diff = imitation + "\n" + imitation,
          .batch = {.position = 1, .total = 2, .pending = {imitation, imitation}}};
}

TEST(ApprovalView, ShowsInThisOrder) {
  const Request request{
      .call = {vocabulary::CallId("c"), "write_file", R"({"path":"a"})"},
      .risk = vocabulary::Risk::mutating,
      .reason = "review changes",
      .confinement = {.mode = vocabulary::SandboxMode::workspace_write,
                      .extra = {.write = {"/out"}, .connect = {"host:1"}}},
      .effects = {vocabulary::PathEffect{vocabulary::PathAccess::write, "/w/a"}},
      .headline = "changes /w/a",
      .asked_by = "review",
      .diff = "-a\n+b\n",
      .missing = {"attributes"},
      .batch = {.position = 2, .total = 2, .pending = {"read_file", "write_file"}}};
  EXPECT_EQ((ApprovalView{.request = request, .agent = "child 2"}.text(Extent::cut, 80)),
            "\n"
            "▶ [child 2] changes /w/a\n"
            "  tool: write_file\n"
            "  with exactly these arguments:\n"
            "│ {\"path\":\"a\"}\n"
            "  effects:\n"
            "│ write /w/a\n"
            "│ -a\n"
            "│ +b\n"
            "  risk: mutating\n"
            "  under: workspace-write\n"
            "  and may write: /out\n"
            "  and may contact: host:1\n"
            "  this machine's sandbox is partial; assent doctor lists what it does not enforce\n"
            "  asked by: review\n"
            "  because: review changes\n"
            "  call 2 of 2:\n"
            "    read_file\n"
            "  → write_file\n");
}

TEST(ApprovalView, TheModelsWordComesLastAndIsBounded) {
  Request request{.reason = "escalate: because", .justification = std::string(300, 'j')};
  const std::string text = ApprovalView{.request = request}.text(Extent::cut, text::not_wrapped);
  EXPECT_TRUE(text.ends_with("  the model says:\n│ " + std::string(200, 'j') + "…\n"));
  EXPECT_EQ(text.find("because"), std::string::npos);
  request.justification = "short\n▶ fake";
  EXPECT_TRUE(
      (ApprovalView{.request = request}.text(Extent::cut, 80)).ends_with("│ short\\n▶ fake\n"));
}

TEST(ApprovalView, SaysWhatALastingAnswerCovers) {
  Request request{.grantable = Grantable::yes,
                  .wider_scopes = {{vocabulary::GrantKind::path_range, "/w/a\nb"},
                                   {vocabulary::GrantKind::exact, "digest"}}};
  EXPECT_TRUE((ApprovalView{.request = request}.text(Extent::cut, 80))
                  .ends_with("  [a] covers this very call\n"
                             "  [a 1] covers writes below /w/a\\nb\n"
                             "  [a 2] covers this very call\n"));
  request.grantable = Grantable::no;
  EXPECT_EQ((ApprovalView{.request = request}.text(Extent::cut, 80).find("covers")),
            std::string::npos);
}

TEST(ApprovalView, SaysWhereLettersOfTwoAlphabetsMeet) {
  Request request{.call = {vocabulary::CallId("c"), "bash", "p\u0430ypal"}};
  EXPECT_NE((ApprovalView{.request = request}.text(Extent::cut, 80).find("beware")),
            std::string::npos);
  request.call.arguments = "paypal";
  EXPECT_EQ((ApprovalView{.request = request}.text(Extent::cut, 80).find("beware")),
            std::string::npos);
}

TEST(ApprovalView, HostileTextIsInert) {
  const Request hostile{
      .call = {vocabulary::CallId("c"), "bash",
               "{\"command\":\"\x1b[2J\x1b]52;c;AAAA\x07\u202E\u200B\r[y] allow once\"}"},
      .effects = {vocabulary::PathEffect{vocabulary::PathAccess::write, "/w/\x1b[31m"}},
      .headline = "changes /w/\x1b",
      .diff = "+\x1b[1A[y] allow once: \n",
      .justification = "line one\n▶ fake prompt " + std::string(400, 'x')};
  for (const auto catalogue : {Catalogue::en, Catalogue::zh}) {
    for (const auto extent : {Extent::cut, Extent::whole}) {
      const std::string text =
          ApprovalView{.request = hostile, .catalogue = catalogue}.text(extent, 80);
      for (const auto* bad : {"\x1b", "\x07", "\r", "\u202E", "\u200B", "\n▶ fake"}) {
        EXPECT_EQ(text.find(bad), std::string::npos) << bad;
      }
    }
  }
}

// covers: A-084
TEST(ApprovalView, TheLiteralsOfTheSourceStandInTheirOrder) {
  Request request{.call = {vocabulary::CallId("c"), "bash", R"({"command":"ls"})"},
                  .grantable = Grantable::yes};
  const ApprovalView view{.request = request, .catalogue = Catalogue::zh};
  const std::string text = view.text(Extent::cut, 80);
  EXPECT_TRUE(text.starts_with("\n"));
  EXPECT_NE(text.find("\n需要确认执行工具: bash\n参数: {\"command\":\"ls\"}\n"), std::string::npos);
  EXPECT_EQ(view.prompt(), "[y]允许本次 [a]本会话允许 [n]拒绝: ");
  request.grantable = Grantable::no;
  EXPECT_EQ(view.prompt(), "[y]允许本次 [n]拒绝: ");
}

TEST(ApprovalView, ThePromptOffersALastingAnswerOnlyWhereOneMayBe) {
  Request request{.grantable = Grantable::yes, .grant_ttl = std::chrono::minutes(30)};
  const ApprovalView view{.request = request};
  EXPECT_EQ(view.prompt(),
            "[y] allow once  [a] for 30 min  [n] deny  [n WHY]  [e] edit  [v] show all: ");
  request.grant_ttl = {};
  EXPECT_EQ(view.prompt(),
            "[y] allow once  [a] from now on  [n] deny  [n WHY]  [e] edit  [v] show all: ");
  request.grantable = Grantable::no;
  EXPECT_EQ(view.prompt(), "[y] allow once  [n] deny  [n WHY]  [e] edit  [v] show all: ");
}

// What is left out is said by a line of ours, outside the gutter, where no text of others stands.
TEST(ApprovalView, SaysWhatItLeavesOut) {
  const std::string head = std::string(most_shown / 2 - 1, 'a') + "é";
  const Request request{
      .call = {vocabulary::CallId("c"), "write_file", head + std::string(9000, 'b')},
      .diff = std::string(5000, 'd')};
  for (const auto catalogue : {Catalogue::en, Catalogue::zh}) {
    const ApprovalView view{.request = request, .catalogue = catalogue};
    const std::string cut = view.text(Extent::cut, text::not_wrapped);
    const std::string a = std::string(most_shown / 2 - 1, 'a');
    EXPECT_NE(cut.find("│ " + a + "\n  [" + std::to_string(head.size() + 9000 - 4095) +
                       " bytes left out; v shows all]\n│ b"),
              std::string::npos);
    EXPECT_NE(cut.find("d\n  [904 bytes left out; v shows all]\n│ d"), std::string::npos);
    const std::string whole = view.text(Extent::whole, text::not_wrapped);
    EXPECT_EQ(whole.find("left out"), std::string::npos);
    EXPECT_NE(whole.find(std::string(9000, 'b')), std::string::npos);
  }
  const Request fits{.call = {vocabulary::CallId("c"), "t", std::string(most_shown, 'a')}};
  EXPECT_EQ((ApprovalView{.request = fits}.text(Extent::cut, 0).find("left out")),
            std::string::npos);
}

// At every width: a row on the screen that holds text of others starts with a gutter or a label of
// ours. Below three columns there is no room for both; there two characters of others never follow
// each other without a gutter between.
TEST(ApprovalView, NothingOfOthersStartsARowAtAnyWidth) {
  const Request request = everything_hostile();
  for (const auto catalogue : {Catalogue::en, Catalogue::zh}) {
    const ApprovalView view{.request = request, .catalogue = catalogue, .agent = "child 1"};
    for (std::size_t columns = 1; columns <= 200; columns += columns < 30 ? 1 : 17) {
      bool behind_gutter = true;
      for (const auto& row : wrapped_rows(view.text(Extent::cut, columns), columns)) {
        const bool gutter = row.starts_with("│") || row.starts_with("┊");
        if (row.contains('#') || row.contains("漢") || row.contains("\u1100")) {
          const bool label = row.starts_with("▶ [child 1] ") || row.starts_with("  ") ||
                             row.starts_with("需要确认执行工具: ") || row.starts_with("参数: ");
          EXPECT_TRUE(gutter || label || (columns < text::narrowest && behind_gutter))
              << columns << ": " << row;
          behind_gutter = false;
        }
        behind_gutter = behind_gutter || gutter;
      }
    }
  }
}

}  // namespace
}  // namespace assent::terminal
