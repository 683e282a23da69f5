#pragma once
// Where open questions lie until somebody answers: any number of channels show them, and the first
// valid answer counts (decisions.md, "several channels").

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "approval/types.h"
#include "base/clock.h"
#include "scope/registration.h"

namespace assent::approval {

// A channel, as the inbox sees it. Calls come from any thread and must not wait for a human.
class InboxChannel {
 public:
  virtual ~InboxChannel() = default;
  virtual void question_opened(const Request& request) = 0;
  // Answered, by `by`, or withdrawn, where `by` is empty.
  virtual void question_closed(const vocabulary::RequestId& id, const std::string& by) = 0;
};

// Any thread.
class Inbox final : public Handler {
 public:
  explicit Inbox(const base::Clock& clock) : clock_(clock) {}

  // Opens the question in every channel and waits. ErrorKind::unavailable where there is no
  // channel, or where each has given the question up; ErrorKind::cancelled as soon as `stop` fires;
  // ErrorKind::invalid for an empty id or one that is open.
  base::Result<Answer> approve(const Request& request, const base::StopToken& stop) override;

  // The channel hears what is open now, then what opens, until the registration goes.
  [[nodiscard]] scope::Registration join(std::shared_ptr<InboxChannel> channel);

  // ErrorKind::invalid for a decision outside the set or an answer of nobody; ErrorKind::not_found
  // for a question that is not open; ErrorKind::conflict, saying by whom, where another answer was
  // first. A missing time is filled in.
  base::Result<void> settle(const vocabulary::RequestId& id, Answer answer);
  // `channel` will not answer this question.
  void give_up(const vocabulary::RequestId& id, const InboxChannel& channel, std::string why);

  // Oldest first.
  [[nodiscard]] std::vector<Request> open() const;

 private:
  struct Entry;
  struct Table;
  const base::Clock& clock_;
  std::shared_ptr<Table> table_ = make_table();
  static std::shared_ptr<Table> make_table();
};

}  // namespace assent::approval
