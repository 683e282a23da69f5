#include "net/curl_http_client.h"

#include "net/curl_library.h"
#include "net/testing/loopback_server.h"

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assent::net {
namespace {

using base::ErrorKind;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::LoopbackServer;
using ::testing::Not;
using ::testing::StartsWith;

class Collector final : public HttpReceiver {
 public:
  base::Result<void> head(const HttpHead& head) override {
    heads.push_back(head);
    return {};
  }
  base::Result<void> body(std::string_view piece) override {
    text.append(piece);
    if (on_piece) on_piece();
    return answer;
  }
  std::vector<HttpHead> heads;
  std::string text;
  std::function<void()> on_piece;
  base::Result<void> answer{};
};

constexpr const char* hello =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-A: 1\r\nContent-Length: 5\r\n\r\nhello";

TEST(CurlHttpClient, SendsARequestAndStreamsTheResponse) {
  LoopbackServer server({{hello}});
  CurlHttpClient client;
  Collector got;
  const HttpRequest request{.method = "POST",
                            .url = server.url("/v1/x?y=1"),
                            .headers = {{"Content-Type", "application/json"}, {"X-Empty", ""}},
                            .bearer = base::Secret("key"),
                            .body = "{\"a\":1}"};
  const auto result = client.send(request, {}, got, {});
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(got.heads.size(), 1U);
  EXPECT_EQ(got.heads[0].status, 200);
  EXPECT_EQ(
      got.heads[0].headers,
      (std::vector<Header>{{"Content-Type", "text/plain"}, {"X-A", "1"}, {"Content-Length", "5"}}));
  EXPECT_EQ(*got.heads[0].find("x-a"), "1");
  EXPECT_EQ(got.heads[0].find("x-b"), nullptr);
  EXPECT_EQ(got.text, "hello");

  const std::string sent = server.requests().at(0);
  EXPECT_THAT(sent, StartsWith("POST /v1/x?y=1 HTTP/1.1\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\nAuthorization: Bearer key\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\nContent-Type: application/json\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\nX-Empty:\r\n"));
  EXPECT_THAT(sent, HasSubstr("\r\nContent-Length: 7\r\n"));
  EXPECT_THAT(sent, Not(HasSubstr("Expect")));
  EXPECT_THAT(sent, ::testing::EndsWith("\r\n\r\n{\"a\":1}"));
}

TEST(CurlHttpClient, KeepsTheConnectionForTheNextRequest) {
  LoopbackServer server({{hello}, {hello}});
  CurlHttpClient client;
  for (int i = 0; i < 2; ++i) {
    Collector got;
    ASSERT_TRUE(client.send({.url = server.url("/")}, {}, got, {}));
    EXPECT_EQ(got.text, "hello");
  }
  EXPECT_EQ(server.requests().size(), 2U);
  EXPECT_EQ(server.connections(), 1);
}

TEST(CurlHttpClient, PassesAnyStatusOnAndFollowsNoRedirect) {
  LoopbackServer server(
      {{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 307 Go\r\nLocation: "
        "http://127.0.0.1:1/\r\nContent-Length: 2\r\n\r\nno"}});
  CurlHttpClient client;
  Collector got;
  const auto result = client.send({.method = "POST", .url = server.url("/")}, {}, got, {});
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_EQ(got.heads.size(), 1U);
  EXPECT_EQ(got.heads[0].status, 307);
  EXPECT_EQ(*got.heads[0].find("location"), "http://127.0.0.1:1/");
  EXPECT_EQ(got.text, "no");
}

TEST(CurlHttpClient, SaysInOneLineThatNobodyListens) {
  CurlHttpClient client;
  Collector got;
  const auto result =
      client.send({.url = "http://user:secret@127.0.0.1:1/path?key=secret"}, {}, got, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), (base::Error{ErrorKind::unavailable,
                                         "cannot reach http://127.0.0.1:1: connection refused",
                                         "connect", ECONNREFUSED}));
}

TEST(CurlHttpClient, RefusesWhatItCannotSend) {
  struct Row {
    HttpRequest request;
    const char* message;
  };
  const std::vector<Row> rows{
      {{.url = ""}, "the address is not a valid http or https URL"},
      {{.url = "127.0.0.1/x"}, "the address is not a valid http or https URL"},
      {{.url = "http://a b/"}, "the address is not a valid http or https URL"},
      {{.url = std::string("http://a\0b/", 11)}, "the address is not a valid http or https URL"},
      {{.url = "file:///etc/passwd"}, "file is not supported: only http and https are"},
      {{.url = "FTP://127.0.0.1/"}, "ftp is not supported: only http and https are"},
      {{.method = "GET /", .url = "http://127.0.0.1:1/"}, "the HTTP method is not a token"},
      {{.url = "http://127.0.0.1:1/", .headers = {{"A:B", "x"}}}, "a header's name is not a token"},
      {{.url = "http://127.0.0.1:1/", .headers = {{"A", "x\r\nB: y"}}},
       "the value of header A has a control character"},
      {{.url = "http://127.0.0.1:1/", .bearer = base::Secret("key\n")},
       "the value of header Authorization has a control character"},
  };
  CurlHttpClient client;
  for (const Row& row : rows) {
    Collector got;
    const auto result = client.send(row.request, {}, got, {});
    ASSERT_FALSE(result) << row.message;
    EXPECT_EQ(result.error(), (base::Error{ErrorKind::invalid, row.message}));
  }
}

struct Broken {
  const char* name;
  testing::Reply reply;
  HttpBounds bounds;
  ErrorKind kind;
  const char* message;  // behind "http://127.0.0.1:PORT"
};

TEST(CurlHttpClient, TellsEveryKindOfFailureApart) {
  const testing::Reply endless{.text = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhel",
                               .then = testing::Then::hold};
  const std::vector<Broken> rows{
      {"cut body",
       {.text = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhel", .then = testing::Then::close},
       {},
       ErrorKind::io,
       " broke the connection off before the response was complete"},
      {"cut chunked body",
       {.text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel",
        .then = testing::Then::close},
       {},
       ErrorKind::io,
       " broke the connection off before the response was complete"},
      {"nothing",
       {.text = "", .then = testing::Then::close},
       {},
       ErrorKind::io,
       " broke the connection off before the response was complete"},
      {"silence",
       endless,
       {.silence = milliseconds(60)},
       ErrorKind::timed_out,
       " sent nothing for 0.06 s"},
      {"too slow",
       endless,
       {.total = milliseconds(60)},
       ErrorKind::timed_out,
       " took longer than 0.06 s"},
      {"too much",
       {.text = hello},
       {.response_size = 4},
       ErrorKind::limit,
       " sent more than 4 bytes"},
      {"too many headers",
       {.text = "HTTP/1.1 200 OK\r\n" +
                [] {
                  std::string lines;
                  for (int i = 0; i < 40; ++i) lines += "X: " + std::string(8000, 'x') + "\r\n";
                  return lines;
                }() +
                "\r\n",
        .then = testing::Then::close},
       {},
       ErrorKind::limit,
       " sent more than 262144 bytes of headers"},
      {"another protocol",
       {.text = "220 smtp ready\r\n", .then = testing::Then::close},
       {},
       ErrorKind::invalid,
       " does not speak HTTP"},
  };
  for (const Broken& row : rows) {
    LoopbackServer server({row.reply});
    CurlHttpClient client;
    Collector got;
    const auto result = client.send({.url = server.url("/")}, row.bounds, got, {});
    ASSERT_FALSE(result) << row.name;
    EXPECT_EQ(result.error(), (base::Error{row.kind, server.url("") + row.message})) << row.name;
  }
}

TEST(CurlHttpClient, EndsWithTheReceiversError) {
  LoopbackServer server({{hello}});
  CurlHttpClient client;
  Collector got;
  got.answer = base::failure(ErrorKind::invalid, "not this");
  const auto result = client.send({.url = server.url("/")}, {}, got, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), (base::Error{ErrorKind::invalid, "not this"}));
}

TEST(CurlHttpClient, NoticesAStopAtOnce) {
  LoopbackServer server(
      {{.text = "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhel", .then = testing::Then::hold}});
  CurlHttpClient client;
  Collector got;
  base::StopSource source;
  std::jthread canceller;
  std::chrono::steady_clock::time_point asked;
  got.on_piece = [&] {
    canceller = std::jthread([&] {
      std::this_thread::sleep_for(milliseconds(30));
      asked = std::chrono::steady_clock::now();
      source.request_stop();
    });
  };
  const auto result = client.send({.url = server.url("/")}, {}, got, source.token());
  const auto now = std::chrono::steady_clock::now();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::cancelled);
  EXPECT_LT(now - asked, milliseconds(1000));
  Collector none;
  EXPECT_EQ(client.send({.url = server.url("/")}, {}, none, source.token()).error().kind,
            ErrorKind::cancelled);
  EXPECT_TRUE(none.heads.empty());
}

TEST(CurlHttpClient, ServesSeveralThreads) {
  LoopbackServer server(std::vector<testing::Reply>(40, {hello}));
  CurlHttpClient client;
  std::vector<std::jthread> threads;
  std::atomic<int> good = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        Collector got;
        if (client.send({.url = server.url("/")}, {}, got, {}) && got.text == "hello") ++good;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(good, 40);
}

TEST(CurlLibrary, SaysWhatIsMissing) {
  const auto absent = CurlLibrary::load("libassent-no-such.so.4");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error(),
            (base::Error{ErrorKind::not_found,
                         "libassent-no-such.so.4 is needed for HTTP and is not installed (Debian: "
                         "libcurl4)"}));
  const auto wrong = CurlLibrary::load("libc.so.6");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace assent::net
