#include "text/diff.h"

#include <gtest/gtest.h>

#include <random>

#include "text/line_match.h"

namespace assent::text {
namespace {

using enum LineKind;

std::string numbered(int from, int to) {
  std::string text;
  for (int line = from; line <= to; ++line) text += std::to_string(line) + "\n";
  return text;
}

// What the diff makes of `before`; "broken" where an equal or removed line is not there.
std::string applied(std::string_view before, const Diff& diff) {
  const auto lines = split_lines(before);
  std::string after;
  std::size_t at = 0;
  const auto text_of = [](const DiffLine& line) { return line.text + (line.ended ? "\n" : ""); };
  for (const Hunk& hunk : diff.hunks) {
    const std::size_t start = hunk.before.count == 0 ? hunk.before.first : hunk.before.first - 1;
    for (; at < start; ++at) after += lines.at(at).text;
    for (const DiffLine& line : hunk.lines) {
      if (line.kind != added && lines.at(at++).text != text_of(line)) return "broken";
      if (line.kind != removed) after += text_of(line);
    }
  }
  for (; at < lines.size(); ++at) after += lines[at].text;
  return after;
}

TEST(Diff, OfEqualTextsIsEmpty) {
  EXPECT_EQ(diff_lines("", ""), Diff{});
  EXPECT_EQ(diff_lines("a\nb", "a\nb"), Diff{});
  EXPECT_EQ(unified_diff("p", "a\n", "a\n"), "");
}

TEST(Diff, IsHunksOfLines) {
  EXPECT_EQ(
      diff_lines("a\nb\nc\n", "a\nx\ny\nc\n"),
      (Diff{.hunks =
                {{.before = {1, 3},
                  .after = {1, 4},
                  .lines = {{same, "a"}, {removed, "b"}, {added, "x"}, {added, "y"}, {same, "c"}}}},
            .removed = 1,
            .added = 2}));
}

TEST(Diff, OfAnEmptyTextBeginsAtLineZero) {
  EXPECT_EQ(
      diff_lines("", "a\n"),
      (Diff{.hunks = {{.before = {0, 0}, .after = {1, 1}, .lines = {{added, "a"}}}}, .added = 1}));
  EXPECT_EQ(diff_lines("a\n", ""),
            (Diff{.hunks = {{.before = {1, 1}, .after = {0, 0}, .lines = {{removed, "a"}}}},
                  .removed = 1}));
}

TEST(Diff, AMissingLineEndIsAChange) {
  EXPECT_EQ(unified_diff("f", "a\nb", "a\nb\n"),
            "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
  EXPECT_EQ(unified_diff("f", "a\nb", "x\nb"),
            "--- f\n+++ f\n@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("f", "", "a"),
            "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n\\ No newline at end of file\n");
  EXPECT_EQ(unified_diff("f", "a\r\n", "a\n"), "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\r\n+a\n");
}

TEST(Diff, ShowsThreeLinesOfContext) {
  EXPECT_EQ(unified_diff("f.c", numbered(1, 9), "1\n2\n3\n4\nx\n6\n7\n8\n9\n"),
            "--- f.c\n+++ f.c\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n");
}

TEST(Diff, ChangesThatShareContextShareAHunk) {
  // Six equal lines between the changes are two contexts; seven part them.
  const auto hunks = [](int between) {
    return diff_lines("a\n" + numbered(1, between) + "b\n", "A\n" + numbered(1, between) + "B\n")
        .hunks;
  };
  ASSERT_EQ(hunks(6).size(), 1U);
  EXPECT_EQ(hunks(6)[0].before, (LineRange{1, 8}));
  ASSERT_EQ(hunks(7).size(), 2U);
  EXPECT_EQ(hunks(7)[0].before, (LineRange{1, 4}));
  EXPECT_EQ(hunks(7)[1].before, (LineRange{6, 4}));
}

TEST(Diff, APathCannotForgeLines) {
  EXPECT_EQ(unified_diff("f\n+++ g\x1b[A", "", "a\n"),
            "--- f\\n+++ g\\x1b[A\n+++ f\\n+++ g\\x1b[A\n@@ -0,0 +1,1 @@\n+a\n");
}

std::size_t common_lines(const std::vector<Line>& a, const std::vector<Line>& b) {
  std::vector<std::size_t> row(b.size() + 1, 0);
  for (const Line& line : a) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = line == b[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

class RandomTexts {
 public:
  std::string next(unsigned alphabet) {
    std::string text;
    const auto lines = random_() % 40;
    for (std::size_t line = 0; line < lines; ++line) {
      text += static_cast<char>('a' + random_() % alphabet);
      text += '\n';
    }
    if (random_() % 4 == 0) text += "end";
    return text;
  }

 private:
  std::mt19937 random_{1986};
};

TEST(Diff, OfAnyTextsIsRightAndShortest) {
  RandomTexts texts;
  for (int round = 0; round < 3000; ++round) {
    const unsigned alphabet = 1 + static_cast<unsigned>(round) % 8;
    const std::string before = texts.next(alphabet);
    const std::string after = texts.next(alphabet);
    const Diff diff = diff_lines(before, after);
    ASSERT_EQ(applied(before, diff), after) << round;
    const auto a = split_lines(before);
    const auto b = split_lines(after);
    const std::size_t common = common_lines(a, b);
    ASSERT_EQ(diff.removed, a.size() - common) << round;
    ASSERT_EQ(diff.added, b.size() - common) << round;
  }
}

TEST(MatchLines, IsRightHoweverFewStepsThereAre) {
  RandomTexts texts;
  for (std::size_t steps = 0; steps < 400; ++steps) {
    const std::string before = texts.next(4);
    const std::string after = texts.next(4);
    const auto a = split_lines(before);
    const auto b = split_lines(after);
    const Edit edit = match_lines(a, b, steps);
    std::string kept_before;
    std::string kept_after;
    for (std::size_t line = 0; line < a.size(); ++line) {
      if (!edit.removed[line]) kept_before += a[line].text;
    }
    for (std::size_t line = 0; line < b.size(); ++line) {
      if (!edit.added[line]) kept_after += b[line].text;
    }
    ASSERT_EQ(kept_before, kept_after) << steps;
  }
}

TEST(Diff, EndsSoonOnTextsWithNothingInCommon) {
  std::string before = "start\n";
  std::string after = "start\n";
  for (int line = 0; line < 20'000; ++line) {
    before += "a" + std::to_string(line) + "\n";
    after += "b" + std::to_string(line) + "\n";
  }
  const Diff diff = diff_lines(before, after);
  EXPECT_EQ(diff.removed, 20'000U);
  EXPECT_EQ(diff.added, 20'000U);
  EXPECT_EQ(applied(before, diff), after);
}

}  // namespace
}  // namespace assent::text
