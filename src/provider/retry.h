#pragma once
// When a failed model request is sent again, and after what wait. The rules are those of the two
// official client libraries (docs: OpenAI and Anthropic, retries): the server's word first, else a
// wait that doubles.

#include <optional>

#include "base/clock.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/stop.h"
#include "net/http_client.h"

namespace assent::provider {

// One attempt that failed.
struct Failure {
  base::Error error;
  bool again = false;                        // the same request may succeed later
  std::optional<base::Milliseconds> wait{};  // what the server asked for
};

// How the time between two attempts passes; a test lets none pass.
class Waiter {
 public:
  virtual ~Waiter() = default;
  // True where `stop` ended the wait.
  [[nodiscard]] virtual bool wait(base::Milliseconds time, const base::StopToken& stop) = 0;
};

class StopWaiter final : public Waiter {
 public:
  [[nodiscard]] bool wait(base::Milliseconds time, const base::StopToken& stop) override {
    return stop.wait_for(time);
  }
};

// Whether a response with this head may be repeated: x-should-retry, else the status (408, 409, 429
// and 500 up).
bool may_repeat(const net::HttpHead& head);

// retry-after-ms, else retry-after in seconds or as an HTTP date (RFC 9110, section 5.6.7, the
// preferred form); nullopt where there is none that can be read. Never negative.
std::optional<base::Milliseconds> asked_wait(const net::HttpHead& head, const base::Clock& clock);

// min(0.5 s · 2ⁿ, 8 s) less up to a quarter of it, so that clients that failed together do not come
// back together. `failed` attempts were made, at least 1.
base::Milliseconds backoff(int failed, base::Rng& rng);

// Whether the transport's failure may pass: no connection, no answer, a broken connection.
bool may_pass(base::ErrorKind kind);

}  // namespace assent::provider
