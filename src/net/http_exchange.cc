#include "net/http_exchange.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <sys/socket.h>

namespace assent::net {
namespace {

using base::ErrorKind;
using std::chrono::milliseconds;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// RFC 9110, section 5.6.2.
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string seconds(milliseconds time) {
  return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000);
}

// A socket that no child inherits; curl's own are not close-on-exec.
curl_socket_t open_socket(void*, curlsocktype, curl_sockaddr* address) noexcept {
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Scheme, host and port of `url`: what a message may show of it.
base::Result<std::string> origin_of(const CurlLibrary& curl, const std::string& url) {
  const std::unique_ptr<CURLU, decltype(curl.url_cleanup)> parsed(curl.url(), curl.url_cleanup);
  if (url.find('\0') != std::string::npos || parsed == nullptr ||
      curl.url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
    return base::failure(ErrorKind::invalid, "the address is not a valid http or https URL");
  }
  const auto part = [&](CURLUPart which) {
    char* text = nullptr;
    std::string copy;
    if (curl.url_get(parsed.get(), which, &text, 0) == CURLUE_OK) copy = text;
    curl.free(text);
    return copy;
  };
  const std::string scheme = lower_case(part(CURLUPART_SCHEME));
  if (scheme != "http" && scheme != "https") {
    return base::failure(ErrorKind::invalid,
                         fmt::format("{} is not supported: only http and https are", scheme));
  }
  const std::string port = part(CURLUPART_PORT);
  return fmt::format("{}://{}{}{}", scheme, part(CURLUPART_HOST), port.empty() ? "" : ":", port);
}

}  // namespace

HttpExchange::HttpExchange(const CurlLibrary& curl, const HttpRequest& request,
                           const HttpBounds& bounds, HttpReceiver& receiver)
    : curl_(curl),
      request_(request),
      bounds_(bounds),
      receiver_(receiver),
      easy_(curl.easy_init()) {}

HttpExchange::~HttpExchange() {
  if (easy_ != nullptr) curl_.easy_cleanup(easy_);
  curl_.slist_free_all(headers_);
}

template <class Value>
base::Result<void> HttpExchange::set(CURLoption option, Value value) {
  const CURLcode code = curl_.easy_setopt(easy_, option, value);
  if (code == CURLE_OK) return {};
  return base::failure(ErrorKind::unavailable,
                       fmt::format("the installed libcurl lacks an option that HTTP needs: {}",
                                   curl_.easy_strerror(code)));
}

base::Result<void> HttpExchange::run(CURLM* multi, const base::StopToken& stop) {
  TRY(prepare());
  const CURLMcode added = curl_.multi_add_handle(multi, easy_);
  if (added != CURLM_OK) {
    return base::failure(ErrorKind::internal,
                         fmt::format("cannot start a transfer: {}", curl_.multi_strerror(added)));
  }
  auto result = transfer(multi, stop);
  (void)curl_.multi_remove_handle(multi, easy_);
  return result;
}

base::Result<void> HttpExchange::prepare() {
  if (easy_ == nullptr) return base::failure(ErrorKind::unavailable, "out of memory for a request");
  origin_ = TRY(origin_of(curl_, request_.url));
  if (!is_token(request_.method)) {
    return base::failure(ErrorKind::invalid, "the HTTP method is not a token");
  }
  TRY(set(CURLOPT_URL, request_.url.c_str()));
  TRY(set(CURLOPT_PROTOCOLS_STR, "http,https"));
  TRY(set(CURLOPT_FOLLOWLOCATION, 0L));
  TRY(set(CURLOPT_NOSIGNAL, 1L));
  // A cancel while a name resolves must not wait for the resolver's thread.
  TRY(set(CURLOPT_QUICK_EXIT, 1L));
  TRY(set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(bounds_.connect.count())));
  TRY(set(CURLOPT_TCP_KEEPALIVE, 1L));
  TRY(set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L));
  TRY(set(CURLOPT_OPENSOCKETFUNCTION, &open_socket));
  TRY(set(CURLOPT_ERRORBUFFER, detail_));
  TRY(set(CURLOPT_HEADERFUNCTION, &HttpExchange::on_header));
  TRY(set(CURLOPT_HEADERDATA, this));
  TRY(set(CURLOPT_WRITEFUNCTION, &HttpExchange::on_body));
  TRY(set(CURLOPT_WRITEDATA, this));
  if (request_.method == "HEAD") {
    TRY(set(CURLOPT_NOBODY, 1L));
  } else if (!request_.body.empty() || request_.method == "POST") {
    TRY(set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size())));
    TRY(set(CURLOPT_POSTFIELDS, request_.body.data()));
  }
  TRY(set(CURLOPT_CUSTOMREQUEST, request_.method.c_str()));
  TRY(add_headers());
  return set(CURLOPT_HTTPHEADER, headers_);
}

base::Result<void> HttpExchange::add_headers() {
  const auto append = [this](const std::string& line) -> base::Result<void> {
    curl_slist* longer = curl_.slist_append(headers_, line.c_str());
    if (longer == nullptr) {
      return base::failure(ErrorKind::unavailable, "out of memory for a request");
    }
    headers_ = longer;
    return {};
  };
  const auto add = [&](std::string_view name, const std::string& value) -> base::Result<void> {
    if (!is_token(name)) return base::failure(ErrorKind::invalid, "a header's name is not a token");
    if (std::ranges::any_of(value, is_control)) {
      return base::failure(ErrorKind::invalid,
                           fmt::format("the value of header {} has a control character", name));
    }
    // curl's notation of a header without a value.
    return append(value.empty() ? fmt::format("{};", name) : fmt::format("{}: {}", name, value));
  };
  HttpHead given{.headers = request_.headers};
  for (const Header& header : given.headers) TRY(add(header.name, header.value));
  if (!request_.bearer.empty()) TRY(add("Authorization", "Bearer " + request_.bearer.reveal()));
  // Headers that curl would add by itself: a guessed type, and a question that costs a second.
  if (given.find("Content-Type") == nullptr) TRY(append("Content-Type:"));
  return append("Expect:");
}

base::Result<void> HttpExchange::transfer(CURLM* multi, const base::StopToken& stop) {
  started_ = last_byte_ = std::chrono::steady_clock::now();
  curl_waitfd wake{.fd = stop.fd(), .events = CURL_WAIT_POLLIN, .revents = 0};
  const unsigned wakes = stop.fd() >= 0 ? 1 : 0;
  for (;;) {
    if (stop.stop_requested())
      return base::failure(ErrorKind::cancelled, "the request was cancelled");
    int running = 0;
    CURLMcode code = curl_.multi_perform(multi, &running);
    if (!stopped_by_) return stopped_by_;
    if (code == CURLM_OK && running == 0) break;
    const milliseconds wait = TRY(time_left());
    if (code == CURLM_OK) {
      code = curl_.multi_poll(multi, &wake, wakes, static_cast<int>(wait.count()), nullptr);
    }
    if (code != CURLM_OK) {
      return base::failure(ErrorKind::io, fmt::format("waiting for {} failed: {}", origin_,
                                                      curl_.multi_strerror(code)));
    }
  }
  int left = 0;
  const CURLMsg* message = curl_.multi_info_read(multi, &left);
  return outcome(message != nullptr ? message->data.result : CURLE_RECV_ERROR);
}

base::Result<milliseconds> HttpExchange::time_left() {
  const Time now = std::chrono::steady_clock::now();
  curl_off_t uploaded = 0;
  (void)curl_.easy_getinfo(easy_, CURLINFO_SIZE_UPLOAD_T, &uploaded);
  if (uploaded != std::exchange(uploaded_, uploaded)) last_byte_ = now;
  const auto left = [&](Time from, milliseconds bound) {
    return std::chrono::ceil<milliseconds>(from + bound - now);
  };
  milliseconds wait = left(last_byte_, bounds_.silence);
  if (wait.count() <= 0) {
    return base::failure(ErrorKind::timed_out,
                         fmt::format("{} sent nothing for {}", origin_, seconds(bounds_.silence)));
  }
  if (bounds_.total) {
    wait = std::min(wait, left(started_, *bounds_.total));
    if (wait.count() <= 0) {
      return base::failure(ErrorKind::timed_out,
                           fmt::format("{} took longer than {}", origin_, seconds(*bounds_.total)));
    }
  }
  return std::min(wait, milliseconds(60'000));
}

base::Error HttpExchange::refused_connection() {
  long code = 0;
  (void)curl_.easy_getinfo(easy_, CURLINFO_OS_ERRNO, &code);
  std::string why = "no connection";
  if (code != 0) {
    why = std::strerror(static_cast<int>(code));
    if (!why.empty()) why[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(why[0])));
  }
  return {ErrorKind::unavailable, fmt::format("cannot reach {}: {}", origin_, why), "connect",
          static_cast<int>(code)};
}

base::Result<void> HttpExchange::outcome(CURLcode code) {
  std::string detail(detail_[0] != '\0' ? detail_ : curl_.easy_strerror(code));
  std::ranges::replace_if(detail, is_control, ' ');
  switch (code) {
    case CURLE_OK: return {};
    case CURLE_COULDNT_RESOLVE_HOST:
      return base::failure(ErrorKind::unavailable,
                           fmt::format("cannot reach {}: unknown host", origin_));
    case CURLE_COULDNT_RESOLVE_PROXY:
      return base::failure(ErrorKind::unavailable,
                           fmt::format("cannot reach {}: unknown host of the proxy", origin_));
    case CURLE_COULDNT_CONNECT: return base::failure(refused_connection());
    case CURLE_OPERATION_TIMEDOUT:
      return base::failure(ErrorKind::timed_out,
                           fmt::format("cannot reach {}: no connection within {}", origin_,
                                       seconds(bounds_.connect)));
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return base::failure(ErrorKind::denied,
                           fmt::format("cannot trust {}: {}", origin_, trim(detail)));
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return base::failure(ErrorKind::unavailable,
                           fmt::format("cannot reach {}: TLS failed: {}", origin_, trim(detail)));
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return base::failure(ErrorKind::io,
                           fmt::format("{} broke the connection off before the response was "
                                       "complete",
                                       origin_));
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return base::failure(ErrorKind::invalid, fmt::format("{} does not speak HTTP", origin_));
    default:
      return base::failure(ErrorKind::io,
                           fmt::format("HTTP with {} failed: {}", origin_, trim(detail)));
  }
}

std::size_t HttpExchange::on_header(char* bytes, std::size_t size, std::size_t count,
                                    void* self) noexcept {
  auto& exchange = *static_cast<HttpExchange*>(self);
  exchange.stopped_by_ = exchange.header_line({bytes, size * count});
  exchange.last_byte_ = std::chrono::steady_clock::now();
  return exchange.stopped_by_ ? size * count : 0;
}

std::size_t HttpExchange::on_body(char* bytes, std::size_t size, std::size_t count,
                                  void* self) noexcept {
  auto& exchange = *static_cast<HttpExchange*>(self);
  exchange.stopped_by_ = exchange.body_piece({bytes, size * count});
  exchange.last_byte_ = std::chrono::steady_clock::now();
  return exchange.stopped_by_ ? size * count : 0;
}

// Called for each line of each head: those of 1xx responses come first, trailers last.
base::Result<void> HttpExchange::header_line(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > base::limits::http_headers) {
    return base::failure(ErrorKind::limit, fmt::format("{} sent more than {} bytes of headers",
                                                       origin_, base::limits::http_headers));
  }
  if (head_done_) return {};
  const std::string_view text = trim(line);
  if (text.empty()) {
    long status = 0;
    (void)curl_.easy_getinfo(easy_, CURLINFO_RESPONSE_CODE, &status);
    if (status < 200) return {};
    head_.status = static_cast<int>(status);
    head_done_ = true;
    return receiver_.head(head_);
  }
  const std::size_t colon = text.find(':');
  if (text.starts_with("HTTP/")) {
    head_ = {};
  } else if (colon != std::string_view::npos) {
    head_.headers.push_back(
        {std::string(trim(text.substr(0, colon))), std::string(trim(text.substr(colon + 1)))});
  }
  return {};
}

base::Result<void> HttpExchange::body_piece(std::string_view piece) {
  body_bytes_ += piece.size();
  if (body_bytes_ > bounds_.response_size) {
    return base::failure(ErrorKind::limit,
                         fmt::format("{} sent more than {} bytes", origin_, bounds_.response_size));
  }
  return receiver_.body(piece);
}

}  // namespace assent::net
