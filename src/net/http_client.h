#pragma once
// HTTP out, as far as a client of model APIs and tool servers needs it: one request, its response
// streamed to a receiver while it arrives.

#include "base/limits.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/stop.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assent::net {

struct Header {
  std::string name;
  std::string value;
  bool operator==(const Header&) const = default;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;  // http or https
  std::vector<Header> headers{};
  base::Secret bearer{};  // where not empty: "Authorization: Bearer …"
  std::string body{};
};

struct HttpHead {
  int status = 0;
  std::vector<Header> headers{};

  // The first header of this name, compared without case; nullptr where there is none.
  [[nodiscard]] const std::string* find(std::string_view name) const;
};

struct HttpBounds {
  std::chrono::milliseconds connect = base::limits::request_connect;
  // Neither direction moved a byte for this long.
  std::chrono::milliseconds silence = base::limits::request_silence;
  // The whole exchange; none for a stream that may last.
  std::optional<std::chrono::milliseconds> total{};
  std::size_t response_size = base::limits::http_response;
};

// What arrives, in order: the head once, then the body in pieces. Called on the thread that called
// send(); an error returned here ends the exchange and is what send() returns.
class HttpReceiver {
 public:
  virtual ~HttpReceiver() = default;
  virtual base::Result<void> head(const HttpHead& head) = 0;
  virtual base::Result<void> body(std::string_view piece) = 0;
};

class HttpClient {
 public:
  virtual ~HttpClient() = default;
  // Blocks until the response is complete, whatever its status, or it failed. Redirects are not
  // followed: a 3xx is a response like any other. Any thread, several at a time. Errors are one
  // line, name the origin of the URL only, and carry nothing of the headers:
  //   cancelled    `stop` fired; noticed at once
  //   timed_out    one of `bounds`
  //   unavailable  no connection: refused, unknown host, no route
  //   io           the connection broke before the response was complete
  //   denied       the server's certificate was not accepted
  //   limit        a response larger than `bounds`
  //   invalid      a URL or a header that cannot be sent, an answer that is not HTTP
  //   not_found    the HTTP library is not installed
  virtual base::Result<void> send(const HttpRequest& request, const HttpBounds& bounds,
                                  HttpReceiver& receiver, const base::StopToken& stop) = 0;
};

}  // namespace assent::net
