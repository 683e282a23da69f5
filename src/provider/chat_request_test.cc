#include "provider/chat_request.h"

#include <gtest/gtest.h>

namespace assent::provider {
namespace {

using vocabulary::CallId;
using vocabulary::Message;
using vocabulary::Role;

const Message user{.role = Role::user, .content = "task"};
const Message caller{.role = Role::assistant,
                     .calls = {{CallId("c1"), "bash", R"({"command":"ls"})"}},
                     .reasoning = "think"};
const Message result{.role = Role::tool, .content = "out", .answers = CallId("c1")};
const Message speaker{.role = Role::assistant, .content = "done"};

std::string messages(std::vector<Message> list, Dialect dialect) {
  const std::string body =
      MUST(chat_request({.system = "", .messages = std::move(list), .tools = {}}, "m", dialect));
  const std::string start = R"({"messages":)";
  EXPECT_TRUE(body.starts_with(start));
  return body.substr(start.size(), body.find(R"(,"model")") - start.size());
}

// covers: P-028
TEST(ChatRequest, MapsEveryRole) {
  EXPECT_EQ(messages({user, caller, result, speaker}, Dialect::openai),
            R"([{"content":"task","role":"user"},)"
            R"({"content":"","role":"assistant","tool_calls":[{"function":)"
            R"({"arguments":"{\"command\":\"ls\"}","name":"bash"},"id":"c1","type":"function"}]},)"
            R"({"content":"out","role":"tool","tool_call_id":"c1"},)"
            R"({"content":"done","role":"assistant"}])");
}

// covers: P-028
TEST(ChatRequest, SendsAnEmptyAssistantMessage) {
  EXPECT_EQ(messages({{.role = Role::assistant}}, Dialect::openai),
            R"([{"content":"","role":"assistant"}])");
}

TEST(ChatRequest, ReturnsReasoningToDeepSeekOnceThereAreCalls) {
  const std::string with = messages({user, caller, result, speaker}, Dialect::deepseek);
  EXPECT_NE(with.find(R"({"content":"","reasoning_content":"think","role":"assistant")"),
            std::string::npos);
  EXPECT_NE(with.find(R"({"content":"done","reasoning_content":"","role":"assistant"})"),
            std::string::npos);
  EXPECT_EQ(messages({user, speaker}, Dialect::deepseek).find("reasoning_content"),
            std::string::npos);
}

TEST(ChatRequest, CarriesSystemAndTools) {
  const auto schema = MUST(json::parse(R"({"type":"object","properties":{}})"));
  EXPECT_EQ(
      MUST(chat_request(
          {.system = "be brief", .messages = {user}, .tools = {{"bash", "Runs a command", schema}}},
          "m", Dialect::openai)),
      R"({"messages":[{"content":"be brief","role":"system"},)"
      R"({"content":"task","role":"user"}],"model":"m","stream":true,)"
      R"("stream_options":{"include_usage":true},"tools":[{"function":)"
      R"({"description":"Runs a command","name":"bash","parameters":)"
      R"({"properties":{},"type":"object"}},"type":"function"}]})");
}

TEST(ChatRequest, RefusesAToolMessageThatAnswersNothing) {
  const auto body = chat_request({.system = "", .messages = {{.role = Role::tool}}, .tools = {}},
                                 "m", Dialect::openai);
  ASSERT_FALSE(body);
  EXPECT_EQ(body.error().kind, base::ErrorKind::internal);
}

}  // namespace
}  // namespace assent::provider
