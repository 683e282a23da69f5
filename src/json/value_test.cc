#include "json/value.h"

#include <gtest/gtest.h>

namespace assent::json {
namespace {

TEST(Parse, Smoke) {
  EXPECT_EQ(write(MUST(parse(R"({"b":[1,2.50,1e30,-0],"a":"\u20ac\u0007"})"))),
            "{\"a\":\"€\\u0007\",\"b\":[1,2.5,1e+30,0]}");
  EXPECT_EQ(parse(R"({"a":1,"a":2})").error().message, "byte 9: key \"a\" occurs twice");
}

}  // namespace
}  // namespace assent::json
