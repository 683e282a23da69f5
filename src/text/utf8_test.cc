#include "text/utf8.h"

#include <gtest/gtest.h>

namespace assent::text {
namespace {

TEST(Utf8, RepairsIllFormedSequences) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"aé€😀", "aé€😀"},
      {"a\xff"
       "b",
       "a\ufffd"
       "b"},
      {"\xe2\x82", "\ufffd"},                  // cut short
      {"\xc0\x80", "\ufffd\ufffd"},            // overlong
      {"\xed\xa0\x80", "\ufffd\ufffd\ufffd"},  // a surrogate
      {"\xf0\x9f\x98", "\ufffd"},
      {"é\xc3", "é\ufffd"},
  };
  for (const auto& [text, repaired] : cases) {
    EXPECT_EQ(repair(text), repaired);
    EXPECT_EQ(is_valid(text), text == repaired) << repaired;
    EXPECT_TRUE(is_valid(repair(text)));
  }
}

TEST(Utf8, CutsAtBytesBetweenCharacters) {
  const std::string_view text = "aé€😀z";  // 1, 2, 3, 4 and 1 bytes
  const std::string_view starts[] = {"",    "a",   "a",   "aé",  "aé",   "aé",
                                     "aé€", "aé€", "aé€", "aé€", "aé€😀", "aé€😀z"};
  for (std::size_t bytes = 0; bytes < std::size(starts); ++bytes) {
    EXPECT_EQ(cut(text, bytes), starts[bytes]) << bytes;
  }
  EXPECT_EQ(cut(text, 100), text);
}

TEST(Utf8, CutsTheFrontBetweenCharacters) {
  const std::string_view text = "aé€😀z";
  const std::string_view ends[] = {"", "z", "z", "z", "z", "😀z", "😀z", "😀z", "€😀z", "€😀z", "é€😀z"};
  for (std::size_t bytes = 0; bytes < std::size(ends); ++bytes) {
    EXPECT_EQ(cut_front(text, bytes), ends[bytes]) << bytes;
  }
  EXPECT_EQ(cut_front(text, 100), text);
}

TEST(Utf8, CutsAtCharacters) {
  EXPECT_EQ(cut_characters("aé€😀z", 0), "");
  EXPECT_EQ(cut_characters("aé€😀z", 3), "aé€");
  EXPECT_EQ(cut_characters("aé€😀z", 9), "aé€😀z");
  EXPECT_EQ(cut_characters("\xff\xe2\x82z", 2), "\xff\xe2\x82");
}

TEST(Utf8, CutsTheMiddleAndSaysHowMuch) {
  EXPECT_EQ(cut_middle("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_middle("abcdefgh", 4), "ab\n[… 4 bytes left out …]\ngh");
  EXPECT_EQ(cut_middle("ééééé", 6), "é\n[… 6 bytes left out …]\né");
  EXPECT_EQ(cut_middle("abc", 0), "\n[… 3 bytes left out …]\n");
  EXPECT_EQ(cut_middle("😀😀", 7), "\n[… 8 bytes left out …]\n");
}

}  // namespace
}  // namespace assent::text
