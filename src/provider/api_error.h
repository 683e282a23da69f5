#pragma once
// What a model API says when it refuses, and the one line that a person reads of it.

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/secret.h"
#include "json/value.h"
#include "net/http_client.h"
#include "provider/retry.h"

namespace assent::provider {

// The members of {"error": {"message", "type", "code"}}; absent ones are empty.
struct ApiError {
  std::string message{};
  std::string type{};
  std::string code{};
  bool operator==(const ApiError&) const = default;
};

// From the "error" member of a body or of a stream's chunk: an object, or only a text.
ApiError api_error_from(const json::Value& error);
// From a whole body: {"error": …}, or {"message": …} as some servers write it; nullopt elsewhere.
std::optional<ApiError> api_error_in(std::string_view body);

// Where the request went, for the advice in a message.
struct Endpoint {
  std::string base_url{};
  std::string model{};
  base::Secret key{};
  std::string key_variable{};  // where a person sets the key: "OPENAI_API_KEY"
};

// A response that is no stream, judged: "HTTP 401 from BASE: the server's words (code); what to
// do". The kind follows the status: 401 and 403 denied, 404 not_found, 408 and 504 timed_out, 413
// limit, 429 and 5xx unavailable, the rest invalid. An exhausted account is never tried again.
Failure judge_response(const net::HttpHead& head, std::string_view body, const Endpoint& endpoint,
                       const base::Clock& clock);
// An error object inside a stream.
Failure judge_stream_error(const ApiError& error, const Endpoint& endpoint);

// `text` on one line without control characters, cut at a character to at most `limit` bytes.
std::string one_line(std::string_view text, std::size_t limit);
// `text` with every occurrence of the key replaced; a key of fewer than 8 bytes is a placeholder.
std::string without_key(std::string text, const base::Secret& key);

}  // namespace assent::provider
