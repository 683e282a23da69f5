#include "event/codec.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "event/testing/chain.h"
#include "event/testing/recorded_session.h"

namespace assent::event {
namespace {

using base::ErrorKind;
using testing::chain_of;
using ::testing::HasSubstr;
using testing::recorded_session;

const vocabulary::SessionId session("0192f0c1-0000-7000-8000-000000000001");

json::Value value_of(std::string_view text) { return MUST(json::parse(text)); }

TEST(Codec, TheRecordedSessionHoldsEveryTypeOfEvent) {
  std::set<std::size_t> seen;
  for (const auto& data : recorded_session()) seen.insert(data.index());
  EXPECT_EQ(seen.size(), std::variant_size_v<Data>);
}

// covers: P-002
TEST(Codec, EveryEventComesBackAsItWas) {
  const auto chain = chain_of(recorded_session());
  for (std::size_t i = 0; i < chain.records().size(); ++i) {
    const auto back = open(session, chain.records()[i]);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(*back, chain.events()[i]) << chain.records()[i].data;
  }
}

TEST(Codec, EveryTypeOfEventHasItsOwnName) {
  std::set<std::string_view> names;
  for (const auto& data : recorded_session()) names.insert(type_of(data));
  EXPECT_EQ(names.size(), std::variant_size_v<Data>);
}

struct Malformed {
  std::string_view type;
  std::string_view data;
  std::string_view message;
};

class CodecRefuses : public ::testing::TestWithParam<Malformed> {};

// covers: B-150
TEST_P(CodecRefuses, WhatIsNoEvent) {
  const auto data = from_json(GetParam().type, value_of(GetParam().data));
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().kind, ErrorKind::corrupt);
  EXPECT_THAT(data.error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Data, CodecRefuses,
    ::testing::Values(
        Malformed{"turn/begin", "{}", "unknown event type \"turn/begin\""},
        Malformed{"", "{}", "unknown event type"},
        Malformed{"turn/start", "{}", "turn/start: turn: missing"},
        Malformed{"turn/start", R"({"turn":1,"by":"x"})", "expected no other members"},
        Malformed{"session/closed", R"({"why":"x"})", "expected no other members"},
        Malformed{"turn/start", "[1]", "expected an object"},
        Malformed{"turn/start", "null", "expected an object"},
        Malformed{"turn/start", R"({"turn":"1"})", "turn: expected an integer"},
        Malformed{"turn/start", R"({"turn":1.5})", "turn: expected an integer"},
        Malformed{"turn/start", R"({"turn":-1})", "expected an integer in range"},
        Malformed{"turn/start", R"({"turn":9223372036854775808})", "expected an integer"},
        Malformed{"approval/policy", R"({"policy":"always"})", "policy: expected a known word"},
        Malformed{"approval/policy", R"({"policy":"ASK"})", "expected a known word"},
        Malformed{"approval/policy", R"({"policy":1})", "policy: expected a word"},
        Malformed{"sandbox/mode", R"({"mode":"unknown"})", "expected a known word"},
        Malformed{"permission/preset", R"({"preset":null})", "preset: expected text"},
        Malformed{"tool/started", R"({"callId":7})", "callId: expected text"},
        Malformed{"sandbox/denied", R"({"callId":"c","evidence":{}})", "expected an array"},
        Malformed{"sandbox/denied", R"({"callId":"c","evidence":[{"operation":"w"}]})",
                  "evidence: [0]: subject: missing"},
        Malformed{"approval/decided", R"({"by":"x","id":"r","outcome":"allowed-always"})",
                  "outcome: expected a known word"},
        Malformed{"approval/decided", R"({"by":"x","feedback":null,"id":"r","outcome":"rejected"})",
                  "feedback: expected text"},
        Malformed{"approval/asked",
                  R"({"digest":"","effects":[{"kind":"teleport"}],"id":"r","shown":"",)"
                  R"("toolName":"t"})",
                  "effects: [0]: expected a known kind of effect"},
        Malformed{"approval/asked",
                  R"({"digest":"","effects":[{}],"id":"r","shown":"","toolName":"t"})",
                  "expected an effect with a kind"},
        Malformed{"approval/asked",
                  R"({"digest":"","effects":[{"kind":"connect","host":"h","port":65536,)"
                  R"("protocol":"tcp"}],"id":"r","shown":"","toolName":"t"})",
                  "port: expected an integer in range"}));

struct Unloggable {
  Data data;
  ErrorKind kind;
};

// covers: P-002, B-150
TEST(Seal, RefusesWhatWouldNotReadBack) {
  json::Value deep = 1;
  for (std::size_t i = 0; i < base::limits::event_depth; ++i) deep = json::Array{deep};
  const std::vector<Unloggable> table{
      {UserMessage{"\xff", "user"}, ErrorKind::invalid},
      {UserMessage{"cut: \xe2\x82", "user"}, ErrorKind::invalid},
      {TurnStarted{(std::int64_t{1} << 53) + 1}, ErrorKind::invalid},
      {TurnStarted{-1}, ErrorKind::invalid},
      {ApprovalPolicySet{static_cast<vocabulary::ApprovalPolicy>(9)}, ErrorKind::invalid},
      {QuestionAsked{vocabulary::QuestionId("q"), {}, "\xc0\x80"}, ErrorKind::invalid},
      {QuestionAsked{vocabulary::QuestionId("q"), {}, deep}, ErrorKind::limit},
      {UserMessage{std::string(base::limits::event_size, 'x'), "user"}, ErrorKind::limit}};
  for (const auto& [data, kind] : table) {
    const auto record = seal({session, 0, 0, data}, first_prev_hash());
    ASSERT_FALSE(record) << type_of(data);
    EXPECT_EQ(record.error().kind, kind) << record.error().message;
    EXPECT_THAT(record.error().message, HasSubstr(std::string(type_of(data))));
  }
}

TEST(Seal, TakesWhatIsNestedAsDeepAsJsonFromOutsideMayBe) {
  json::Value deep = 1;
  for (std::size_t i = 0; i < base::limits::json_depth; ++i) deep = json::Array{deep};
  const Event event{session, 0, 0, RequestHeader{"m", "s", deep}};
  const Record record = MUST(seal(event, first_prev_hash()));
  EXPECT_EQ(MUST(open(session, record)), event);
}

// The hashes come from an implementation of session.md, Tamper evidence, in another language.
TEST(Seal, ChainsByTheHashThatTheFormatStates) {
  const std::vector<Data> log{SessionOpened{.cwd = "/w/übung", .origin = "user"}, TurnStarted{1},
                              UserMessage{"line 1\n\"two\" \u2028 😀", "user"}};
  const auto chain = chain_of(log);
  const std::vector<std::string> hashes{
      "661658c7cf98c59787b65041d8d1a496f5895d583fe4b86a2947704aa76bcb14",
      "fec1eda874055deca088ad8caaba9bc94bf1f9cc16bd0823be8b1257ec9be4f6",
      "2d9b572b36aa343d4851c4c44c3a01df40eb3d502c05f9d1c55ffe71a6d25ae1"};
  ASSERT_EQ(chain.records().size(), hashes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    EXPECT_EQ(chain.records()[i].hash, hashes[i]);
    EXPECT_EQ(chain.records()[i].prev_hash, i == 0 ? std::string(64, '0') : hashes[i - 1]);
  }
  EXPECT_EQ(to_line(session, chain.records()[1]),
            R"({"data":{"turn":1},"hash":")" + hashes[1] + R"(","prev_hash":")" + hashes[0] +
                R"(","seq":1,"session":"0192f0c1-0000-7000-8000-000000000001",)"
                R"("time_ms":1700000000001,"type":"turn/start"})");
}

TEST(Open, FindsAChangeOfAnyField) {
  const auto chain = chain_of(recorded_session());
  const std::vector<std::function<void(Record&)>> changes{
      [](Record& r) { ++r.seq; },
      [](Record& r) { ++r.time_ms; },
      [](Record& r) { r.type = r.type == "turn/start" ? "turn/end" : "turn/start"; },
      [](Record& r) { r.data.insert(1, " "); },
      [](Record& r) { r.prev_hash[0] = r.prev_hash[0] == '0' ? '1' : '0'; },
      [](Record& r) { r.prev_hash.pop_back(); },
      [](Record& r) { r.hash[63] = r.hash[63] == '0' ? '1' : '0'; },
      [](Record& r) { r.hash.clear(); }};
  for (const auto& record : chain.records()) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      Record changed = record;
      changes[i](changed);
      const auto event = open(session, changed);
      ASSERT_FALSE(event) << record.type << ", change " << i;
      EXPECT_EQ(event.error().kind, ErrorKind::corrupt);
      EXPECT_THAT(event.error().message, HasSubstr("its hash does not fit its content"));
    }
    EXPECT_FALSE(open(vocabulary::SessionId("another"), record));
  }
}

}  // namespace
}  // namespace assent::event
