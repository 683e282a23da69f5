#pragma once
// HttpClient over libcurl. Proxies come from the environment as curl(1) takes them (http_proxy,
// HTTPS_PROXY, ALL_PROXY, NO_PROXY); certificates are checked against the system's store.

#include "net/http_client.h"

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace assent::net {

struct CurlLibrary;

// Any thread, several requests at a time. Connections stay open between requests. The library is
// loaded by the first send().
class CurlHttpClient final : public HttpClient {
 public:
  CurlHttpClient();
  ~CurlHttpClient() override;
  CurlHttpClient(const CurlHttpClient&) = delete;
  CurlHttpClient& operator=(const CurlHttpClient&) = delete;

  base::Result<void> send(const HttpRequest& request, const HttpBounds& bounds,
                          HttpReceiver& receiver, const base::StopToken& stop) override;

 private:
  struct Line;  // a curl multi handle: a set of open connections that serves one request at a time

  base::Result<std::unique_ptr<Line>> take_line();
  void give_back(std::unique_ptr<Line> line);

  std::mutex mutex_;
  std::unique_ptr<const CurlLibrary> curl_;  // guarded by mutex_ until it is set, then constant
  std::vector<std::unique_ptr<Line>> idle_;  // guarded by mutex_
};

}  // namespace assent::net
