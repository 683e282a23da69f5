#include "approval/inbox.h"

#include <future>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "approval/handler_channel.h"
#include "base/testing/fake_clock.h"

namespace assent::approval {
namespace {

using base::ErrorKind;

// Remembers what it was told.
class Listening final : public InboxChannel {
 public:
  void question_opened(const Request& request) override {
    const std::lock_guard lock(mutex_);
    opened_.push_back(request.id.text());
    changed_.notify_all();
  }
  void question_closed(const vocabulary::RequestId& id, const std::string& by) override {
    const std::lock_guard lock(mutex_);
    closed_.push_back(id.text() + " by " + by);
  }
  void wait_for(std::size_t opened) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return opened_.size() >= opened; });
  }
  std::vector<std::string> closed() {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> opened_;
  std::vector<std::string> closed_;
};

class InboxTest : public ::testing::Test {
 protected:
  base::testing::FakeClock clock_;
  Inbox inbox_{clock_};
  base::StopSource stop_;

  static Request request(const std::string& id = "r1") { return {.id = vocabulary::RequestId(id)}; }
  std::future<base::Result<Answer>> ask(const std::string& id = "r1") {
    return std::async(std::launch::async,
                      [this, id] { return inbox_.approve(request(id), stop_.token()); });
  }
  static Answer answer(const std::string& by, Decision decision = Decision::allow_once) {
    return {.decision = decision, .at_ms = 7, .by = by};
  }
};

//
TEST_F(InboxTest, TheFirstValidAnswerCountsAndTheSecondIsToldWhoWasFirst) {
  const auto web = std::make_shared<Listening>();
  const auto terminal = std::make_shared<Listening>();
  const auto a = inbox_.join(web);
  const auto b = inbox_.join(terminal);
  auto asked = ask();
  web->wait_for(1);
  terminal->wait_for(1);
  const vocabulary::RequestId id("r1");
  EXPECT_EQ(inbox_.settle(id, answer("web:eve", static_cast<Decision>(9))).error().kind,
            ErrorKind::invalid);
  EXPECT_EQ(inbox_.settle(id, answer("")).error().kind, ErrorKind::invalid);
  EXPECT_EQ(inbox_.settle(vocabulary::RequestId("r2"), answer("web:eve")).error().message,
            "审批请求不存在或已结束");
  ASSERT_TRUE(inbox_.settle(id, answer("web:ann")));
  const auto second = inbox_.settle(id, answer("terminal:bob", Decision::deny));
  EXPECT_EQ(second.error().kind, ErrorKind::conflict);
  EXPECT_EQ(second.error().message, "审批请求已经响应: web:ann");
  EXPECT_EQ(*asked.get(), answer("web:ann"));
  EXPECT_EQ(web->closed(), std::vector<std::string>{"r1 by web:ann"});
  EXPECT_EQ(terminal->closed(), std::vector<std::string>{"r1 by web:ann"});
  EXPECT_EQ(inbox_.settle(id, answer("terminal:bob")).error().kind, ErrorKind::conflict);
  EXPECT_EQ(inbox_.open(), std::vector<Request>{});
}

TEST_F(InboxTest, AMissingTimeIsTheInboxs) {
  const auto channel = std::make_shared<Listening>();
  const auto joined = inbox_.join(channel);
  auto asked = ask();
  channel->wait_for(1);
  ASSERT_TRUE(inbox_.settle(vocabulary::RequestId("r1"), {.by = "web:ann"}));
  EXPECT_EQ(asked.get()->at_ms, clock_.now_ms());
}

TEST_F(InboxTest, AWithdrawnQuestionReturnsAtOnceAndTakesNoAnswer) {
  const auto channel = std::make_shared<Listening>();
  const auto joined = inbox_.join(channel);
  auto asked = ask();
  channel->wait_for(1);
  stop_.request_stop();
  EXPECT_EQ(asked.get().error().kind, ErrorKind::cancelled);
  EXPECT_EQ(inbox_.settle(vocabulary::RequestId("r1"), answer("web:ann")).error().kind,
            ErrorKind::not_found);
  EXPECT_EQ(channel->closed(), std::vector<std::string>{"r1 by "});
  EXPECT_EQ(inbox_.approve(request(), stop_.token()).error().kind, ErrorKind::cancelled);
}

TEST_F(InboxTest, WithoutAChannelNobodyIsThere) {
  EXPECT_EQ(inbox_.approve(request(), {}).error().kind, ErrorKind::unavailable);
  EXPECT_EQ(inbox_.approve({}, {}).error().kind, ErrorKind::invalid);
}

TEST_F(InboxTest, AChannelThatLeavesOrFailsTakesNobodysQuestionAlong) {
  class Broken final : public InboxChannel {
    void question_opened(const Request&) override { throw std::runtime_error("broken"); }
    void question_closed(const vocabulary::RequestId&, const std::string&) override {
      throw std::runtime_error("broken");
    }
  };
  const auto broken = inbox_.join(std::make_shared<Broken>());
  EXPECT_EQ(inbox_.approve(request(), {}).error().message, "the channel failed");

  const auto channel = std::make_shared<Listening>();
  auto joined = inbox_.join(channel);
  auto asked = ask();
  channel->wait_for(1);
  EXPECT_EQ(inbox_.approve(request(), {}).error().kind, ErrorKind::invalid) << "open already";
  // Who comes later is shown what is open.
  const auto late = std::make_shared<Listening>();
  const auto late_joined = inbox_.join(late);
  late->wait_for(1);
  joined.reset();
  EXPECT_EQ(inbox_.open(), std::vector{request()});
  ASSERT_TRUE(inbox_.settle(vocabulary::RequestId("r1"), answer("late:bob")));
  EXPECT_EQ(asked.get()->by, "late:bob");
}

TEST_F(InboxTest, WhenTheLastChannelLeavesNobodyIsThere) {
  const auto channel = std::make_shared<Listening>();
  auto joined = inbox_.join(channel);
  auto asked = ask();
  channel->wait_for(1);
  joined.reset();
  EXPECT_EQ(asked.get().error().kind, ErrorKind::unavailable);
}

// A handler that waits for its stop, or answers.
class Slow final : public Handler {
 public:
  std::function<base::Result<Answer>(const base::StopToken&)> work;
  base::Result<Answer> approve(const Request&, const base::StopToken& stop) override {
    return work(stop);
  }
};

//
TEST_F(InboxTest, AHandlerIsAChannelAmongOthers) {
  Slow handler;
  const auto channel = std::make_shared<HandlerChannel>(inbox_, handler);
  const auto joined = inbox_.join(channel);
  handler.work = [](const auto&) { return Answer{.at_ms = 7, .by = "terminal:bob"}; };
  EXPECT_EQ(*inbox_.approve(request(), {}), answer("terminal:bob", Decision::deny));

  handler.work = [](const auto&) -> base::Result<Answer> {
    return base::failure(ErrorKind::io, "the terminal is gone");
  };
  EXPECT_EQ(inbox_.approve(request("r2"), {}).error().message, "the terminal is gone");
  handler.work = [](const auto&) -> base::Result<Answer> { throw std::runtime_error("broken"); };
  EXPECT_EQ(inbox_.approve(request("r3"), {}).error().message, "broken");

  // Another channel is faster: the handler is told to let go, and has when approve() returns.
  bool let_go = false;
  handler.work = [&](const base::StopToken& stop) -> base::Result<Answer> {
    let_go = stop.wait_for(std::chrono::hours(1));
    return base::failure(ErrorKind::cancelled, "cancelled");
  };
  const auto web = std::make_shared<Listening>();
  const auto web_joined = inbox_.join(web);
  auto asked = ask("r4");
  web->wait_for(1);
  ASSERT_TRUE(inbox_.settle(vocabulary::RequestId("r4"), answer("web:ann")));
  EXPECT_EQ(asked.get()->by, "web:ann");
  EXPECT_TRUE(let_go);
}

}  // namespace
}  // namespace assent::approval
