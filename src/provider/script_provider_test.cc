#include "provider/script_provider.h"

#include <gtest/gtest.h>

#include "provider/testing/recording_sink.h"

namespace assent::provider {
namespace {

using base::ErrorKind;
using testing::RecordingSink;
using vocabulary::CallId;

// covers: P-030
TEST(ScriptProvider, PlaysOneLineAStepAndThenEnds) {
  auto script = MUST(ScriptProvider::parse(
      R"({"text":"I look","tool_calls":[{"id":"a","name":"bash","arguments":{"b":1,"a":"x"}},)"
      R"({"id":"b","name":"bash","arguments":"{oops"},{"id":"c","name":"list"}]})"
      "\n\n  \r\n{\"text\":\"done\"}",
      "s.jsonl"));
  EXPECT_EQ(script.name(), "script");
  RecordingSink sink;
  const Reply first = MUST(script.generate({}, sink, {}));
  EXPECT_EQ(first.finish, Finish::tool_calls);
  EXPECT_EQ(first.message,
            (vocabulary::Message{.role = vocabulary::Role::assistant,
                                 .content = "I look",
                                 .calls = {{CallId("a"), "bash", R"({"a":"x","b":1})"},
                                           {CallId("b"), "bash", "{oops"},
                                           {CallId("c"), "list", "{}"}}}));
  const Reply second = MUST(script.generate({}, sink, {}));
  EXPECT_EQ(second.finish, Finish::stop);
  EXPECT_EQ(second.message.content, "done");
  EXPECT_EQ(sink.text, "I lookdone");
  for (int i = 0; i < 2; ++i) {
    const Reply end = MUST(script.generate({}, sink, {}));
    EXPECT_EQ(end.finish, Finish::stop);
    EXPECT_EQ(end.message, vocabulary::Message{.role = vocabulary::Role::assistant});
  }
}

TEST(ScriptProvider, GoesOnBehindWhatWasPlayed) {
  auto script = MUST(ScriptProvider::parse("{\"text\":\"a\"}\n{\"text\":\"b\"}\n", "s"));
  RecordingSink sink;
  script.skip(1);
  EXPECT_EQ(MUST(script.generate({}, sink, {})).message.content, "b");
  script.skip(9);
  EXPECT_EQ(MUST(script.generate({}, sink, {})).message.content, "");
}

TEST(ScriptProvider, HearsAStop) {
  auto script = MUST(ScriptProvider::parse("{\"text\":\"a\"}", "s"));
  RecordingSink sink;
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(script.generate({}, sink, stop.token()).error().kind, ErrorKind::cancelled);
  EXPECT_EQ(MUST(script.generate({}, sink, {})).message.content, "a");
}

TEST(ScriptProvider, NamesTheLineThatIsWrong) {
  for (const char* line :
       {"{", "[]", "7", R"({"txt":"a"})", R"({"text":7})", R"({"tool_calls":{}})",
        R"({"tool_calls":[7]})", R"({"tool_calls":[{"name":"x"}]})",
        R"({"tool_calls":[{"id":"","name":"x"}]})", R"({"tool_calls":[{"id":"a"}]})",
        R"({"tool_calls":[{"id":"a","name":""}]})",
        R"({"tool_calls":[{"id":"a","name":"x","arguments":7}]})",
        R"({"tool_calls":[{"id":"a","name":"x","args":{}}]})",
        R"({"tool_calls":[{"id":"a","name":"x"},{"id":"a","name":"y"}]})", "{\"text\":\"\xff\"}"}) {
    const auto script =
        ScriptProvider::parse("{\"text\":\"fine\"}\n\n" + std::string(line) + "\n", "dir/s.jsonl");
    ASSERT_FALSE(script) << line;
    EXPECT_EQ(script.error().kind, ErrorKind::invalid) << line;
    EXPECT_TRUE(script.error().message.starts_with("dir/s.jsonl:3: ")) << script.error().message;
  }
}

TEST(ScriptProvider, SaysThatAFileIsMissing) {
  const auto script = ScriptProvider::load("/nonexistent/s.jsonl");
  ASSERT_FALSE(script);
  EXPECT_EQ(script.error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace assent::provider
