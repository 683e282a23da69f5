#include "base/rng.h"

#include <sys/random.h>

#include <cerrno>

#include "base/result.h"

namespace assent::base {

void SystemRng::fill(std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = ::getrandom(out.data(), out.size(), 0);
    if (got < 0) {
      if (errno == EINTR) continue;
      detail::die(system_error("getrandom", errno), __FILE__, __LINE__);
    }
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace assent::base
