#include "base/clock.h"

namespace assent::base {

std::int64_t SystemClock::now_ms() const {
  using std::chrono::system_clock;
  return std::chrono::duration_cast<Milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace assent::base
