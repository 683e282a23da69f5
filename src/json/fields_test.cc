#include "json/fields.h"

#include <gtest/gtest.h>

namespace assent::json {
namespace {

using base::ErrorKind;
using base::Result;

const Value& sample() {
  static const Value value =
      MUST(parse(R"({"name":"ls","count":3,"ratio":0.5,"on":true,"none":null,"box":{"a":1},
                     "list":[1],"words":["a","b"],"mixed":["a",1],"big":9007199254740994})"));
  return value;
}

Fields fields() { return MUST(Fields::create(sample())); }

base::Error invalid(std::string message) { return {ErrorKind::invalid, std::move(message)}; }

TEST(Fields, AreMadeOfAnObjectOnly) {
  EXPECT_EQ(Fields::create(Value(Array{})).error(), invalid("expected an object"));
  EXPECT_EQ(Fields::create(Value(nullptr)).error(), invalid("expected an object"));
}

TEST(Fields, GiveMembersOfTheirType) {
  EXPECT_EQ(fields().text("name"), Result<std::string>("ls"));
  EXPECT_EQ(fields().integer("count"), Result<std::int64_t>(3));
  EXPECT_EQ(fields().boolean("on"), Result<bool>(true));
  EXPECT_EQ(fields().object("box"), Result<const Object*>(&sample().at("box").get_object()));
  EXPECT_EQ(fields().array("list"), Result<const Array*>(&sample().at("list").get_array()));
  EXPECT_EQ(fields().texts("words"), (Result<std::vector<std::string>>({"a", "b"})));
  EXPECT_EQ(fields().find("none"), &sample().at("none"));
  EXPECT_EQ(fields().find("absent"), nullptr);
}

TEST(Fields, NameAMemberOfAnotherType) {
  EXPECT_EQ(fields().text("count").error(), invalid("count: expected a string"));
  EXPECT_EQ(fields().integer("name").error(), invalid("name: expected an integer"));
  EXPECT_EQ(fields().integer("ratio").error(), invalid("ratio: expected an integer"));
  EXPECT_EQ(fields().integer("big").error(), invalid("big: expected an integer"));
  EXPECT_EQ(fields().boolean("none").error(), invalid("none: expected a boolean"));
  EXPECT_EQ(fields().object("list").error(), invalid("list: expected an object"));
  EXPECT_EQ(fields().array("box").error(), invalid("box: expected an array"));
  EXPECT_EQ(fields().texts("name").error(), invalid("name: expected an array of strings"));
  EXPECT_EQ(fields().texts("mixed").error(), invalid("mixed[1]: expected a string"));
}

TEST(Fields, NameAMemberThatIsMissing) {
  EXPECT_EQ(fields().text("x").error(), invalid("x: missing, expected a string"));
  EXPECT_EQ(fields().integer("x").error(), invalid("x: missing, expected an integer"));
  EXPECT_EQ(fields().boolean("x").error(), invalid("x: missing, expected a boolean"));
  EXPECT_EQ(fields().object("x").error(), invalid("x: missing, expected an object"));
  EXPECT_EQ(fields().array("x").error(), invalid("x: missing, expected an array"));
  EXPECT_EQ(fields().texts("x").error(), invalid("x: missing, expected an array of strings"));
}

TEST(Fields, OptionalMembersMayBeAbsentOrNullButNotOfAnotherType) {
  EXPECT_EQ(fields().optional_text("name"), Result<std::optional<std::string>>("ls"));
  EXPECT_EQ(fields().optional_text("none"), Result<std::optional<std::string>>(std::nullopt));
  EXPECT_EQ(fields().optional_text("x"), Result<std::optional<std::string>>(std::nullopt));
  EXPECT_EQ(fields().optional_text("on").error(), invalid("on: expected a string"));
  EXPECT_EQ(fields().optional_integer("count"), Result<std::optional<std::int64_t>>(3));
  EXPECT_EQ(fields().optional_integer("none"), Result<std::optional<std::int64_t>>(std::nullopt));
  EXPECT_EQ(fields().optional_integer("x"), Result<std::optional<std::int64_t>>(std::nullopt));
  EXPECT_EQ(fields().optional_integer("ratio").error(), invalid("ratio: expected an integer"));
}

TEST(Fields, OnlyKnownKeys) {
  const Value value = MUST(parse(R"({"a":1,"\u001bb":2})"));
  const Fields two = MUST(Fields::create(value));
  EXPECT_TRUE(two.only({"a",
                        "\x1b"
                        "b",
                        "c"}));
  EXPECT_EQ(two.only({"a"}).error(), invalid("unknown member \"\\u001bb\""));
}

}  // namespace
}  // namespace assent::json
