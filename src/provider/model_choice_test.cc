#include "provider/model_choice.h"

#include <gtest/gtest.h>

#include "provider/testing/fake_provider.h"

namespace assent::provider {
namespace {

using base::ErrorKind;

constexpr const char* openai_url = "https://api.openai.com/v1";
constexpr const char* deepseek_url = "https://api.deepseek.com";

struct Row {
  ModelWish wish;
  Environment environment;
  const char* base_url;
  const char* model;
  const char* key;
  const char* key_variable;
  Dialect dialect;
};

TEST(ModelChoice, FollowsPrefixUrlNameAndKey) {
  const Environment o{{"OPENAI_API_KEY", "ok"}};
  const Environment d{{"DEEPSEEK_API_KEY", "dk"}};
  const Environment both{{"OPENAI_API_KEY", "ok"}, {"DEEPSEEK_API_KEY", "dk"}};
  const Environment local{{"OPENAI_BASE_URL", "http://127.0.0.1:8080/v1/"}};
  const Environment at_deepseek{
      {"OPENAI_BASE_URL", deepseek_url}, {"DEEPSEEK_API_KEY", "dk"}, {"OPENAI_API_KEY", "ok"}};
  constexpr const char* ov = "OPENAI_API_KEY";
  constexpr const char* dv = "DEEPSEEK_API_KEY";
  const auto oai = Dialect::openai;
  const auto deep = Dialect::deepseek;
  const std::vector<Row> rows{
      {{}, o, openai_url, "gpt-5", "ok", ov, oai},
      {{}, d, deepseek_url, "deepseek-chat", "dk", dv, deep},
      {{}, both, openai_url, "gpt-5", "ok", ov, oai},
      {{.model = "gpt-x"}, both, openai_url, "gpt-x", "ok", ov, oai},
      {{.model = "openai:gpt-x"}, both, openai_url, "gpt-x", "ok", ov, oai},
      {{.model = "deepseek:r"}, both, deepseek_url, "r", "dk", dv, deep},
      {{.model = "deepseek:"}, both, deepseek_url, "deepseek-chat", "dk", dv, deep},
      {{.model = "deepseek-reasoner"}, both, deepseek_url, "deepseek-reasoner", "dk", dv, deep},
      {{.model = "deepseek:r", .base_url = "http://h/x"}, d, "http://h/x", "r", "dk", dv, deep},
      {{.model = "qwen:7b", .base_url = "http://127.0.0.1:1/v1//"},
       {},
       "http://127.0.0.1:1/v1",
       "qwen:7b",
       "",
       ov,
       oai},
      {{.model = "m"}, local, "http://127.0.0.1:8080/v1", "m", "", ov, oai},
      // A key never goes to a server that it is not for.
      {{.model = "m", .base_url = "https://other.example/v1"},
       d,
       "https://other.example/v1",
       "m",
       "",
       ov,
       oai},
      {{.model = "m", .base_url = "https://notdeepseek.com"},
       both,
       "https://notdeepseek.com",
       "m",
       "ok",
       ov,
       oai},
      {{}, at_deepseek, deepseek_url, "deepseek-chat", "dk", dv, deep},
      {{.model = "deepseek:r"},
       {{"OPENAI_BASE_URL", "http://h"}, {"DEEPSEEK_API_KEY", "dk"}},
       deepseek_url,
       "r",
       "dk",
       dv,
       deep},
  };
  for (const Row& row : rows) {
    const auto settings = choose_model(row.wish, row.environment);
    ASSERT_TRUE(settings) << row.wish.model << ": " << settings.error().message;
    const auto& chat = std::get<ChatSettings>(*settings);
    EXPECT_EQ(chat.endpoint.base_url, row.base_url) << row.wish.model;
    EXPECT_EQ(chat.endpoint.model, row.model);
    EXPECT_EQ(chat.endpoint.key.reveal(), row.key) << row.wish.model;
    EXPECT_EQ(chat.endpoint.key_variable, row.key_variable);
    EXPECT_EQ(chat.dialect, row.dialect);
  }
}

TEST(ModelChoice, KnowsTheScript) {
  const auto settings = choose_model({.model = "script:a b.jsonl"}, {{"OPENAI_API_KEY", "ok"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(std::get<ScriptSettings>(*settings).file, "a b.jsonl");
}

struct Refused {
  ModelWish wish;
  Environment environment;
  ErrorKind kind;
  const char* message;
};

TEST(ModelChoice, SaysWhatIsMissing) {
  constexpr auto gone = ErrorKind::unavailable;
  constexpr auto wrong = ErrorKind::invalid;
  constexpr const char* nothing =
      "no model is configured\n"
      "set OPENAI_API_KEY or DEEPSEEK_API_KEY, or name a server: --base-url URL --model NAME\n"
      "`assent demo` needs neither a key nor a network";
  constexpr const char* like =
      "the base URL must be like https://host/v1 or http://127.0.0.1:8080/v1";
  constexpr const char* anthropic =
      "this build does not speak the Anthropic Messages API; use openai:MODEL, deepseek:MODEL or a "
      "server with chat completions (--base-url)";
  const std::vector<Refused> rows{
      {{}, {}, gone, nothing},
      {{.model = "gpt-x"}, {{"OPENAI_API_KEY", ""}}, gone, nothing},
      {{.model = "script:"}, {}, wrong, "script: names no file"},
      {{.model = "openai:x"}, {}, gone, "set OPENAI_API_KEY to use https://api.openai.com/v1"},
      {{.model = "deepseek:x"},
       {{"OPENAI_API_KEY", "ok"}},
       gone,
       "set DEEPSEEK_API_KEY to use https://api.deepseek.com"},
      {{.model = "anthropic:x"}, {{"OPENAI_API_KEY", "ok"}}, gone, anthropic},
      {{}, {{"ANTHROPIC_API_KEY", "ak"}}, gone, anthropic},
      {{.model = "responses:x"},
       {},
       gone,
       "this build does not speak the Responses API; use openai:MODEL, deepseek:MODEL or a server "
       "with chat completions (--base-url)"},
      {{.base_url = "http://127.0.0.1:1"},
       {},
       gone,
       "name the model that http://127.0.0.1:1 serves: --model NAME"},
      {{.base_url = "127.0.0.1:1"}, {}, wrong, like},
      {{.base_url = "ftp://h"}, {}, wrong, like},
      {{.base_url = "http://"}, {}, wrong, like},
      {{.base_url = "http:///v1"}, {}, wrong, like},
      {{.base_url = "http://u:p@h/v1"},
       {},
       wrong,
       "the base URL must not hold a password; the key has its own variable"},
      {{.base_url = "http://h/v1?key=1"}, {}, wrong, "the base URL must end with its path"},
      {{.model = "m"},
       {{"OPENAI_BASE_URL", "http://h/v1#x"}},
       wrong,
       "OPENAI_BASE_URL: the base URL must end with its path"},
  };
  for (const Refused& row : rows) {
    const auto settings = choose_model(row.wish, row.environment);
    ASSERT_FALSE(settings) << row.message;
    EXPECT_EQ(settings.error(), (base::Error{row.kind, row.message}));
  }
}

}  // namespace
}  // namespace assent::provider
