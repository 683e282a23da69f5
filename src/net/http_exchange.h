#pragma once
// One request and its response on a curl handle.

#include "net/curl_library.h"
#include "net/http_client.h"

#include <chrono>
#include <string>
#include <string_view>

#include <curl/curl.h>

namespace assent::net {

// Made for one run() on one thread.
class HttpExchange {
 public:
  // Everything must outlive the exchange.
  HttpExchange(const CurlLibrary& curl, const HttpRequest& request, const HttpBounds& bounds,
               HttpReceiver& receiver);
  ~HttpExchange();
  HttpExchange(const HttpExchange&) = delete;
  HttpExchange& operator=(const HttpExchange&) = delete;

  // Blocks as HttpClient::send() does. `multi` serves nobody else meanwhile, and is clean after.
  base::Result<void> run(CURLM* multi, const base::StopToken& stop);

 private:
  using Time = std::chrono::steady_clock::time_point;

  base::Result<void> prepare();
  base::Result<void> add_headers();
  template <class Value>
  base::Result<void> set(CURLoption option, Value value);
  base::Result<void> transfer(CURLM* multi, const base::StopToken& stop);
  // How long to poll; an error where a bound has passed.
  base::Result<std::chrono::milliseconds> time_left();
  base::Result<void> outcome(CURLcode code);
  base::Error refused_connection();

  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count,
                               void* self) noexcept;
  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* self) noexcept;
  base::Result<void> header_line(std::string_view line);
  base::Result<void> body_piece(std::string_view piece);

  const CurlLibrary& curl_;
  const HttpRequest& request_;
  const HttpBounds& bounds_;
  HttpReceiver& receiver_;
  CURL* easy_;
  curl_slist* headers_ = nullptr;
  char detail_[CURL_ERROR_SIZE] = {};  // curl's own words for a failure
  std::string origin_{};               // scheme, host and port, for messages

  HttpHead head_{};
  bool head_done_ = false;
  std::size_t header_bytes_ = 0;
  std::size_t body_bytes_ = 0;
  base::Result<void> stopped_by_{};  // why one of the callbacks ended the transfer
  Time started_{};
  Time last_byte_{};
  curl_off_t uploaded_ = 0;
};

}  // namespace assent::net
