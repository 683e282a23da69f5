#include "net/curl_http_client.h"

#include "net/curl_library.h"
#include "net/http_exchange.h"

#include <utility>

namespace assent::net {
namespace {

// Lines that stay open between requests: more agents at a time than this connect anew.
constexpr std::size_t idle_lines = 8;

}  // namespace

struct CurlHttpClient::Line {
  explicit Line(const CurlLibrary& library) : curl(library), multi(library.multi_init()) {}
  ~Line() {
    if (multi != nullptr) (void)curl.multi_cleanup(multi);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;

  const CurlLibrary& curl;
  CURLM* multi;
};

CurlHttpClient::CurlHttpClient() = default;
CurlHttpClient::~CurlHttpClient() = default;

base::Result<void> CurlHttpClient::send(const HttpRequest& request, const HttpBounds& bounds,
                                        HttpReceiver& receiver, const base::StopToken& stop) {
  auto line = TRY(take_line());
  auto result = HttpExchange(line->curl, request, bounds, receiver).run(line->multi, stop);
  give_back(std::move(line));
  return result;
}

base::Result<std::unique_ptr<CurlHttpClient::Line>> CurlHttpClient::take_line() {
  const std::scoped_lock lock(mutex_);
  if (curl_ == nullptr) curl_ = std::make_unique<const CurlLibrary>(TRY(CurlLibrary::load()));
  if (!idle_.empty()) {
    auto line = std::move(idle_.back());
    idle_.pop_back();
    return line;
  }
  auto line = std::make_unique<Line>(*curl_);
  if (line->multi == nullptr) {
    return base::failure(base::ErrorKind::unavailable, "out of memory for a connection");
  }
  return line;
}

void CurlHttpClient::give_back(std::unique_ptr<Line> line) {
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < idle_lines) idle_.push_back(std::move(line));
}

}  // namespace assent::net
