#include "base/stop.h"

#include <poll.h>

#include <thread>

#include <gtest/gtest.h>

namespace assent::base {
namespace {

TEST(Stop, WakesAPollAtOnceAndStaysRaised) {
  StopSource source;
  const StopToken token = source.token();
  EXPECT_FALSE(token.stop_requested());
  std::jthread other([&] { source.request_stop(); });
  EXPECT_TRUE(token.wait_for(std::chrono::minutes(1)));
  for (int i = 0; i < 2; ++i) {
    pollfd wake{.fd = token.fd(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&wake, 1, 0), 1);
  }
}

TEST(Stop, AChildStopsWithItsParentAndNotTheOtherWay) {
  StopSource parent;
  StopSource child(parent.token());
  StopSource sibling(parent.token());
  sibling.request_stop();
  EXPECT_FALSE(parent.stop_requested());
  EXPECT_FALSE(child.stop_requested());
  parent.request_stop();
  EXPECT_TRUE(child.stop_requested());
  EXPECT_TRUE(StopSource(parent.token()).stop_requested());
}

TEST(Stop, ADefaultTokenNeverStops) {
  EXPECT_FALSE(StopToken().stop_requested());
  EXPECT_FALSE(StopToken().wait_for(std::chrono::milliseconds(1)));
  EXPECT_EQ(StopToken().fd(), -1);
}

}  // namespace
}  // namespace assent::base
