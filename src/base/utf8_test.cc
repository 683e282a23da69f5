#include "base/utf8.h"

#include <gtest/gtest.h>

namespace assent::base {
namespace {

TEST(Utf8, EveryScalarValueComesBack) {
  for (char32_t point = 0; point <= 0x10ffff; ++point) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    std::string text;
    append_utf8(text, point);
    ASSERT_EQ(decode_utf8(text + "x"), (Decoded{point, text.size(), true}))
        << static_cast<unsigned>(point);
  }
}

TEST(Utf8, BrokenBytesAreTakenUpToTheFirstThatCannotBelong) {
  const struct {
    std::string_view text;
    std::size_t length;
  } broken[] = {
      {"\x80", 1},          {"\xff", 1},         {"\xc0\x80", 1},     {"\xc1\xbf", 1},
      {"\xc3", 1},          {"\xc3(", 1},        {"\xe0\x80\x80", 1}, {"\xe2\x82", 2},
      {"\xe2\x82(", 2},     {"\xed\xa0\x80", 1}, {"\xf0\x8f\xbf", 1}, {"\xf0\x9f\x98", 3},
      {"\xf0\x9f\x98x", 3}, {"\xf4\x90\x80", 1}, {"\xf5\x80\x80", 1},
  };
  for (const auto& [text, length] : broken) {
    EXPECT_EQ(decode_utf8(text), (Decoded{replacement_character, length, false}))
        << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace assent::base
