#include "text/gutter.h"

#include <gtest/gtest.h>

namespace assent::text {
namespace {

TEST(Gutter, StandsBeforeEveryLine) {
  EXPECT_EQ(gutter(""), "");
  EXPECT_EQ(gutter("one"), "│ one\n");
  EXPECT_EQ(gutter("Allow? [y]\n\nx\ry\n"), "│ Allow? [y]\n│ \n│ x\\ry\n");
  EXPECT_EQ(gutter("\n"), "│ \n");
  EXPECT_EQ(gutter("\n\n"), "│ \n│ \n");
}

TEST(Gutter, GoesOnInWrappedLines) {
  EXPECT_EQ(gutter("0123456789\nab", 8), "│ 012345\n┊ 6789\n│ ab\n");
  EXPECT_EQ(gutter("say yes now", 10), "│ say yes \n┊ now\n");
  EXPECT_EQ(gutter("漢字", 0), "│ 漢字\n");
  EXPECT_EQ(gutter("漢字", 1), "│ 漢\n┊ 字\n");
}

TEST(Gutter, NothingGetsBesideIt) {
  EXPECT_EQ(gutter("\x1b[1G\x1b[1A[y] allow"), "│ \\x1b[1G\\x1b[1A[y] allow\n");
  EXPECT_EQ(gutter("a\u2028b\u0085c\vd\fe"), "│ a\\u{2028}b\\u{85}c\\x0bd\\x0ce\n");
  EXPECT_EQ(gutter("\u0338"), "│ \\u{338}\n");
  EXPECT_EQ(gutter("\u202e[y]"), "│ \\u{202e}[y]\n");
  // The escaped text is wrapped, not the text before it.
  EXPECT_EQ(gutter("\x1b\x1b", 6), "│ \\x1b\n┊ \\x1b\n");
}

TEST(Gutter, TabsReachTheNextEighthColumn) {
  EXPECT_EQ(gutter("\ta\tb"), "│         a       b\n");
  EXPECT_EQ(gutter("1234567\tx"), "│ 1234567 x\n");
  EXPECT_EQ(gutter("12345678\tx"), "│ 12345678        x\n");
  EXPECT_EQ(gutter("漢字\tx"), "│ 漢字    x\n");
}

}  // namespace
}  // namespace assent::text
