#include "provider/openai_chat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "net/testing/fake_http_client.h"
#include "provider/testing/fake_waiter.h"
#include "provider/testing/recording_sink.h"

namespace assent::provider {
namespace {

using base::ErrorKind;
using base::Milliseconds;
using net::testing::FakeResponse;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* secret = "sk-very-secret-key";

FakeResponse stream(std::vector<std::string> pieces) {
  return {.head = {.status = 200, .headers = {{"content-type", "text/event-stream"}}},
          .pieces = std::move(pieces)};
}
const std::string text_event =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"}}]}\n\n";
const std::string end_event =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: [DONE]\n\n";
FakeResponse good() { return stream({text_event, end_event}); }

FakeResponse refusal(int status, std::string body, std::vector<net::Header> headers = {}) {
  headers.push_back({"Content-Type", "application/json"});
  return {.head = {.status = status, .headers = std::move(headers)}, .pieces = {std::move(body)}};
}
std::string error_body(const std::string& message, const std::string& code = "") {
  return R"({"error":{"message":")" + message + R"(","type":null,"code":")" + code + R"("}})";
}

struct Rig {
  net::testing::FakeHttpClient http;
  base::testing::FakeClock clock{784'111'777'000};  // Sun, 06 Nov 1994 08:49:37 GMT
  base::testing::SeededRng rng;
  testing::FakeWaiter waiter;
  testing::RecordingSink sink;
  OpenAiChat provider{{.endpoint = {.base_url = "https://api.example/v1",
                                    .model = "m-1",
                                    .key = base::Secret(secret),
                                    .key_variable = "OPENAI_API_KEY"}},
                      {.http = http, .clock = clock, .rng = rng, .waiter = waiter}};

  base::Result<Reply> run(const base::StopToken& stop = {}) {
    return provider.generate({.system = "", .messages = {{.content = "task"}}, .tools = {}}, sink,
                             stop);
  }
};

TEST(OpenAiChat, AsksAndReturnsTheReply) {
  Rig rig;
  rig.http.add(good());
  const auto reply = rig.run();
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message.content, "hi");
  EXPECT_EQ(rig.sink.text, "hi");
  EXPECT_EQ(rig.provider.name(), "m-1");
  const net::HttpRequest& sent = rig.http.requests.at(0);
  EXPECT_EQ(sent.method, "POST");
  EXPECT_EQ(sent.url, "https://api.example/v1/chat/completions");
  EXPECT_EQ(sent.bearer.reveal(), secret);
  EXPECT_EQ(sent.headers, (std::vector<net::Header>{{"Content-Type", "application/json"},
                                                    {"Accept", "text/event-stream"},
                                                    {"User-Agent", "assent"}}));
  EXPECT_EQ(sent.body,
            R"({"messages":[{"content":"task","role":"user"}],"model":"m-1","stream":true,)"
            R"("stream_options":{"include_usage":true}})");
  EXPECT_EQ(rig.http.bounds_seen.at(0).silence, base::limits::request_silence);
}

struct RefusalRow {
  int status;
  std::string body;
  ErrorKind kind;
  std::string message;
};

TEST(OpenAiChat, SaysOfARefusalWhatToDo) {
  const std::vector<RefusalRow> rows{
      {400, error_body("bad"), ErrorKind::invalid, "HTTP 400 from https://api.example/v1: bad"},
      {400, error_body("long", "context_length_exceeded"), ErrorKind::invalid,
       "HTTP 400 from https://api.example/v1: long (context_length_exceeded); the conversation is "
       "too long for this model"},
      {401, error_body("Incorrect key: sk-very-secret-key", "invalid_api_key"), ErrorKind::denied,
       "HTTP 401 from https://api.example/v1: Incorrect key: [key] (invalid_api_key); check "
       "OPENAI_API_KEY"},
      {402, R"({"error":"Insufficient Balance"})", ErrorKind::invalid,
       "HTTP 402 from https://api.example/v1: Insufficient Balance; the account has no credit "
       "left"},
      {403, error_body("no"), ErrorKind::denied,
       "HTTP 403 from https://api.example/v1: no; OPENAI_API_KEY may not use m-1"},
      {404, "<html>\n<b>not found</b>", ErrorKind::not_found,
       "HTTP 404 from https://api.example/v1: <html> <b>not found</b>; check the model's name and "
       "the base URL"},
      {413, "", ErrorKind::limit,
       "HTTP 413 from https://api.example/v1; the conversation is too long for this model"},
      {422, R"({"message":"extra field"})", ErrorKind::invalid,
       "HTTP 422 from https://api.example/v1: extra field"},
      {429, error_body("You exceeded your quota", "insufficient_quota"), ErrorKind::unavailable,
       "HTTP 429 from https://api.example/v1: You exceeded your quota (insufficient_quota); the "
       "account has no credit left"},
      {307, "", ErrorKind::invalid,
       "HTTP 307 from https://api.example/v1; it redirects to another place; set that as the base "
       "URL"},
      {200, "{}", ErrorKind::invalid,
       "https://api.example/v1 answered with application/json instead of an event stream; check "
       "the "
       "base URL"},
      {200, error_body("nope", "bad_thing"), ErrorKind::invalid,
       "https://api.example/v1 ended the reply with an error: nope (bad_thing)"},
  };
  for (const RefusalRow& row : rows) {
    Rig rig;
    rig.http.add(refusal(row.status, row.body));
    const auto reply = rig.run();
    ASSERT_FALSE(reply) << row.message;
    EXPECT_EQ(reply.error(), (base::Error{row.kind, row.message}));
    EXPECT_EQ(rig.http.requests.size(), 1U) << row.message;
  }
}

TEST(OpenAiChat, AsksForTheKeyWhereNoneWasSent) {
  Rig rig;
  OpenAiChat keyless(
      {.endpoint = {.base_url = "http://h", .model = "m", .key_variable = "THE_KEY"}},
      {.http = rig.http, .clock = rig.clock, .rng = rig.rng, .waiter = rig.waiter});
  rig.http.add(refusal(401, ""));
  EXPECT_EQ(keyless.generate({}, rig.sink, {}).error().message,
            "HTTP 401 from http://h; set THE_KEY");
}

struct RetryRow {
  const char* name;
  FakeResponse first;
  std::optional<Milliseconds> wait;  // absent: the backoff
};

// covers: P-027
TEST(OpenAiChat, RepeatsWhatMayPass) {
  const auto refused = [](ErrorKind kind) {
    return FakeResponse{.end = base::failure(kind, "x"), .connects = false};
  };
  const std::vector<RetryRow> rows{
      {"429 with seconds", refusal(429, "", {{"Retry-After", "2"}}), Milliseconds(2000)},
      {"429 with a fraction", refusal(429, "", {{"Retry-After", "0.25"}}), Milliseconds(250)},
      {"429 with ms", refusal(429, "", {{"retry-after-ms", "30"}, {"retry-after", "9"}}),
       Milliseconds(30)},
      {"503 with a date", refusal(503, "", {{"Retry-After", "Sun, 06 Nov 1994 08:49:42 GMT"}}),
       Milliseconds(5000)},
      {"a date in the past", refusal(503, "", {{"Retry-After", "Sun, 06 Nov 1994 08:49:30 GMT"}}),
       Milliseconds(0)},
      {"a wait that cannot be read", refusal(503, "", {{"Retry-After", "soon"}}), {}},
      {"408", refusal(408, ""), {}},
      {"409", refusal(409, ""), {}},
      {"500", refusal(500, "oops"), {}},
      {"529", refusal(529, error_body("Overloaded")), {}},
      {"told to", refusal(400, "", {{"x-should-retry", "true"}}), {}},
      {"refused", refused(ErrorKind::unavailable), {}},
      {"silent", refused(ErrorKind::timed_out), {}},
      {"broken", refused(ErrorKind::io), {}},
      {"ended early", stream({}), {}},
      {"an overloaded stream",
       stream({"data: {\"error\":{\"message\":\"m\",\"code\":503}}\n\n"}),
       {}},
  };
  for (const RetryRow& row : rows) {
    Rig rig;
    rig.http.add(row.first);
    rig.http.add(good());
    const auto reply = rig.run();
    ASSERT_TRUE(reply) << row.name << ": " << reply.error().message;
    EXPECT_EQ(reply->message.content, "hi") << row.name;
    ASSERT_EQ(rig.waiter.waits.size(), 1U) << row.name;
    ASSERT_EQ(rig.sink.retries.size(), 1U) << row.name;
    EXPECT_EQ(rig.sink.retries[0].second, rig.waiter.waits[0]) << row.name;
    if (row.wait) {
      EXPECT_EQ(rig.waiter.waits[0], *row.wait) << row.name;
    } else {
      EXPECT_GT(rig.waiter.waits[0], Milliseconds(374)) << row.name;
      EXPECT_LE(rig.waiter.waits[0], Milliseconds(500)) << row.name;
    }
  }
}

// covers: P-027
TEST(OpenAiChat, DoesNotRepeatWhatCannotPass) {
  const std::vector<std::pair<const char*, FakeResponse>> rows{
      {"told not to", refusal(503, "", {{"x-should-retry", "false"}})},
      {"no credit", refusal(429, error_body("m", "insufficient_quota"))},
      {"no credit, told to",
       refusal(429, error_body("m", "insufficient_quota"), {{"x-should-retry", "true"}})},
      {"no certificate", {.end = base::failure(ErrorKind::denied, "x"), .connects = false}},
      {"no library", {.end = base::failure(ErrorKind::not_found, "x"), .connects = false}},
      {"bad data", stream({"data: {nope\n\n"})},
      {"no credit in the stream",
       stream({"data: {\"error\":{\"message\":\"m\",\"type\":\"insufficient_quota\"}}\n\n"})},
      {"text was shown",
       [] {
         FakeResponse broken = stream({text_event});
         broken.end = base::failure(ErrorKind::io, "broke off");
         return broken;
       }()},
      {"text was shown, stream ended", stream({text_event})},
  };
  for (const auto& [name, response] : rows) {
    Rig rig;
    rig.http.add(response);
    rig.http.add(good());
    EXPECT_FALSE(rig.run()) << name;
    EXPECT_EQ(rig.http.requests.size(), 1U) << name;
    EXPECT_TRUE(rig.waiter.waits.empty()) << name;
  }
}

// covers: P-027
TEST(OpenAiChat, GivesUpAfterThreeAttempts) {
  Rig rig;
  for (int i = 0; i < 5; ++i) rig.http.add(refusal(500, error_body("down")));
  const auto reply = rig.run();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "HTTP 500 from https://api.example/v1: down (3 attempts)");
  EXPECT_EQ(rig.http.requests.size(), 3U);
  ASSERT_EQ(rig.waiter.waits.size(), 2U);
  EXPECT_GT(rig.waiter.waits[1], Milliseconds(749));
  EXPECT_LE(rig.waiter.waits[1], Milliseconds(1000));
}

TEST(OpenAiChat, DoesNotWaitLongerThanTheLimit) {
  Rig rig;
  rig.http.add(refusal(429, error_body("later"), {{"Retry-After", "3600"}}));
  EXPECT_EQ(rig.run().error().message,
            "HTTP 429 from https://api.example/v1: later; it asks to wait 3600 s");
  EXPECT_TRUE(rig.waiter.waits.empty());
}

TEST(OpenAiChat, StopsWhileItWaitsAndWhileItReads) {
  Rig rig;
  base::StopSource source;
  rig.http.add(refusal(500, ""));
  rig.http.add(good());
  rig.waiter.on_wait = [&] { source.request_stop(); };
  EXPECT_EQ(rig.run(source.token()).error().kind, ErrorKind::cancelled);
  EXPECT_EQ(rig.http.requests.size(), 1U);

  Rig reading;
  base::StopSource other;
  FakeResponse response = good();
  response.before_piece = [&](std::size_t piece) {
    if (piece == 1) other.request_stop();
  };
  reading.http.add(response);
  EXPECT_EQ(reading.run(other.token()).error(),
            (base::Error{ErrorKind::cancelled, "the model request was cancelled"}));
}

TEST(OpenAiChat, AcceptsAConnectionThatBreaksBehindTheLastWord) {
  Rig rig;
  FakeResponse response = good();
  response.end = base::failure(ErrorKind::io, "broke off");
  rig.http.add(response);
  EXPECT_TRUE(rig.run());
}

TEST(OpenAiChat, KeepsTheKeyOutOfEveryMessage) {
  Rig rig;
  rig.http.add(stream({std::string("data: {\"key\": ") + secret + "\n\n"}));
  const auto reply = rig.run();
  ASSERT_FALSE(reply);
  EXPECT_THAT(reply.error().message, Not(HasSubstr(secret)));
  EXPECT_THAT(reply.error().message, HasSubstr("[key]"));
}

TEST(OneLine, CutsAtACharacterAndDropsControls) {
  EXPECT_EQ(one_line("a\r\n\tb\x1b[0m\n", 100), "a b [0m");
  EXPECT_EQ(one_line("äöü", 6), "äöü");
  EXPECT_EQ(one_line("äöü", 5), "äö…");
  EXPECT_EQ(one_line("", 5), "");
}

}  // namespace
}  // namespace assent::provider
