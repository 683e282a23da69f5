#include "text/gutter.h"

#include <fmt/format.h>
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

TEST(Gutter, SpellsWhatIsTooWide) {
  EXPECT_EQ(gutter("漢字", 4), "│ 漢\n┊ 字\n");
  EXPECT_EQ(gutter("a漢", 3), "│ a\n┊ \\\n┊ u\n┊ {\n┊ 6\n┊ f\n┊ 2\n┊ 2\n┊ }\n");
  EXPECT_EQ(gutter("abc", 2), gutter("abc", 3));
  EXPECT_EQ(gutter("abc", 1), gutter("abc", 3));
  // A first consonant chained to more than fits is one character by the rules.
  const std::string chain = "\u1100\u1100\u1100";
  EXPECT_EQ(gutter(chain, 8), "│ \u1100\u1100\u1100\n");
  EXPECT_EQ(gutter(chain, 7), "│ \\u{11\n┊ 00}\\u\n┊ {1100\n┊ }\\u{1\n┊ 100}\n");
}

TEST(Labelled, StandsBesideItsLabelAndGoesOnBehindAGutter) {
  EXPECT_EQ(labelled("▶ ", ""), "▶ \n");
  EXPECT_EQ(labelled("▶ ", "a\nb\x1b"), "▶ a\\nb\\x1b\n");
  const std::string longer(200, 'x');
  EXPECT_EQ(labelled("a: ", longer), fmt::format("a: {}\n", longer));
  EXPECT_EQ(labelled("a: ", "0123456789", 13), "a: 0123456789\n");
  EXPECT_EQ(labelled("a: ", "0123456789", 12), "a: 012345678\n┊ 9\n");
  EXPECT_EQ(labelled("a: ", "say yes now and then", 12), "a: say yes \n┊ now and \n┊ then\n");
  EXPECT_EQ(labelled("参数: ", "漢字漢字漢字", 17), "参数: 漢字漢字漢\n┊ 字\n");
}

TEST(Labelled, ALabelThatIsTooLongHasALineForItself) {
  EXPECT_EQ(labelled("label: ", "0123456789", 14), "label: \n│ 0123456789\n");
  EXPECT_EQ(labelled("label: ", "0123456789", 15), "label: 01234567\n┊ 89\n");
  EXPECT_EQ(labelled("label: ", "0123", 11), "label: 0123\n");
  EXPECT_EQ(labelled("label: ", "0123", 10), "label: \n│ 0123\n");
  EXPECT_EQ(labelled("label: ", "漢", 3), "label: \n│ \\\n┊ u\n┊ {\n┊ 6\n┊ f\n┊ 2\n┊ 2\n┊ }\n");
}

std::string streamed(std::string_view text, std::size_t columns, std::size_t part) {
  GutterStream stream;
  std::string out;
  for (; !text.empty(); text.remove_prefix(std::min(part, text.size()))) {
    out += stream.write(text.substr(0, part), columns);
  }
  return out + stream.finish();
}

TEST(GutterStream, ShowsTheSameHoweverItIsCut) {
  const std::string text =
      "run  the 漢字漢字 tool 👩\u200d💻\n\n\twith\ta-very-long-option=e\u0301e\u0301 \xff\x1b[2J "
      "and\u1100\u1100\u1100 trailing ";
  for (std::size_t columns = 0; columns < 50; ++columns) {
    const std::string whole = streamed(text, columns, text.size());
    for (std::size_t part = 1; part < 9; ++part) {
      EXPECT_EQ(streamed(text, columns, part), whole) << columns << " " << part;
    }
  }
}

TEST(GutterStream, ShowsWhatAGutterWould) {
  for (const std::string_view text :
       {"", "one", "one\n", "\n", "\n\n", "one\n\ntwo", "a\tb", "\ta", "1234567\tx", "漢字\tx"}) {
    std::string expected = gutter(text);
    EXPECT_EQ(streamed(text, not_wrapped, 1), expected) << text;
  }
  EXPECT_EQ(streamed("0123456789\nab", 8, 3), "│ 012345\n┊ 6789\n│ ab\n");
  EXPECT_EQ(streamed("say yes now", 10, 4), "│ say yes \n┊ now\n");
  EXPECT_EQ(streamed("x abcdefgh", 6, 4), "│ x \n┊ abcd\n┊ efgh\n");
}

TEST(GutterStream, LagsBehindByAWordOnly) {
  GutterStream stream;
  EXPECT_EQ(stream.write("one tw"), "│ one ");
  EXPECT_EQ(stream.write("o\nth"), "two\n");
  EXPECT_EQ(stream.write("ree"), "");
  EXPECT_EQ(stream.write("漢字"), "│ three漢");
  EXPECT_EQ(stream.write(std::string(200, 'x')).size(), std::string("字").size() + 129);
  EXPECT_EQ(stream.finish(), fmt::format("{}\n", std::string(71, 'x')));
  EXPECT_EQ(stream.finish(), "");
  EXPECT_EQ(stream.write("new "), "");
  EXPECT_EQ(stream.finish(), "│ new \n");
}

TEST(GutterStream, GoesOnInARowOfItsOwnAfterAnInterruption) {
  GutterStream stream;
  EXPECT_EQ(stream.write("one two"), "│ one ");
  stream.interrupt();
  EXPECT_EQ(stream.write("\nthree\n"), "┊ two\n│ three\n");
}

}  // namespace
}  // namespace assent::text
