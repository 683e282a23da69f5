#include "provider/chat_assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "provider/testing/recording_sink.h"

namespace assent::provider {
namespace {

using base::ErrorKind;
using ::testing::HasSubstr;
using testing::RecordingSink;
using vocabulary::CallId;
using vocabulary::ToolCall;

std::string choice(const std::string& delta, const std::string& finish = "null") {
  return R"({"choices":[{"index":0,"delta":)" + delta + R"(,"finish_reason":)" + finish + "}]}";
}
std::string calls(const std::string& list, const std::string& finish = "null") {
  return choice(R"({"tool_calls":)" + list + "}", finish);
}

base::Result<Reply> assemble(const std::vector<std::string>& stream, RecordingSink& sink) {
  ChatAssembler assembler(sink);
  for (const std::string& data : stream) TRY(assembler.add(data));
  return assembler.take();
}
base::Result<Reply> assemble(const std::vector<std::string>& stream) {
  RecordingSink sink;
  return assemble(stream, sink);
}

struct Row {
  const char* name;
  std::vector<std::string> stream;
  std::vector<ToolCall> calls;
};

// covers: P-026, P-029
TEST(ChatAssembler, PutsCallsTogether) {
  const std::string end = choice("{}", R"("tool_calls")");
  const std::vector<Row> rows{
      {"pieces of two calls mixed",
       {calls(R"([{"index":0,"id":"a","function":{"name":"x","arguments":"{\"p\""}}])"),
        calls(R"([{"index":1,"id":"b","function":{"name":"y","arguments":""}}])"),
        calls(R"([{"index":0,"function":{"arguments":":1}"}},)"
              R"({"index":1,"function":{"arguments":"[]"}}])"),
        end},
       {{CallId("a"), "x", R"({"p":1})"}, {CallId("b"), "y", "[]"}}},
      {"empty ids and names later",
       {calls(R"([{"index":0,"id":"a","function":{"name":"x","arguments":"{"}}])"),
        calls(R"([{"index":0,"id":"","function":{"name":"","arguments":"}"}}])"), end},
       {{CallId("a"), "x", "{}"}}},
      {"no index, whole calls",
       {calls(R"([{"id":"a","function":{"name":"x","arguments":"{}"}},)"
              R"({"id":"b","function":{"name":"y","arguments":"{}"}}])",
              R"("tool_calls")")},
       {{CallId("a"), "x", "{}"}, {CallId("b"), "y", "{}"}}},
      {"no index, pieces",
       {calls(R"([{"id":"a","function":{"name":"x","arguments":"{"}}])"),
        calls(R"([{"function":{"arguments":"}"}}])"), end},
       {{CallId("a"), "x", "{}"}}},
      {"no arguments at all",
       {calls(R"([{"index":0,"id":"a","type":"function","function":{"name":"x"}}])"), end},
       {{CallId("a"), "x", "{}"}}},
      {"arguments that are no JSON stay",
       {calls(R"([{"index":0,"id":"a","function":{"name":"x","arguments":"{oops"}}])"), end},
       {{CallId("a"), "x", "{oops"}}},
      {"arguments as an object",
       {calls(R"([{"index":0,"id":"a","function":{"name":"x","arguments":{"b":1,"a":2}}}])"), end},
       {{CallId("a"), "x", R"({"a":2,"b":1})"}}},
      {"ids absent or twice",
       {calls(R"([{"index":0,"function":{"name":"x"}},{"index":1,"function":{"name":"y"}}])"),
        calls(R"([{"index":2,"id":"a","function":{"name":"z"}},)"
              R"({"index":3,"id":"a","function":{"name":"w"}}])"),
        end},
       {{CallId("call-0"), "x", "{}"},
        {CallId("call-1"), "y", "{}"},
        {CallId("a"), "z", "{}"},
        {CallId("a-3"), "w", "{}"}}},
      {"finish says stop all the same",
       {calls(R"([{"index":0,"id":"a","function":{"name":"x"}}])", R"("stop")")},
       {{CallId("a"), "x", "{}"}}},
  };
  for (const Row& row : rows) {
    const auto reply = assemble(row.stream);
    ASSERT_TRUE(reply) << row.name << ": " << reply.error().message;
    EXPECT_EQ(reply->message.calls, row.calls) << row.name;
    EXPECT_EQ(reply->finish, Finish::tool_calls) << row.name;
  }
}

TEST(ChatAssembler, ForwardsTextAndReasoningAndCountsTokens) {
  RecordingSink sink;
  const auto reply = assemble(
      {choice(R"({"role":"assistant","content":null,"reasoning_content":"hm"})"),
       choice(R"({"reasoning":"m "})"), choice(R"({"content":""})"), choice(R"({"content":"a"})"),
       choice(
           R"({"content":[{"type":"text","text":"b"},{"type":"thinking","thinking":[{"text":"!"}]},
                  {"type":"image"}]})"),
       choice(R"({"refusal":"c"})", R"("stop")"),
       R"({"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}})", "[DONE]", "rubbish"},
      sink);
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->message,
            (vocabulary::Message{
                .role = vocabulary::Role::assistant, .content = "abc", .reasoning = "hmm !"}));
  EXPECT_EQ(reply->usage, (vocabulary::Usage{7, 3}));
  EXPECT_EQ(reply->finish, Finish::stop);
  EXPECT_EQ(sink.text, "abc");
  EXPECT_EQ(sink.reasoning, "hmm !");
}

TEST(ChatAssembler, TakesUsageFromGroqsOwnMember) {
  const auto reply = assemble({R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],)"
                               R"("x_groq":{"usage":{"prompt_tokens":5,"completion_tokens":2}}})"});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->usage, (vocabulary::Usage{5, 2}));
}

TEST(ChatAssembler, MapsEveryReason) {
  const std::vector<std::pair<std::string, Finish>> rows{{"stop", Finish::stop},
                                                         {"eos", Finish::stop},
                                                         {"tool_calls", Finish::stop},
                                                         {"function_call", Finish::stop},
                                                         {"length", Finish::length},
                                                         {"model_length", Finish::length},
                                                         {"content_filter", Finish::content_filter},
                                                         {"sensitive", Finish::content_filter}};
  for (const auto& [word, finish] : rows) {
    const auto reply = assemble({choice("{}", '"' + word + '"')});
    ASSERT_TRUE(reply) << word;
    EXPECT_EQ(reply->finish, finish) << word;
  }
}

// covers: A-003
TEST(ChatAssembler, LetsNoCallOutOfACutReply) {
  const std::string call =
      calls(R"([{"index":0,"id":"a","function":{"name":"rm","arguments":"{}"}}])");
  for (const auto& stream : std::vector<std::vector<std::string>>{
           {}, {call}, {call, "[DONE]"}, {choice(R"({"content":"a"})")}}) {
    const auto reply = assemble(stream);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error(), (base::Error{ErrorKind::io,
                                          "the model's stream ended before the reply "
                                          "was complete"}));
  }
  for (const char* reason : {R"("length")", R"("content_filter")"}) {
    const auto reply = assemble({call, choice("{}", reason)});
    ASSERT_TRUE(reply);
    EXPECT_TRUE(reply->message.calls.empty()) << reason;
  }
  EXPECT_TRUE(assemble({choice(R"({"content":"a"})"), "[DONE]"}));
}

TEST(ChatAssembler, NamesWhatItCannotRead) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"{\"a\"", R"(data that is not JSON ({"a"))"},
      {"{\n\x01", "data that is not JSON ({)"},
      {"[]", "the stream's data: expected an object"},
      {R"({"choices":{}})", "choices: expected a list"},
      {R"({"choices":[1]})", "choices: expected a list of objects"},
      {R"({"choices":[{"delta":[]}]})", "delta: expected an object"},
      {choice(R"({"content":7})"), "content: expected a text or a list"},
      {choice(R"({"content":[7]})"), "content: expected a list of objects"},
      {choice(R"({"reasoning_content":{}})"), "reasoning_content: expected a text"},
      {calls("{}"), "tool_calls: expected a list"},
      {calls("[3]"), "tool_calls: expected a list of objects"},
      {calls(R"([{"index":"0"}])"), "index: expected an integer"},
      {calls(R"([{"id":1}])"), "id: expected a text"},
      {calls(R"([{"function":[]}])"), "function: expected an object"},
      {calls(R"([{"function":{"name":1}}])"), "name: expected a text"},
      {calls(R"([{"function":{"arguments":1}}])"), "arguments: expected a text"},
      {choice("{}", R"("tired")"), "unknown finish_reason tired"},
  };
  for (const auto& [data, message] : rows) {
    const auto reply = assemble({data});
    ASSERT_FALSE(reply) << data;
    EXPECT_EQ(reply.error().kind, ErrorKind::invalid) << data;
    EXPECT_THAT(reply.error().message, HasSubstr(message));
  }
  const auto nameless =
      assemble({calls(R"([{"index":0,"id":"a","function":{"arguments":"{}"}}])", R"("stop")")});
  ASSERT_FALSE(nameless);
  EXPECT_EQ(nameless.error().message, "the model made a call without a tool's name");
}

TEST(ChatAssembler, BoundsCallsAndArguments) {
  std::string many = "[";
  for (std::size_t i = 0; i <= base::limits::message_calls; ++i) {
    many += (i == 0 ? "" : ",") + std::string(R"({"index":)") + std::to_string(i) + "}";
  }
  EXPECT_EQ(assemble({calls(many + "]")}).error().kind, ErrorKind::limit);
  const std::string half(base::limits::call_arguments / 2 + 1, 'x');
  const std::string piece = calls(R"([{"index":0,"function":{"arguments":")" + half + R"("}}])");
  EXPECT_EQ(assemble({piece, piece}).error().kind, ErrorKind::limit);
}

TEST(ChatAssembler, EndsWithAnErrorOfTheStream) {
  RecordingSink sink;
  ChatAssembler assembler(sink);
  ASSERT_FALSE(assembler.add(R"({"error":{"message":"busy","type":"server_error","code":503}})"));
  EXPECT_EQ(assembler.stream_error(),
            (ApiError{.message = "busy", .type = "server_error", .code = "503"}));
  EXPECT_FALSE(assembler.forwarded());
}

}  // namespace
}  // namespace assent::provider
