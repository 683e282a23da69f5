// Every recorded stream of tests/data/llm-streams, cut at random, gives what expected.json says.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/file.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"
#include "json/fields.h"
#include "net/testing/fake_http_client.h"
#include "provider/openai_chat.h"
#include "provider/testing/fake_waiter.h"
#include "provider/testing/recording_sink.h"

namespace assent::provider {
namespace {

const std::string folder = std::string(ASSENT_TEST_DATA) + "/llm-streams/";
constexpr std::size_t file_limit = 4 * 1024 * 1024;

struct Expected {
  std::int64_t text = 0;
  std::int64_t reasoning = 0;
  std::string finish;
  std::vector<vocabulary::ToolCall> calls;
  bool operator==(const Expected&) const = default;
};

void PrintTo(const Expected& e, std::ostream* out) {
  *out << e.text << " " << e.reasoning << " " << e.finish;
  for (const auto& call : e.calls) *out << " " << call.id.text() << call.name << call.arguments;
}

Expected expected_from(const json::Value& value) {
  const auto fields = MUST(json::Fields::create(value));
  Expected out{.text = MUST(fields.integer("text_len")),
               .reasoning = MUST(fields.integer("reasoning_len")),
               .finish = MUST(fields.text("finish")),
               .calls = {}};
  for (const auto& entry : *MUST(fields.array("tool_calls"))) {
    const auto call = MUST(json::Fields::create(entry));
    out.calls.push_back({vocabulary::CallId(MUST(call.text("id"))), MUST(call.text("name")),
                         MUST(call.text("arguments"))});
  }
  return out;
}

std::int64_t characters(std::string_view text) {
  return std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

Expected seen_in(const Reply& reply) {
  static constexpr const char* words[] = {"stop", "tool_calls", "length", "content_filter"};
  return {.text = characters(reply.message.content),
          .reasoning = characters(reply.message.reasoning),
          .finish = words[static_cast<std::size_t>(reply.finish)],
          .calls = reply.message.calls};
}

std::string stream_of(const std::string& file) {
  const std::string lines = MUST(base::read_file(folder + file, file_limit));
  std::string stream;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    if (end > at) stream += "data: " + lines.substr(at, end - at) + "\n\n";
    at = end + 1;
  }
  return stream + "data: [DONE]\n\n";
}

base::Result<Reply> play(std::vector<std::string> pieces, Sink& sink) {
  net::testing::FakeHttpClient http;
  http.add({.head = {.status = 200, .headers = {{"Content-Type", "text/event-stream"}}},
            .pieces = std::move(pieces)});
  const base::testing::FakeClock clock;
  base::testing::SeededRng rng;
  testing::FakeWaiter waiter;
  OpenAiChat provider({.endpoint = {.base_url = "http://127.0.0.1/v1", .model = "m"}},
                      {.http = http, .clock = clock, .rng = rng, .waiter = waiter});
  return provider.generate({}, sink, {});
}

std::vector<std::string> cut(const std::string& stream, std::mt19937& random, std::size_t longest) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t size = 1 + random() % longest;
    pieces.push_back(stream.substr(at, size));
    at += size;
  }
  return pieces;
}

// covers: P-026
TEST(RecordedStreams, GiveWhatWasRecordedHoweverTheyAreCut) {
  const std::string expected = MUST(base::read_file(folder + "expected.json", file_limit));
  const auto all = MUST(json::parse(expected));
  ASSERT_EQ(all.as_object().size(), 16U);
  for (const auto& [key, value] : all.as_object()) {
    const std::string file(key);
    const std::string stream = stream_of(file);
    std::mt19937 random(7);
    for (const std::size_t longest : {std::size_t{3}, std::size_t{700}, std::size_t{50'000}}) {
      testing::RecordingSink sink;
      const auto reply = play(cut(stream, random, longest), sink);
      ASSERT_TRUE(reply) << file << ": " << reply.error().message;
      EXPECT_EQ(seen_in(*reply), expected_from(value)) << file;
      EXPECT_EQ(sink.text, reply->message.content) << file;
      EXPECT_EQ(sink.reasoning, reply->message.reasoning) << file;
      EXPECT_GT(reply->usage.output_tokens, 0) << file;
    }
  }
}

//
TEST(RecordedStreams, LetNoCallOutWhereverTheyBreakOff) {
  for (const char* file :
       {"deepseek__deepseek-tool-call.chunks.txt",
        "mistral__mistral-incremental-tool-call.chunks.txt", "groq__groq-tool-call.chunks.txt"}) {
    const std::string stream = stream_of(file);
    const std::size_t said_end = stream.rfind("\n\n", stream.rfind("[DONE]"));
    for (std::size_t size = 0; size < said_end; size += 37) {
      testing::RecordingSink sink;
      EXPECT_FALSE(play({stream.substr(0, size)}, sink)) << file << " cut at " << size;
    }
  }
}

}  // namespace
}  // namespace assent::provider
