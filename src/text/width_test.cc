#include "text/width.h"

#include <gtest/gtest.h>

#include <string>

namespace assent::text {
namespace {

using Pieces = std::vector<std::string_view>;

TEST(Width, CountsColumns) {
  const std::pair<std::string_view, std::size_t> cases[] = {
      {"", 0},
      {"abc", 3},
      {"é", 1},
      {"e\u0301", 1},
      {"漢字", 4},
      {"한글", 4},
      {"\u1112\u1161\u11ab", 2},  // the same syllable as 한, in parts
      {"ｶﾅ", 2},                  // half width
      {"Ａ", 2},                  // full width
      {"😀", 2},
      {"👍🏽", 2},
      {"👩\u200d💻", 2},
      {"🇩🇪", 2},
      {"│", 1},
      {"…", 1},
      {"नमस्ते", 4},  // what wcwidth(3) says of the same letters and marks
      {"\xff", 1},
      {"a漢\u0301b", 4},
  };
  for (const auto& [text, columns] : cases) EXPECT_EQ(width(text), columns) << text;
}

TEST(Width, FindsTheFirstCharacter) {
  EXPECT_EQ(first_character("ab"), (Character{1, 1}));
  EXPECT_EQ(first_character("漢x"), (Character{3, 2}));
  EXPECT_EQ(first_character("e\u0301x"), (Character{3, 1}));
  EXPECT_EQ(first_character("\n\u0301"), (Character{1, 0}));
}

TEST(CutColumns, EndsBetweenCharacters) {
  EXPECT_EQ(cut_columns("abc", 0), "");
  EXPECT_EQ(cut_columns("abc", 2), "ab");
  EXPECT_EQ(cut_columns("abc", 5), "abc");
  EXPECT_EQ(cut_columns("漢字", 3), "漢");
  EXPECT_EQ(cut_columns("e\u0301e\u0301", 1), "e\u0301");
  EXPECT_EQ(cut_columns("a👩\u200d💻b", 3), "a👩\u200d💻");
  EXPECT_EQ(cut_columns("a👩\u200d💻b", 2), "a");
  EXPECT_EQ(cut_columns("🇩🇪🇫🇷", 2), "🇩🇪");
}

TEST(Wrap, BreaksBehindSpacesThenAnywhere) {
  EXPECT_EQ(wrap("", 5), (Pieces{""}));
  EXPECT_EQ(wrap("hello", 5), (Pieces{"hello"}));
  EXPECT_EQ(wrap("hello world", 8), (Pieces{"hello ", "world"}));
  EXPECT_EQ(wrap("hello world", 5), (Pieces{"hello", " ", "world"}));
  EXPECT_EQ(wrap("a bb ccc dddd", 6), (Pieces{"a bb ", "ccc ", "dddd"}));
  EXPECT_EQ(wrap("abcdefgh", 3), (Pieces{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("x abcdefgh", 4), (Pieces{"x ", "abcd", "efgh"}));
  EXPECT_EQ(wrap("漢字かな", 5), (Pieces{"漢字", "かな"}));
  EXPECT_EQ(wrap("go 漢字かな", 6), (Pieces{"go 漢", "字かな"}));
  EXPECT_EQ(wrap("漢字", 1), (Pieces{"漢", "字"}));
  EXPECT_EQ(wrap("e\u0301e\u0301e\u0301", 2), (Pieces{"e\u0301e\u0301", "e\u0301"}));
}

TEST(Wrap, DividesAChainThatIsOneCharacterByTheRules) {
  std::string chain;
  for (int part = 0; part < 30; ++part) chain += "\u1100";  // a Hangul first consonant
  EXPECT_EQ(width(chain), 60U);
  for (const std::string_view piece : wrap(chain, 20)) EXPECT_LE(width(piece), 20U);
}

TEST(Wrap, DropsNothingAndFits) {
  const std::string line =
      "run  the 漢字 tool 👩\u200d💻 with  --a-very-long-option=e\u0301e\u0301 \xff and   trailing  ";
  for (std::size_t columns = 2; columns < 60; ++columns) {
    std::string joined;
    for (const std::string_view piece : wrap(line, columns)) {
      EXPECT_LE(width(piece), columns) << columns;
      EXPECT_FALSE(piece.empty()) << columns;
      joined += piece;
    }
    EXPECT_EQ(joined, line) << columns;
  }
}

}  // namespace
}  // namespace assent::text
