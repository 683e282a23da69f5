#pragma once
// An HttpClient that plays prepared exchanges and keeps what it was sent. One thread at a time.

#include "net/http_client.h"

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace assent::net::testing {

struct FakeResponse {
  HttpHead head{.status = 200};
  std::vector<std::string> pieces{};
  // How the exchange ends behind the last piece; before the head where `connects` is false.
  base::Result<void> end{};
  bool connects = true;
  // Called before each piece, with its number.
  std::function<void(std::size_t)> before_piece{};
};

class FakeHttpClient final : public HttpClient {
 public:
  void add(FakeResponse response) { responses_.push_back(std::move(response)); }

  // Without a response left: ErrorKind::unavailable. A stop between two pieces is noticed.
  base::Result<void> send(const HttpRequest& request, const HttpBounds& bounds,
                          HttpReceiver& receiver, const base::StopToken& stop) override {
    requests.push_back(request);
    bounds_seen.push_back(bounds);
    if (responses_.empty()) return base::failure(base::ErrorKind::unavailable, "no response left");
    const FakeResponse response = std::move(responses_.front());
    responses_.pop_front();
    if (!response.connects) return response.end;
    TRY(receiver.head(response.head));
    for (std::size_t i = 0; i < response.pieces.size(); ++i) {
      if (response.before_piece) response.before_piece(i);
      if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
      TRY(receiver.body(response.pieces[i]));
    }
    return response.end;
  }

  std::vector<HttpRequest> requests{};
  std::vector<HttpBounds> bounds_seen{};

 private:
  std::deque<FakeResponse> responses_{};
};

}  // namespace assent::net::testing
