#include "provider/model_choice.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace assent::provider {
namespace {

using base::ErrorKind;

struct Service {
  Dialect dialect;
  std::string_view prefix;
  std::string_view key_variable;
  std::string_view base_url;
  std::string_view model;
};

constexpr Service openai{.dialect = Dialect::openai,
                         .prefix = "openai:",
                         .key_variable = "OPENAI_API_KEY",
                         .base_url = "https://api.openai.com/v1",
                         .model = "gpt-5"};
constexpr Service deepseek{.dialect = Dialect::deepseek,
                           .prefix = "deepseek:",
                           .key_variable = "DEEPSEEK_API_KEY",
                           .base_url = "https://api.deepseek.com",
                           .model = "deepseek-chat"};

constexpr std::string_view nothing_set =
    "no model is configured\n"
    "set OPENAI_API_KEY or DEEPSEEK_API_KEY, or name a server: --base-url URL --model NAME\n"
    "`assent demo` needs neither a key nor a network";

std::string value_of(const Environment& environment, std::string_view name) {
  const auto found = environment.find(std::string(name));
  return found == environment.end() ? std::string() : found->second;
}

bool has(const Environment& environment, const Service& service) {
  return !value_of(environment, service.key_variable).empty();
}

// The host of a checked base URL.
std::string_view host_of(std::string_view url) {
  url.remove_prefix(url.find("://") + 3);
  return url.substr(0, url.find_first_of(":/"));
}

bool is_deepseek(std::string_view url) {
  const std::string_view host = host_of(url);
  return host == "deepseek.com" || host.ends_with(".deepseek.com");
}

base::Result<std::string> checked_url(std::string url) {
  while (url.ends_with('/')) url.pop_back();
  const bool web = url.starts_with("http://") || url.starts_with("https://");
  if (!web || host_of(url).empty()) {
    return base::failure(ErrorKind::invalid,
                         "the base URL must be like https://host/v1 or http://127.0.0.1:8080/v1");
  }
  if (url.find('@') != std::string::npos) {
    return base::failure(ErrorKind::invalid,
                         "the base URL must not hold a password; the key has its own variable");
  }
  if (url.find_first_of("?# \t\r\n") != std::string::npos) {
    return base::failure(ErrorKind::invalid, "the base URL must end with its path");
  }
  return url;
}

base::Result<ModelSettings> settings_for(const Service& service, std::string model, std::string url,
                                         const Environment& environment) {
  const bool own_url = !url.empty();
  base::Secret key(value_of(environment, service.key_variable));
  if (key.empty() && !own_url) {
    return base::failure(ErrorKind::unavailable,
                         fmt::format("set {} to use {}", service.key_variable, service.base_url));
  }
  if (model.empty() && own_url && !is_deepseek(url)) {
    return base::failure(ErrorKind::unavailable,
                         fmt::format("name the model that {} serves: --model NAME", url));
  }
  return ChatSettings{
      .endpoint = {.base_url = own_url ? std::move(url) : std::string(service.base_url),
                   .model = model.empty() ? std::string(service.model) : std::move(model),
                   .key = std::move(key),
                   .key_variable = std::string(service.key_variable)},
      .dialect = service.dialect};
}

base::Result<ModelSettings> not_spoken(std::string_view api) {
  return base::failure(ErrorKind::unavailable,
                       fmt::format("this build does not speak {}; use openai:MODEL, "
                                   "deepseek:MODEL or a server with chat completions (--base-url)",
                                   api));
}

}  // namespace

base::Result<ModelSettings> choose_model(const ModelWish& wish, const Environment& environment) {
  const std::string& model = wish.model;
  if (model.starts_with("script:")) {
    ScriptSettings script{.file = model.substr(7)};
    if (script.file.empty()) return base::failure(ErrorKind::invalid, "script: names no file");
    return script;
  }
  if (model.starts_with("responses:")) return not_spoken("the Responses API");
  if (model.starts_with("anthropic:")) return not_spoken("the Anthropic Messages API");

  std::string named_url;
  if (!wish.base_url.empty()) named_url = TRY(checked_url(wish.base_url));
  if (model.starts_with(deepseek.prefix)) {
    return settings_for(deepseek, model.substr(deepseek.prefix.size()), named_url, environment);
  }
  std::string url = named_url;
  if (url.empty() && !value_of(environment, "OPENAI_BASE_URL").empty()) {
    auto checked = checked_url(value_of(environment, "OPENAI_BASE_URL"));
    if (!checked) return base::failure(checked.error().in("OPENAI_BASE_URL"));
    url = std::move(*checked);
  }
  if (model.starts_with(openai.prefix)) {
    return settings_for(openai, model.substr(openai.prefix.size()), url, environment);
  }
  if (!url.empty()) {
    return settings_for(is_deepseek(url) ? deepseek : openai, model, url, environment);
  }
  if (model.starts_with("deepseek")) return settings_for(deepseek, model, "", environment);
  if (has(environment, openai)) return settings_for(openai, model, "", environment);
  if (has(environment, deepseek)) return settings_for(deepseek, model, "", environment);
  if (!value_of(environment, "ANTHROPIC_API_KEY").empty()) {
    return not_spoken("the Anthropic Messages API");
  }
  return base::failure(ErrorKind::unavailable, std::string(nothing_set));
}

}  // namespace assent::provider
