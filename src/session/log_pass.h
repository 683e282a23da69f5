#pragma once
// Leave to append to a session from another thread, for as long as its writer is waiting there.

#include <memory>
#include <mutex>

#include "base/result.h"
#include "event/events.h"
#include "session/session.h"

namespace assent::session {

// Copies are one pass. The writer makes it before it waits, waits with serve_until(), and must take
// it back before it goes on; the session may then go, whatever copies are left.
class LogPass {
 public:
  LogPass() = default;  // taken back already
  explicit LogPass(Session& session) : desk_(std::make_shared<Desk>(session)) {}

  // Any thread but the writer's. ErrorKind::cancelled where the pass was taken back.
  base::Result<void> append(event::Data data) const {
    if (desk_ == nullptr) return base::failure(base::ErrorKind::cancelled, "nothing is logged now");
    const std::lock_guard lock(desk_->mutex);
    if (desk_->session == nullptr) {
      return base::failure(base::ErrorKind::cancelled, "nothing is logged any more");
    }
    return desk_->session->submit(
        [&](Session& session) { return session.append(std::move(data)); });
  }

  // The writer's thread, as a condition of serve_until(): false while an append is on its way,
  // which only the serving lets through.
  [[nodiscard]] bool take_back() const {
    if (desk_ == nullptr) return true;
    const std::unique_lock lock(desk_->mutex, std::try_to_lock);
    if (!lock) return false;
    desk_->session = nullptr;
    return true;
  }

 private:
  struct Desk {
    explicit Desk(Session& at) : session(&at) {}
    std::mutex mutex;
    Session* session;
  };
  std::shared_ptr<Desk> desk_;
};

}  // namespace assent::session
