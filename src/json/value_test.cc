#include "json/value.h"

#include <gtest/gtest.h>

#include <limits>

namespace assent::json {
namespace {

using base::ErrorKind;

std::string canonical(std::string_view text) {
  auto value = parse(text);
  return value ? write(*value) : value.error().message;
}

struct Refused {
  std::string_view text;
  std::string_view message;
};

class ParseRefuses : public testing::TestWithParam<Refused> {};

TEST_P(ParseRefuses, WithTheOffset) {
  const auto result = parse(GetParam().text);
  ASSERT_FALSE(result) << write(*result);
  EXPECT_EQ(result.error(), (base::Error{ErrorKind::invalid, std::string(GetParam().message)}))
      << result.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Grammar, ParseRefuses,
    testing::Values(
        Refused{"", "byte 0: incomplete JSON"}, Refused{"  ", "byte 2: incomplete JSON"},
        Refused{"{\"a\":", "byte 5: incomplete JSON"}, Refused{"\"abc", "byte 4: incomplete JSON"},
        Refused{"[1,]", "byte 3: syntax error"}, Refused{"{a:1}", "byte 1: syntax error"},
        Refused{"{\"a\":1,}", "byte 7: syntax error"}, Refused{"[1 2]", "byte 3: syntax error"},
        Refused{"NaN", "byte 0: syntax error"}, Refused{"-Infinity", "byte 1: syntax error"},
        Refused{"01", "byte 1: text after the end of the value"},
        Refused{"{} {}", "byte 3: text after the end of the value"},
        Refused{"[1] // end", "byte 4: text after the end of the value"},
        Refused{"/* start */ 1", "byte 0: syntax error"},
        Refused{std::string_view("1\0", 2), "byte 1: text after the end of the value"},
        Refused{"\xef\xbb\xbf{}", "byte 0: syntax error"}));

INSTANTIATE_TEST_SUITE_P(Strings, ParseRefuses,
                         testing::Values(Refused{"\"a\nb\"", "byte 2: syntax error"},
                                         Refused{"\"\\x41\"", "byte 2: syntax error"},
                                         Refused{"\"\\ud83d\"", "byte 7: syntax error"},
                                         Refused{"\"\\ude00\"",
                                                 "byte 7: illegal trailing surrogate"},
                                         Refused{"\"\\ud83dx\"", "byte 7: syntax error"},
                                         Refused{"\"\xff\"", "byte 1: syntax error"},
                                         Refused{"\"\xc0\xaf\"", "byte 1: syntax error"},
                                         Refused{"\"\xed\xa0\x80\"", "byte 1: syntax error"},
                                         Refused{"\"\xf4\x90\x80\x80\"", "byte 1: syntax error"},
                                         Refused{"\"\xe2\x82\"", "byte 1: syntax error"}));

INSTANTIATE_TEST_SUITE_P(
    Keys, ParseRefuses,
    testing::Values(Refused{R"({"a":1,"a":2})", "byte 9: key \"a\" occurs twice"},
                    Refused{R"({"a":1,"b":2,"\u0061":3})", "byte 20: key \"a\" occurs twice"},
                    Refused{R"([{"x":{"":1,"":1}}])", "byte 13: key \"\" occurs twice"},
                    Refused{R"({"\u001b[2J":1,"\u001b[2J":2})",
                            "byte 25: key \"\\u001b[2J\" occurs twice"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, ParseRefuses,
    testing::Values(Refused{"1e400", "byte 5: a number beyond the range of a double"},
                    Refused{"[-1e309]", "byte 7: a number beyond the range of a double"},
                    Refused{"1e-400", "byte 6: a number beyond the range of a double"},
                    Refused{"1e99999999999", "byte 11: exponent overflow"},
                    Refused{"1.", "byte 2: syntax error"}, Refused{"+1", "byte 0: syntax error"},
                    Refused{".5", "byte 0: syntax error"}));

TEST(Parse, NamesALongKeyByItsStart) {
  const std::string key(100, 'k');
  EXPECT_EQ(parse("{\"" + key + "\":1,\"" + key + "\":1}").error().message,
            "byte 207: key \"" + key.substr(0, 64) + "\"… occurs twice");
}

TEST(Parse, TheSameKeyInDifferentObjectsIsNoDuplicate) {
  EXPECT_EQ(canonical(R"({"a":{"a":[{"a":1},{"a":2}]}})"), R"({"a":{"a":[{"a":1},{"a":2}]}})");
}

TEST(Parse, DepthIsBounded) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(parse(nested(base::limits::json_depth)));
  EXPECT_EQ(parse(nested(base::limits::json_depth + 1)).error(),
            (base::Error{ErrorKind::limit, "byte 64: nested deeper than 64 levels"}));
  EXPECT_EQ(parse(std::string(1'000'000, '[')).error().kind, ErrorKind::limit);
  EXPECT_EQ(parse(R"({"a":{"b":[]}})", {.depth = 2}).error(),
            (base::Error{ErrorKind::limit, "byte 10: nested deeper than 2 levels"}));
  EXPECT_TRUE(parse("1", {.depth = 0}));
}

TEST(Parse, SizeIsBounded) {
  EXPECT_TRUE(parse("[1]", {.size = 3}));
  EXPECT_EQ(parse("[1] ", {.size = 3}).error(),
            (base::Error{ErrorKind::limit, "4 bytes of JSON, more than 3 are not read"}));
}

TEST(Parse, EveryNumberHasOneForm) {
  const Value one(std::int64_t{1});
  for (const auto* text : {"1", "1.0", "1e0", "10e-1", "0.1e1", "1.000000000000000000000000"}) {
    EXPECT_EQ(parse(text), base::Result<Value>(one)) << text;
  }
  EXPECT_EQ(parse("-0"), base::Result<Value>(Value(std::int64_t{0})));
  EXPECT_EQ(parse("-0.0"), base::Result<Value>(Value(std::int64_t{0})));
  EXPECT_EQ(parse("9007199254740992"), base::Result<Value>(Value(std::int64_t{1} << 53)));
  EXPECT_EQ(parse("9007199254740993"), base::Result<Value>(Value(std::int64_t{1} << 53)));
  EXPECT_EQ(parse("9007199254740994"), base::Result<Value>(Value(9007199254740994.0)));
  EXPECT_EQ(parse("18446744073709551615"), base::Result<Value>(Value(18446744073709551616.0)));
  EXPECT_EQ(parse("-9223372036854775808"), base::Result<Value>(Value(-9223372036854775808.0)));
}

// Decimal texts whose nearest double an inexact reader misses by a unit in the last place.
TEST(Parse, ReadsTheNearestDouble) {
  EXPECT_EQ(parse("0.1"), base::Result<Value>(Value(0.1)));
  EXPECT_EQ(parse("2.2250738585072011e-308"), base::Result<Value>(Value(0x0.fffffffffffffp-1022)));
  EXPECT_EQ(parse("8.988465674311580536566680e307"), base::Result<Value>(Value(0x1p1023)));
  EXPECT_EQ(parse("9007199254740993.00000000001e1"),
            base::Result<Value>(Value(90071992547409930.0)));
  EXPECT_EQ(parse("5e-324"), base::Result<Value>(Value(std::numeric_limits<double>::denorm_min())));
  EXPECT_EQ(parse("1.7976931348623157e308"),
            base::Result<Value>(Value(std::numeric_limits<double>::max())));
}

TEST(Write, LeavesNoBlanksAndSortsKeysAtEveryLevel) {
  EXPECT_EQ(
      canonical(" [ 3 , { \"z\" : true , \"10\" : null , \"2\" : [ ] , \"\" : { } } , \"x\" ] "),
      R"([3,{"":{},"10":null,"2":[],"z":true},"x"])");
  EXPECT_EQ(canonical(R"({"b":{"d":1,"c":2},"B":false,"a":[[{"y":0,"x":0}]]})"),
            R"({"B":false,"a":[[{"x":0,"y":0}]],"b":{"c":2,"d":1}})");
}

// In UTF-16 a character beyond U+FFFF starts with D800 to DBFF and so comes before U+E000 to
// U+FFFF; in UTF-8 it comes after.
TEST(Write, SortsKeysByUtf16CodeUnits) {
  EXPECT_EQ(canonical("{\"\uffff\":1,\"\U00010000\":2,\"\ue000\":3,\"\ud7ff\":4,\"\U0010ffff\":5,"
                      "\"é\":6,\"e\":7,\"\\u0000\":8,\"z\U0001f600\":9,\"z\ufb33\":10,\"z\":11}"),
            "{\"\\u0000\":8,\"e\":7,\"z\":11,\"z\U0001f600\":9,\"z\ufb33\":10,\"é\":6,"
            "\"\ud7ff\":4,\"\U00010000\":2,\"\U0010ffff\":5,\"\ue000\":3,\"\uffff\":1}");
}

TEST(Write, EscapesOnlyWhatMustBe) {
  EXPECT_EQ(
      canonical(R"("\u0000\u0001\b\t\n\u000b\f\r\u001F\u0020\u0022\/\u005c\u007f\u0080\u2028")"),
      "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"/\\\\\x7f\u0080\u2028\"");
  EXPECT_EQ(canonical(R"("A\u030a \u00c5 \ud83d\ude00 \uffff")"),
            "\"A\u030a \u00c5 \U0001f600 \uffff\"");
}

TEST(Write, BrokenUtf8BecomesReplacementCharacters) {
  const std::string_view broken[] = {"\xff",         "\xc3",         "\xc0\xaf",         "\xe2\x82",
                                     "\xed\xa0\x80", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\x80"};
  const std::string_view written[] = {"\ufffd",
                                      "\ufffd",
                                      "\ufffd\ufffd",
                                      "\ufffd",
                                      "\ufffd\ufffd\ufffd",
                                      "\ufffd",
                                      "\ufffd\ufffd\ufffd\ufffd",
                                      "\ufffd"};
  for (std::size_t index = 0; index < std::size(broken); ++index) {
    const std::string text = "a" + std::string(broken[index]) + "b";
    const std::string expected = "\"a" + std::string(written[index]) + "b\"";
    EXPECT_EQ(write(Value(text)), expected) << index;
    EXPECT_TRUE(parse(write(Value(text)))) << index;
  }
}

TEST(Write, EqualValuesOfAnyKindGiveTheSameBytes) {
  EXPECT_EQ(write(Value(1.0)), "1");
  EXPECT_EQ(write(Value(std::uint64_t{1})), "1");
  EXPECT_EQ(write(Value(std::int64_t{1})), "1");
  EXPECT_EQ(write(Value(std::numeric_limits<std::int64_t>::max())), "9223372036854776000");
  EXPECT_EQ(write(Value(std::numeric_limits<std::uint64_t>::max())), "18446744073709552000");
  EXPECT_EQ(write(Value(std::numeric_limits<std::int64_t>::min())), "-9223372036854776000");
}

TEST(WriteDeathTest, ANumberThatIsNotFiniteEndsTheProcess) {
  EXPECT_DEATH(write(Value(std::numeric_limits<double>::infinity())), "not finite");
  EXPECT_DEATH(write(Value(std::numeric_limits<double>::quiet_NaN())), "not finite");
}

TEST(RoundTrip, EveryKindOfDocumentComesBackEqual) {
  for (const auto* text : {"null", "true", "[]", "{}", "\"\"", "[[],{},[{}]]", "-1.5e-9",
                           "123456789012345678901234567890",
                           R"({"k":[0.1,1e21,1e-7,-0,"\u0000\ud83d\ude00"],"":{"":{"":null}}})"}) {
    const Value value = MUST(parse(text));
    EXPECT_EQ(parse(write(value)), base::Result<Value>(value)) << text;
  }
}

}  // namespace
}  // namespace assent::json
