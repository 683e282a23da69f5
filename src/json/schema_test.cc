#include "json/schema.h"

#include <gtest/gtest.h>

namespace assent::json {
namespace {

using base::ErrorKind;

struct Case {
  std::string_view schema;
  std::string_view value;
  std::string_view error;  // empty where the value fits
};

class SchemaCheck : public testing::TestWithParam<Case> {};

TEST_P(SchemaCheck, SaysWhereAndWhat) {
  const auto& [schema, value, error] = GetParam();
  const auto result = check(MUST(parse(value)), MUST(parse(schema)));
  if (error.empty()) {
    EXPECT_TRUE(result) << result.error().message;
  } else {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error(), (base::Error{ErrorKind::invalid, std::string(error)}));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Types, SchemaCheck,
    testing::Values(
        Case{"true", "1", ""}, Case{"{}", "1", ""}, Case{"false", "1", "no value is allowed here"},
        Case{R"({"type":"object"})", "{}", ""},
        Case{R"({"type":"object"})", "[]", "expected object"},
        Case{R"({"type":"array"})", "{}", "expected array"},
        Case{R"({"type":"string"})", "null", "expected string"},
        Case{R"({"type":"null"})", "null", ""}, Case{R"({"type":"null"})", "0", "expected null"},
        Case{R"({"type":"boolean"})", "true", ""},
        Case{R"({"type":"boolean"})", "0", "expected boolean"},
        Case{R"({"type":"number"})", "1", ""}, Case{R"({"type":"number"})", "1.5", ""},
        Case{R"({"type":"number"})", "\"1\"", "expected number"},
        Case{R"({"type":"integer"})", "1.0", ""}, Case{R"({"type":"integer"})", "1e300", ""},
        Case{R"({"type":"integer"})", "1.5", "expected integer"},
        Case{R"({"type":["string","null"]})", "null", ""},
        Case{R"({"type":["string","null"]})", "1", "expected string or null"},
        Case{R"({"type":[]})", "1", "expected "}));

INSTANTIATE_TEST_SUITE_P(
    Members, SchemaCheck,
    testing::Values(
        Case{R"({"properties":{"a":{"type":"string"}}})", R"({"a":"x","b":1})", ""},
        Case{R"({"properties":{"a":{"type":"string"}}})", R"({"a":1})", "a: expected string"},
        Case{R"({"properties":{"a":{"type":"string"}}})", R"("no object")", ""},
        Case{R"({"required":["a","b"]})", R"({"a":null})", "b: missing"},
        Case{R"({"properties":{"a":{"properties":{"b":{"required":["c"]}}}}})", R"({"a":{"b":{}}})",
             "a.b.c: missing"},
        Case{R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1})", ""},
        Case{R"({"properties":{"a":{}},"additionalProperties":false})", R"({"\u001bb":1})",
             "unknown member \"\\u001bb\""},
        Case{R"({"properties":{"o":{"additionalProperties":false}}})", R"({"o":{"x":1}})",
             "o: unknown member \"x\""},
        Case{R"({"additionalProperties":{"type":"integer"}})", R"({"x":1})", ""},
        Case{R"({"additionalProperties":{"type":"integer"}})", R"({"x":"1"})",
             "x: expected integer"},
        Case{R"({"additionalProperties":false,"patternProperties":{"^x":{}}})", R"({"xy":1})",
             ""}));

INSTANTIATE_TEST_SUITE_P(
    Elements, SchemaCheck,
    testing::Values(Case{R"({"items":{"type":"integer"}})", "[1,2]", ""},
                    Case{R"({"items":{"type":"integer"}})", "[1,\"2\"]", "[1]: expected integer"},
                    Case{R"({"properties":{"questions":{"items":{"required":["id"]}}}})",
                         R"({"questions":[{"id":1},{}]})", "questions[1].id: missing"},
                    Case{R"({"items":false})", "[]", ""},
                    Case{R"({"items":false})", "[1]", "[0]: no value is allowed here"},
                    Case{R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})",
                         "[\"a\",1]", ""},
                    Case{R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})", "[1]",
                         "[0]: expected string"},
                    Case{R"({"prefixItems":[{"type":"string"}]})", "[\"a\",null]", ""},
                    Case{R"({"minItems":1})", "[]", "expected at least 1 items"},
                    Case{R"({"maxItems":1})", "[1,2]", "expected at most 1 items"},
                    Case{R"({"minItems":1,"maxItems":1})", "[1]", ""}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, SchemaCheck,
    testing::Values(Case{R"({"minimum":1,"maximum":2.5})", "2.5", ""},
                    Case{R"({"minimum":1,"maximum":2.5})", "0", "expected at least 1"},
                    Case{R"({"minimum":1,"maximum":2.5})", "3", "expected at most 2.5"},
                    Case{R"({"minimum":1})", "\"text\"", ""},
                    Case{R"({"maxLength":2})", "\"é\U0001f600\"", ""},
                    Case{R"({"maxLength":2})", "\"abc\"", "expected at most 2 characters"},
                    Case{R"({"minLength":2})", "\"\U0001f600\"",
                         "expected at least 2 characters"}));

INSTANTIATE_TEST_SUITE_P(Equality, SchemaCheck,
                         testing::Values(Case{R"({"const":1.0})", "1", ""},
                                         Case{R"({"const":[1]})", "[2]", "expected [1]"},
                                         Case{R"({"const":{"a":1,"b":2}})", R"({"b":2,"a":1})", ""},
                                         Case{R"({"const":false})", "0", "expected false"},
                                         Case{R"({"enum":["a",null]})", "null", ""},
                                         Case{R"({"enum":["a",null]})", "\"b\"",
                                              "expected one of \"a\", null"},
                                         Case{R"({"enum":[]})", "1", "expected one of "}));

INSTANTIATE_TEST_SUITE_P(
    Combined, SchemaCheck,
    testing::Values(
        Case{R"({"allOf":[{"minimum":1},{"maximum":3}]})", "2", ""},
        Case{R"({"allOf":[{"minimum":1},{"maximum":3}]})", "4", "expected at most 3"},
        Case{R"({"anyOf":[{"type":"string"},{"type":"integer"}]})", "1", ""},
        Case{R"({"properties":{"x":{"anyOf":[{"type":"string"},{"type":"null"}]}}})", R"({"x":1})",
             "x: fits none of 2 alternatives, of the first because: x: expected string"},
        Case{R"({"oneOf":[{"minimum":1},{"maximum":3}]})", "0", ""},
        Case{R"({"oneOf":[{"minimum":1},{"maximum":3}]})", "2",
             "fits more than one alternative of oneOf"},
        Case{R"({"oneOf":[{"minimum":5},{"type":"null"}]})", "2",
             "fits none of 2 alternatives, of the first because: expected at least 5"}));

INSTANTIATE_TEST_SUITE_P(
    References, SchemaCheck,
    testing::Values(
        Case{R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}})", "\"x\"", ""},
        Case{R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}})", "1", "expected string"},
        Case{R"({"$ref":"#/$defs/a","maxLength":1,"$defs":{"a":{"type":"string"}}})", "\"xy\"",
             "expected at most 1 characters"},
        Case{R"({"$ref":"#/definitions/a~1b~0","definitions":{"a/b~":{"type":"null"}}})", "1",
             "expected null"},
        Case{R"({"properties":{"next":{"$ref":"#"}},"required":["v"]})",
             R"({"v":1,"next":{"v":2,"next":{}}})", "next.next.v: missing"}));

INSTANTIATE_TEST_SUITE_P(
    Annotations, SchemaCheck,
    testing::Values(Case{R"({"pattern":"^a$","format":"uri","title":1,"not":{}})", "\"b\"", ""}));

struct Broken {
  std::string_view schema;
  std::string_view error;
};

TEST(SchemaCheck, ABrokenSchemaIsAnErrorOfItsOwn) {
  const Broken broken[] = {
      {"1", "schema: schema: expected an object or a boolean"},
      {R"({"type":"text"})", R"(schema: type: "text" is no type)"},
      {R"({"type":1})", "schema: type: expected a string"},
      {R"({"enum":{}})", "schema: enum: expected an array"},
      {R"({"anyOf":[{"type":"x"},{}]})", R"(schema: type: "x" is no type)"},
      {R"({"oneOf":1})", "schema: oneOf: expected an array"},
      {R"({"properties":[]})", "schema: properties: expected an object"},
      {R"({"required":[1]})", "schema: required: expected strings"},
      {R"({"properties":{"a":null}})", "schema: schema: expected an object or a boolean"},
      {R"({"$ref":1})", "schema: $ref: expected a string"},
      {R"({"$ref":"#/$defs/none"})", R"(schema: $ref: "#/$defs/none" names nothing)"},
      {R"({"$ref":"#none"})", R"(schema: $ref: "#none" names nothing)"},
      {R"({"$ref":"https://example.org/s"})",
       R"(schema: $ref: "https://example.org/s" leaves the document)"},
  };
  const Value value = MUST(parse(R"({"a":1})"));
  for (const auto& [schema, error] : broken) {
    EXPECT_EQ(check(value, MUST(parse(schema))).error(),
              (base::Error{ErrorKind::corrupt, std::string(error)}))
        << schema;
  }
  EXPECT_EQ(check(Value(1), MUST(parse(R"({"minimum":"1"})"))).error(),
            (base::Error{ErrorKind::corrupt, "schema: minimum: expected a number"}));
}

TEST(SchemaCheck, ASchemaThatRefersToItselfEnds) {
  EXPECT_EQ(check(Value(1), MUST(parse(R"({"$ref":"#"})"))).error(),
            (base::Error{ErrorKind::limit, "schema: nested or referring deeper than 256 levels"}));
  // Two references a level: without a bound on the work, 2^256 steps.
  const Value doubling =
      MUST(parse(R"({"anyOf":[{"$ref":"#/$defs/f"},{"$ref":"#/$defs/f"}],"$defs":{
      "f":{"properties":{"n":{"anyOf":[{"$ref":"#/$defs/f"},{"$ref":"#/$defs/f"},false]}},
           "required":["m"]}}})"));
  std::string nested = "1";
  for (int level = 0; level < 60; ++level) nested = R"({"n":)" + nested + R"(,"m":1})";
  EXPECT_TRUE(check(MUST(parse(nested)), doubling));
  std::string failing = R"({"n":1})";
  for (int level = 0; level < 60; ++level) failing = R"({"m":1,"n":)" + failing + "}";
  EXPECT_EQ(check(MUST(parse(failing)), doubling).error(),
            (base::Error{ErrorKind::limit, "schema: more than 1000000 steps"}));
}

TEST(SchemaCheck, ALongListOfChoicesIsCutInTheMessage) {
  Array choices;
  for (int index = 0; index < 300; ++index) choices.emplace_back("é");
  const auto result = check(Value(1), Value(Object{{"enum", choices}}));
  EXPECT_LT(result.error().message.size(), 500U);
  EXPECT_TRUE(result.error().message.ends_with("…"));
}

}  // namespace
}  // namespace assent::json
