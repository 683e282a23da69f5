#include "net/sse.h"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assent::net {
namespace {

using namespace std::string_literals;
using ::testing::ElementsAre;

struct Seen {
  std::string type;
  std::string data;
  std::string id;
  bool operator==(const Seen&) const = default;
};

void PrintTo(const Seen& seen, std::ostream* out) {
  *out << "{" << seen.type << "|" << seen.data << "|" << seen.id << "}";
}

class Recorder final : public SseHandler {
 public:
  base::Result<void> event(const SseEvent& event) override {
    seen.push_back({std::string(event.type), std::string(event.data), std::string(event.id)});
    return {};
  }
  std::vector<Seen> seen;
};

struct Case {
  const char* name;
  std::string stream;
  std::vector<Seen> events;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> table{
      {"one event", "data: a\n\n", {{"message", "a", ""}}},
      {"no blank behind the colon", "data:a\n\n", {{"message", "a", ""}}},
      {"only one blank is taken off", "data:  a\n\n", {{"message", " a", ""}}},
      {"carriage returns", "data: a\r\rdata: b\r\r", {{"message", "a", ""}, {"message", "b", ""}}},
      {"both", "data: a\r\n\r\ndata: b\r\n\r\n", {{"message", "a", ""}, {"message", "b", ""}}},
      {"mixed line ends", "data: a\rdata: b\r\ndata: c\n\n", {{"message", "a\nb\nc", ""}}},
      {"several lines of data", "data: a\ndata:\ndata: c\n\n", {{"message", "a\n\nc", ""}}},
      {"the standard's YHOO example",
       "data: YHOO\ndata: +2\ndata: 10\n\n",
       {{"message", "YHOO\n+2\n10", ""}}},
      {"the standard's test of ids",
       ": test stream\n\ndata: first event\nid: 1\n\ndata:second event"
       "\nid\n\ndata:  third event\n\n",
       {{"message", "first event", "1"},
        {"message", "second event", ""},
        {"message", " third event", ""}}},
      {"empty data", "data\n\ndata\ndata\n\ndata:", {{"message", "", ""}, {"message", "\n", ""}}},
      {"comments", ":\n: keep-alive\ndata: a\n: more\n\n", {{"message", "a", ""}}},
      {"a type for one event only",
       "event: add\ndata: 1\n\ndata: 2\n\n",
       {{"add", "1", ""}, {"message", "2", ""}}},
      {"a type without data is forgotten", "event: add\n\ndata: 2\n\n", {{"message", "2", ""}}},
      {"the id lasts",
       "id: 7\ndata: a\n\ndata: b\n\n",
       {{"message", "a", "7"}, {"message", "b", "7"}}},
      {"an id with a zero byte is ignored",
       "id: 7\nid: 8\0\ndata: a\n\n"s,
       {{"message", "a", "7"}}},
      {"unknown fields", "foo: x\nDATA: y\ndata : z\n\ndata: a\n\n", {{"message", "a", ""}}},
      {"a byte order mark",
       "\xEF\xBB\xBF"
       "data: a\n\n",
       {{"message", "a", ""}}},
      {"a second byte order mark is text",
       "\xEF\xBB\xBF\xEF\xBB\xBF"
       "data: a\n\ndata: b\n\n",
       {{"message", "b", ""}}},
      {"half a byte order mark is text",
       "\xEF\xBB"
       "data: a\n\ndata: b\n\n",
       {{"message", "b", ""}}},
      {"the end cuts an event", "data: a\n\ndata: b\n", {{"message", "a", ""}}},
      {"blank lines", "\n\n\r\n\r", {}},
      {"nothing", "", {}},
      {"bytes that are no text", "data: \xff\x00\x80\n\n"s, {{"message", "\xff\x00\x80"s, ""}}},
  };
  return table;
}

std::vector<Seen> parse(std::string_view stream, const std::vector<std::size_t>& cuts) {
  SseParser parser;
  Recorder recorder;
  std::size_t at = 0;
  for (const std::size_t cut : cuts) {
    // A copy of exactly this size, freed at once: a view kept into it is found by the sanitizer.
    const std::vector<char> piece(stream.begin() + static_cast<std::ptrdiff_t>(at),
                                  stream.begin() + static_cast<std::ptrdiff_t>(cut));
    EXPECT_TRUE(parser.feed({piece.data(), piece.size()}, recorder));
    at = cut;
  }
  EXPECT_TRUE(parser.feed(stream.substr(at), recorder));
  return recorder.seen;
}

TEST(SseParser, ReadsWhatTheStandardSays) {
  for (const Case& c : cases()) {
    EXPECT_EQ(parse(c.stream, {}), c.events) << c.name;
  }
}

TEST(SseParser, ReadsTheSameHoweverItIsCut) {
  for (const Case& c : cases()) {
    std::vector<std::size_t> everywhere;
    for (std::size_t i = 0; i < c.stream.size(); ++i) everywhere.push_back(i);
    EXPECT_EQ(parse(c.stream, everywhere), c.events) << c.name << ", byte by byte";
    for (std::size_t a = 0; a <= c.stream.size(); ++a) {
      for (std::size_t b = a; b <= c.stream.size(); ++b) {
        ASSERT_EQ(parse(c.stream, {a, b}), c.events) << c.name << ", cut at " << a << ", " << b;
      }
    }
  }
}

TEST(SseParser, TakesTheReconnectionTimeFromDigitsOnly) {
  SseParser parser;
  Recorder recorder;
  ASSERT_TRUE(parser.feed("retry: 1500\n", recorder));
  EXPECT_EQ(parser.retry(), std::chrono::milliseconds(1500));
  ASSERT_TRUE(parser.feed("retry: -1\nretry: 2x\nretry:\nretry: 99999999999999999999\n", recorder));
  EXPECT_EQ(parser.retry(), std::chrono::milliseconds(1500));
  ASSERT_TRUE(parser.feed("id: last\n\n", recorder));
  EXPECT_EQ(parser.last_event_id(), "last");
  EXPECT_THAT(recorder.seen, ElementsAre());
}

TEST(SseParser, BoundsALine) {
  Recorder recorder;
  for (const std::string& stream : {"data: 12345"s, "data: 12345\n"s, ":234567890"s + "1"}) {
    SseParser whole(10);
    const auto refused = whole.feed(stream, recorder);
    ASSERT_FALSE(refused) << stream;
    EXPECT_EQ(refused.error().kind, base::ErrorKind::limit);
    EXPECT_EQ(refused.error().message, "a line of the event stream is longer than 10 bytes");
    SseParser cut(10);
    ASSERT_TRUE(cut.feed(stream.substr(0, 8), recorder));
    EXPECT_FALSE(cut.feed(stream.substr(8), recorder)) << stream;
  }
  SseParser fits(10);
  EXPECT_TRUE(fits.feed("data: 1234\n\n", recorder));
  EXPECT_THAT(recorder.seen, ElementsAre(Seen{"message", "1234", ""}));
}

TEST(SseParser, BoundsTheDataOfAnEvent) {
  Recorder recorder;
  SseParser parser(10);
  ASSERT_TRUE(parser.feed("data:1234\ndata:56789\n", recorder));
  const auto refused = parser.feed("data:\n\n", recorder);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "an event of the event stream is longer than 10 bytes");
  SseParser fresh_each_event(10);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(fresh_each_event.feed("data:12345\n\n", recorder));
}

class Refuser final : public SseHandler {
 public:
  base::Result<void> event(const SseEvent&) override {
    ++events;
    return base::failure(base::ErrorKind::invalid, "enough");
  }
  int events = 0;
};

TEST(SseParser, EndsWithTheHandlersError) {
  SseParser parser;
  Refuser refuser;
  const auto result = parser.feed("data: a\n\ndata: b\n\n", refuser);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "enough");
  EXPECT_EQ(refuser.events, 1);
}

}  // namespace
}  // namespace assent::net
