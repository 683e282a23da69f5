#include "json/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace assent::json {
namespace {

std::string text_of(double number) {
  std::string text;
  append_number(text, number);
  return text;
}

struct Sample {
  std::uint64_t bits;
  std::string_view text;
};

// The numbers of RFC 8785, appendix B, by the bits of the double.
constexpr Sample rfc8785_appendix_b[] = {
    {0x0000000000000000, "0"},
    {0x8000000000000000, "0"},
    {0x0000000000000001, "5e-324"},
    {0x8000000000000001, "-5e-324"},
    {0x7fefffffffffffff, "1.7976931348623157e+308"},
    {0xffefffffffffffff, "-1.7976931348623157e+308"},
    {0x4340000000000000, "9007199254740992"},
    {0xc340000000000000, "-9007199254740992"},
    {0x4430000000000000, "295147905179352830000"},
    {0x44b52d02c7e14af5, "9.999999999999997e+22"},
    {0x44b52d02c7e14af6, "1e+23"},
    {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
    {0x444b1ae4d6e2ef4e, "999999999999999700000"},
    {0x444b1ae4d6e2ef4f, "999999999999999900000"},
    {0x444b1ae4d6e2ef50, "1e+21"},
    {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
    {0x3eb0c6f7a0b5ed8d, "0.000001"},
    {0x41b3de4355555553, "333333333.3333332"},
    {0x41b3de4355555554, "333333333.33333325"},
    {0x41b3de4355555555, "333333333.3333333"},
    {0x41b3de4355555556, "333333333.3333334"},
    {0x41b3de4355555557, "333333333.33333343"},
    {0xbecbf647612f3696, "-0.0000033333333333333333"},
    {0x43143ff3c1cb0959, "1424953923781206.2"},
};

TEST(Number, IsWrittenAsEcmaScriptDoes) {
  for (const auto& [bits, text] : rfc8785_appendix_b) {
    EXPECT_EQ(text_of(std::bit_cast<double>(bits)), text) << std::hex << bits;
  }
}

TEST(Number, ChangesItsNotationWhereEcmaScriptDoes) {
  EXPECT_EQ(text_of(123456789012345680000.0), "123456789012345680000");
  EXPECT_EQ(text_of(1234567890123456800000.0), "1.2345678901234568e+21");
  EXPECT_EQ(text_of(0.00000123), "0.00000123");
  EXPECT_EQ(text_of(0.000000123), "1.23e-7");
  EXPECT_EQ(text_of(-1e-7), "-1e-7");
  EXPECT_EQ(text_of(100), "100");
  EXPECT_EQ(text_of(-120.5), "-120.5");
  EXPECT_EQ(text_of(0.5), "0.5");
  EXPECT_EQ(text_of(1e100), "1e+100");
}

TEST(Number, EveryDoubleComesBackFromItsText) {
  std::mt19937_64 random(8785);
  for (int round = 0; round < 20'000; ++round) {
    const auto number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    const std::string text = text_of(number);
    EXPECT_EQ(parse(text), base::Result<Value>(normal_number(number))) << text;
  }
}

TEST(NormalNumber, IsAnIntegerUpToTwoToThe53) {
  constexpr double bound = 9007199254740992.0;
  EXPECT_EQ(normal_number(bound), Value(exact_integer_max));
  EXPECT_EQ(normal_number(-bound), Value(-exact_integer_max));
  EXPECT_EQ(normal_number(bound + 2), Value(bound + 2));
  EXPECT_EQ(normal_number(-0.0), Value(std::int64_t{0}));
  EXPECT_EQ(normal_number(0.5), Value(0.5));
}

TEST(AsInteger, TakesEveryKindThatHoldsOne) {
  EXPECT_EQ(as_integer(Value(std::int64_t{-7})), -7);
  EXPECT_EQ(as_integer(Value(std::uint64_t{7})), 7);
  EXPECT_EQ(as_integer(Value(7.0)), 7);
  EXPECT_EQ(as_integer(Value(7.5)), std::nullopt);
  EXPECT_EQ(as_integer(Value(1e300)), std::nullopt);
  EXPECT_EQ(as_integer(Value(std::numeric_limits<std::uint64_t>::max())), std::nullopt);
  EXPECT_EQ(as_integer(Value("7")), std::nullopt);
  EXPECT_EQ(as_integer(Value(true)), std::nullopt);
}

TEST(AsDouble, TakesEveryNumber) {
  EXPECT_EQ(as_double(Value(std::int64_t{-7})), -7.0);
  EXPECT_EQ(as_double(Value(std::uint64_t{7})), 7.0);
  EXPECT_EQ(as_double(Value(0.5)), 0.5);
  EXPECT_EQ(as_double(Value(nullptr)), std::nullopt);
}

}  // namespace
}  // namespace assent::json
