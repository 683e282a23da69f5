#pragma once
// A server on 127.0.0.1 that answers each request with the next prepared bytes, well-formed or not.

#include "base/fd.h"
#include "base/stop.h"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

namespace assent::net::testing {

enum class Then { keep_open, close, hold };  // hold: no further byte until the server goes

struct Reply {
  std::string text;
  Then then = Then::keep_open;
};

// Requests may come from any number of connections; each takes the next reply.
class LoopbackServer {
 public:
  explicit LoopbackServer(std::vector<Reply> replies)
      : replies_(std::move(replies)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_.get(), generic, size) != 0 || ::listen(listener_.get(), 16) != 0 ||
        ::getsockname(listener_.get(), generic, &size) != 0) {
      MUST(base::Result<void>(base::failure(base::system_error("bind", errno))));
    }
    port_ = ntohs(address.sin_port);
    accepter_ = std::jthread([this] { accept_all(); });
  }
  ~LoopbackServer() {
    stop_.request_stop();
    accepter_ = {};
    servers_.clear();
  }
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  [[nodiscard]] std::string url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
  }
  [[nodiscard]] std::vector<std::string> requests() const {
    const std::scoped_lock lock(mutex_);
    return requests_;
  }
  [[nodiscard]] int connections() const { return connections_; }

 private:
  bool readable(int fd) const {
    pollfd both[2] = {{.fd = fd, .events = POLLIN, .revents = 0},
                      {.fd = stop_.token().fd(), .events = POLLIN, .revents = 0}};
    return ::poll(both, 2, -1) > 0 && both[1].revents == 0;
  }
  void accept_all() {
    while (readable(listener_.get())) {
      base::Fd peer(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!peer.valid()) continue;
      ++connections_;
      servers_.emplace_back([this, connection = std::move(peer)] { serve(connection.get()); });
    }
  }
  // The length that the head announces; 0 without one.
  static std::size_t body_size(const std::string& head) {
    const auto at = head.find("Content-Length: ");
    return at == std::string::npos ? 0 : std::stoul(head.substr(at + 16));
  }
  void serve(int peer) {
    std::string input;
    while (readable(peer)) {
      char bytes[4096];
      const ssize_t got = ::recv(peer, bytes, sizeof bytes, 0);
      if (got <= 0) return;
      input.append(bytes, static_cast<std::size_t>(got));
      const auto head_end = input.find("\r\n\r\n");
      if (head_end == std::string::npos) continue;
      const std::size_t whole = head_end + 4 + body_size(input.substr(0, head_end + 2));
      if (input.size() < whole) continue;
      const Reply reply = next(input.substr(0, whole));
      input.erase(0, whole);
      (void)::send(peer, reply.text.data(), reply.text.size(), MSG_NOSIGNAL);
      if (reply.then == Then::close) return;
      if (reply.then == Then::hold) {
        pollfd wake{.fd = stop_.token().fd(), .events = POLLIN, .revents = 0};
        (void)::poll(&wake, 1, -1);
        return;
      }
    }
  }
  Reply next(std::string request) {
    const std::scoped_lock lock(mutex_);
    requests_.push_back(std::move(request));
    if (requests_.size() > replies_.size()) return {.text = "", .then = Then::close};
    return replies_[requests_.size() - 1];
  }

  std::vector<Reply> replies_;
  base::Fd listener_;
  in_port_t port_ = 0;
  base::StopSource stop_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;  // guarded by mutex_
  std::atomic<int> connections_ = 0;
  std::vector<std::jthread> servers_;  // the accepter's until it has ended
  std::jthread accepter_;
};

}  // namespace assent::net::testing
