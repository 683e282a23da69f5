#include "provider/api_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/limits.h"

namespace assent::provider {
namespace {

using base::ErrorKind;

std::string text_of(const json::Value* value) {
  if (value == nullptr) return {};
  if (const auto* text = value->if_string()) return std::string(*text);
  if (const auto* number = value->if_int64()) return std::to_string(*number);
  return {};
}

// OpenAI's codes for an account without credit: waiting does not help.
bool is_exhausted(const ApiError& error) {
  static constexpr std::array<std::string_view, 4> codes{
      "insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
      "insufficient_balance"};
  return std::ranges::any_of(
      codes, [&](std::string_view code) { return error.code == code || error.type == code; });
}

bool is_too_long(const ApiError& error) {
  return error.code == "context_length_exceeded" || error.type == "context_length_exceeded";
}

ErrorKind kind_of(int status) {
  switch (status) {
    case 401:
    case 403: return ErrorKind::denied;
    case 404: return ErrorKind::not_found;
    case 408:
    case 504: return ErrorKind::timed_out;
    case 413: return ErrorKind::limit;
    default: return status == 429 || status >= 500 ? ErrorKind::unavailable : ErrorKind::invalid;
  }
}

std::string advice(const net::HttpHead& head, const ApiError& error, const Endpoint& endpoint) {
  const int status = head.status;
  if (is_exhausted(error) || status == 402) return "the account has no credit left";
  if (is_too_long(error) || status == 413) return "the conversation is too long for this model";
  if (status == 401) {
    return endpoint.key.empty() ? fmt::format("set {}", endpoint.key_variable)
                                : fmt::format("check {}", endpoint.key_variable);
  }
  if (status == 403) return fmt::format("{} may not use {}", endpoint.key_variable, endpoint.model);
  if (status == 404) return "check the model's name and the base URL";
  if (status >= 300 && status < 400) {
    const std::string* location = head.find("location");
    return fmt::format("it redirects to {}; set that as the base URL",
                       location == nullptr ? "another place" : *location);
  }
  return {};
}

std::string words(const ApiError& error) {
  const std::string& code = error.code.empty() ? error.type : error.code;
  if (error.message.empty()) return code;
  return code.empty() ? error.message : fmt::format("{} ({})", error.message, code);
}

std::string line(std::string start, const ApiError& error, std::string_view what_to_do,
                 const Endpoint& endpoint) {
  const std::string said = one_line(words(error), base::limits::http_error_shown);
  if (!said.empty()) start += ": " + said;
  if (!what_to_do.empty()) start += fmt::format("; {}", one_line(what_to_do, 200));
  return without_key(std::move(start), endpoint.key);
}

}  // namespace

ApiError api_error_from(const json::Value& error) {
  if (const auto* text = error.if_string()) return {.message = std::string(*text)};
  const auto* object = error.if_object();
  if (object == nullptr) return {.message = json::write(error)};
  return {.message = text_of(object->if_contains("message")),
          .type = text_of(object->if_contains("type")),
          .code = text_of(object->if_contains("code"))};
}

std::optional<ApiError> api_error_in(std::string_view body) {
  const auto parsed = json::parse(body);
  if (!parsed || !parsed->is_object()) return std::nullopt;
  const auto& object = parsed->get_object();
  const auto* error = object.if_contains("error");
  if (error != nullptr && !error->is_null()) return api_error_from(*error);
  if (object.contains("message")) return api_error_from(*parsed);
  return std::nullopt;
}

Failure judge_response(const net::HttpHead& head, std::string_view body, const Endpoint& endpoint,
                       const base::Clock& clock) {
  const auto said = api_error_in(body);
  const std::string* type = head.find("content-type");
  if (head.status == 200) {
    if (said) return judge_stream_error(*said, endpoint);
    return {{ErrorKind::invalid,
             fmt::format("{} answered with {} instead of an event stream; check the base URL",
                         endpoint.base_url,
                         type == nullptr ? "an unknown type" : one_line(*type, 100))}};
  }
  // A body that is not the API's own (a proxy's page) says little: its first words.
  const ApiError error = said ? *said : ApiError{.message = one_line(body, 120)};
  return {
      {kind_of(head.status), line(fmt::format("HTTP {} from {}", head.status, endpoint.base_url),
                                  error, advice(head, error, endpoint), endpoint)},
      may_repeat(head) && !is_exhausted(error),
      asked_wait(head, clock)};
}

Failure judge_stream_error(const ApiError& error, const Endpoint& endpoint) {
  const auto passing = [](std::string_view word) {
    return word == "server_error" || word == "overloaded_error" || word == "rate_limit_error" ||
           word == "rate_limit_exceeded" || word == "api_error" || word == "slow_down" ||
           word == "429" || (word.size() == 3 && word[0] == '5');
  };
  const bool again = !is_exhausted(error) && (passing(error.code) || passing(error.type));
  return {{again ? ErrorKind::unavailable : ErrorKind::invalid,
           line(fmt::format("{} ended the reply with an error", endpoint.base_url), error,
                is_exhausted(error) ? "the account has no credit left" : "", endpoint)},
          again};
}

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  for (const char c : text.substr(0, limit + 4)) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (!control) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= limit && text.size() <= limit) return line;
  std::size_t end = std::min(limit, line.size());
  while (end > 0 && end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) {
    --end;
  }
  return line.substr(0, end) + "…";
}

std::string without_key(std::string text, const base::Secret& key) {
  static constexpr std::size_t shortest = 8;
  const std::string& secret = key.reveal();
  if (secret.size() < shortest) return text;
  for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
    text.replace(at, secret.size(), "[key]");
  }
  return text;
}

}  // namespace assent::provider
