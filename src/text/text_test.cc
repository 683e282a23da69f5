#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "base/fd.h"
#include "base/file.h"
#include "text/diff.h"
#include "text/escape.h"
#include "text/utf8.h"

namespace assent::text {
namespace {

TEST(Utf8, RepairsIllFormedSequences) {
  EXPECT_EQ(repair("aé€😀"), "aé€😀");
  EXPECT_EQ(repair("a\xff"
                   "b"),
            "a\uFFFDb");
  EXPECT_EQ(repair("\xE2\x82"), "\uFFFD");                  // cut short
  EXPECT_EQ(repair("\xC0\x80"), "\uFFFD\uFFFD");            // overlong
  EXPECT_EQ(repair("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // a surrogate
}

TEST(Utf8, CutsBetweenCharacters) {
  EXPECT_EQ(cut("aé", 2), "a");
  EXPECT_EQ(cut("aé", 3), "aé");
  EXPECT_EQ(cut("😀", 3), "");
  EXPECT_EQ(cut_middle("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_middle("ééééé", 6), "é\n[… 6 bytes left out …]\né");
}

TEST(Escape, MakesTheInvisibleVisible) {
  EXPECT_EQ(escape("a\tb\nc", Keep::lines), "a\tb\nc");
  EXPECT_EQ(escape("a\tb\nc\r", Keep::nothing), "a\\tb\\nc\\r");
  EXPECT_EQ(escape("\x1b[2J\x07", Keep::lines), "\\x1b[2J\\x07");
  EXPECT_EQ(escape("\u202Eevil\u200B\u2066", Keep::lines), "\\u{202e}evil\\u{200b}\\u{2066}");
  EXPECT_EQ(escape("\u009b31m", Keep::lines), "\\x9b31m");
  EXPECT_EQ(escape("\xff", Keep::lines), "\\xff");
  EXPECT_EQ(escape("naïve 漢字 😀", Keep::nothing), "naïve 漢字 😀");
  EXPECT_EQ(escape("\U000E0041", Keep::lines), "\\u{e0041}");
}

TEST(Escape, TheGutterStandsBeforeEveryLine) {
  EXPECT_EQ(gutter("Allow? [y]\n\nx\ry\n"), "│ Allow? [y]\n│ \n│ x\\ry\n");
  EXPECT_EQ(gutter(""), "");
}

TEST(Escape, FindsLookAlikes) {
  EXPECT_TRUE(mixes_scripts("p\u0430ypal"));
  EXPECT_FALSE(mixes_scripts("paypal \u043f\u0440\u0438\u0432\u0435\u0442"));
  EXPECT_FALSE(mixes_scripts("漢字 and latin"));
}

TEST(Diff, IsEmptyForEqualTexts) { EXPECT_EQ(unified_diff("p", "a\n", "a\n"), ""); }

TEST(Diff, ShowsHunksWithContext) {
  EXPECT_EQ(unified_diff("f.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "--- f.c\n+++ f.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
  EXPECT_EQ(unified_diff("f", "", "a"),
            "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n");
}

std::string patched(const std::string& before, const std::string& diff) {
  std::string pattern = std::filesystem::temp_directory_path() / "diff-test-XXXXXX";
  const std::string folder = ::mkdtemp(pattern.data());
  MUST(base::write_file(folder + "/f", before));
  MUST(base::write_file(folder + "/d", diff));
  const int code = std::system(("cd " + folder + " && patch -s -p0 f < d >/dev/null").c_str());
  std::string after = code == 0 ? MUST(base::read_file(folder + "/f", 1 << 20)) : "(patch failed)";
  std::filesystem::remove_all(folder);
  return after;
}

TEST(Diff, IsWhatPatchApplies) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    const auto text = [&] {
      std::string lines;
      for (unsigned i = 0; i < 5 + random() % 30; ++i)
        lines += "line " + std::to_string(random() % 6) + "\n";
      if (random() % 4 == 0) lines += "no end";
      return lines;
    };
    const std::string before = text();
    const std::string after = text();
    if (before == after) continue;
    EXPECT_EQ(patched(before, unified_diff("f", before, after)), after) << "round " << round;
  }
}

TEST(Diff, StaysBoundedOnTextsWithoutAnythingInCommon) {
  std::string before;
  std::string after;
  for (int i = 0; i < 20000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  EXPECT_GT(unified_diff("f", before, after).size(), before.size() + after.size());
}

}  // namespace
}  // namespace assent::text
