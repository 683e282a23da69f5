#include "text/escape.h"

#include <gtest/gtest.h>

#include "text/utf8.h"

namespace assent::text {
namespace {

TEST(Escape, EveryControlCharacterBecomesVisible) {
  for (unsigned point = 0; point < 0xa0; ++point) {
    if (point >= 0x20 && point < 0x7f) continue;
    std::string text;
    base::append_utf8(text, point);
    const std::string shown = escape(text, Keep::nothing);
    EXPECT_EQ(shown[0], '\\') << point;
    for (const char c : shown) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << point;
  }
}

struct Case {
  std::string_view text;
  std::string_view lines;
  std::string_view nothing;
};

class EscapeCases : public testing::TestWithParam<Case> {};

TEST_P(EscapeCases, ShowWhatIsThere) {
  const auto& [text, lines, nothing] = GetParam();
  EXPECT_EQ(escape(text, Keep::lines), lines);
  EXPECT_EQ(escape(text, Keep::nothing), nothing);
  EXPECT_EQ(single_line(text), nothing);
  EXPECT_EQ(escape(lines, Keep::lines), lines);
  EXPECT_EQ(escape(nothing, Keep::nothing), nothing);
}

INSTANTIATE_TEST_SUITE_P(Plain, EscapeCases,
                         testing::Values(Case{"", "", ""},
                                         Case{"ls -l \\x1b", "ls -l \\x1b", "ls -l \\x1b"},
                                         Case{"naïve 漢字　かな 😀 שלום", "naïve 漢字　かな 😀 שלום",
                                              "naïve 漢字　かな 😀 שלום"},
                                         Case{"a\tb\nc\r\n", "a\tb\nc\\r\n", "a\\tb\\nc\\r\\n"}));

INSTANTIATE_TEST_SUITE_P(Terminal, EscapeCases,
                         testing::Values(Case{"\x1b[2J\x07", "\\x1b[2J\\x07", "\\x1b[2J\\x07"},
                                         Case{"\x1b]8;;http://x\x1b\\", "\\x1b]8;;http://x\\x1b\\",
                                              "\\x1b]8;;http://x\\x1b\\"},
                                         Case{"\u009b31m", "\\u{9b}31m", "\\u{9b}31m"},
                                         Case{"\x9b"
                                              "31m",
                                              "\\x9b31m", "\\x9b31m"},
                                         Case{"a\bb\x7f", "a\\x08b\\x7f", "a\\x08b\\x7f"},
                                         Case{std::string_view("a\0b", 3), "a\\x00b", "a\\x00b"}));

INSTANTIATE_TEST_SUITE_P(
    Invisible, EscapeCases,
    testing::Values(Case{"\u202eevil\u202c", "\\u{202e}evil\\u{202c}", "\\u{202e}evil\\u{202c}"},
                    Case{"\u2066\u2069\u200e\u200f\u061c",
                         "\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}",
                         "\\u{2066}\\u{2069}\\u{200e}\\u{200f}\\u{61c}"},
                    Case{"a\u200b\u200c\u200d\ufeff\u2060\u00adb",
                         "a\\u{200b}\\u{200c}\\u{200d}\\u{feff}\\u{2060}\\u{ad}b",
                         "a\\u{200b}\\u{200c}\\u{200d}\\u{feff}\\u{2060}\\u{ad}b"},
                    Case{"\U000e0041\U000e0001", "\\u{e0041}\\u{e0001}", "\\u{e0041}\\u{e0001}"},
                    Case{"a\ufe00b\U000e0101", "a\\u{fe00}b\\u{e0101}", "a\\u{fe00}b\\u{e0101}"},
                    Case{"\u3164\u115f\uffa0\u2800", "\\u{3164}\\u{115f}\\u{ffa0}\\u{2800}",
                         "\\u{3164}\\u{115f}\\u{ffa0}\\u{2800}"},
                    Case{"a\u034fb", "a\\u{34f}b", "a\\u{34f}b"},
                    Case{"a\u2028b\u2029", "a\\u{2028}b\\u{2029}", "a\\u{2028}b\\u{2029}"},
                    Case{"\ue0b0\ufdd0\U0010ffff", "\\u{e0b0}\\u{fdd0}\\u{10ffff}",
                         "\\u{e0b0}\\u{fdd0}\\u{10ffff}"},
                    Case{"rm\u00a0-rf\u202f/", "rm\u00a0-rf\u202f/", "rm\\u{a0}-rf\\u{202f}/"}));

INSTANTIATE_TEST_SUITE_P(Broken, EscapeCases,
                         testing::Values(Case{"\xff", "\\xff", "\\xff"},
                                         Case{"\xe2\x82z", "\\xe2\\x82z", "\\xe2\\x82z"},
                                         Case{"\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80"},
                                         Case{"\xc0\x9b", "\\xc0\\x9b", "\\xc0\\x9b"}));

INSTANTIATE_TEST_SUITE_P(
    Marks, EscapeCases,
    testing::Values(Case{"e\u0301", "e\u0301", "e\u0301"},
                    Case{"\u0301x", "\\u{301}x", "\\u{301}x"},
                    Case{"a\n\u0338b", "a\n\\u{338}b", "a\\n\u0338b"},
                    // Marks that belong to their script.
                    Case{"नमस्ते", "नमस्ते", "नमस्ते"},
                    Case{"a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0302",
                         "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\\u{302}",
                         "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\\u{302}"}));

INSTANTIATE_TEST_SUITE_P(
    Emoji, EscapeCases,
    testing::Values(Case{"👍🏽", "👍🏽", "👍🏽"},
                    Case{"❤\ufe0f", "❤\ufe0f", "❤\\u{fe0f}"},
                    Case{"❤\ufe0f\ufe0f", "❤\ufe0f\\u{fe0f}", "❤\\u{fe0f}\\u{fe0f}"},
                    Case{"a\ufe0f", "a\\u{fe0f}", "a\\u{fe0f}"},
                    Case{"👩\u200d💻", "👩\u200d💻", "👩\\u{200d}💻"},
                    Case{"👩🏽\u200d💻", "👩🏽\u200d💻", "👩🏽\\u{200d}💻"},
                    Case{"👩\u200d\u200d💻", "👩\\u{200d}\\u{200d}💻", "👩\\u{200d}\\u{200d}💻"},
                    Case{"👩\u200dx", "👩\\u{200d}x", "👩\\u{200d}x"},
                    Case{"👩\u200d", "👩\\u{200d}", "👩\\u{200d}"}));

TEST(Escape, SpellsEveryCharacter) {
  EXPECT_EQ(spell(""), "");
  EXPECT_EQ(spell("aé漢\n\xff"), "\\x61\\u{e9}\\u{6f22}\\n\\xff");
}

}  // namespace
}  // namespace assent::text
