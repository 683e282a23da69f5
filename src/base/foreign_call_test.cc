#include "base/foreign_call.h"

#include <atomic>
#include <latch>
#include <stdexcept>

#include <gtest/gtest.h>

namespace assent::base {
namespace {

TEST(ForeignCall, ReturnsWhatTheCallReturns) {
  std::latch told(1);
  ForeignCall<int> call([] { return 7; }, [&] { told.count_down(); });
  call.wait({});
  EXPECT_TRUE(call.ended());
  EXPECT_EQ(call.take(), 7);
  EXPECT_EQ(call.take(), std::nullopt);
  told.wait();
}

TEST(ForeignCall, ThrowsWhatTheCallThrows) {
  ForeignCall<int> call([]() -> int { throw std::runtime_error("broken"); });
  call.wait({});
  EXPECT_THROW(call.take(), std::runtime_error);
}

TEST(ForeignCall, WaitsForACallThatSeesTheStop) {
  StopSource stop;
  ForeignCall<int> call(
      [token = stop.token()] { return token.wait_for(std::chrono::hours(1)) ? 1 : 2; });
  std::jthread stopper([&] { stop.request_stop(); });
  call.wait(stop.token());
  EXPECT_EQ(call.take(), 1);
}

TEST(ForeignCall, LeavesACallBehindThatDoesNot) {
  const auto released = std::make_shared<std::latch>(1);
  const auto gone = std::make_shared<std::latch>(1);
  {
    StopSource stop;
    stop.request_stop();
    ForeignCall<int> call(
        [released] {
          released->wait();
          return 1;
        },
        [gone] { gone->count_down(); });
    call.wait(stop.token());
    EXPECT_FALSE(call.ended());
    EXPECT_EQ(call.take(), std::nullopt);
  }
  released->count_down();
  gone->wait();
}

}  // namespace
}  // namespace assent::base
