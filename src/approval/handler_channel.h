#pragma once
// A handler that blocks, such as the terminal's, as one channel of an inbox.

#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "approval/inbox.h"

namespace assent::approval {

// Each question is shown on a thread of its own, and withdrawn from the handler as soon as another
// channel has answered it. Any thread.
class HandlerChannel final : public InboxChannel {
 public:
  // Both must outlive this. The destructor withdraws what is still shown and waits for the handler.
  HandlerChannel(Inbox& inbox, Handler& handler) : inbox_(inbox), handler_(handler) {}
  ~HandlerChannel() override;

  void question_opened(const Request& request) override;
  // Returns when the handler has let go of the question.
  void question_closed(const vocabulary::RequestId& id, const std::string& by) override;

 private:
  struct Showing {
    base::StopSource withdrawn;
    std::jthread thread;
  };
  void show(const Request& request, const base::StopToken& withdrawn);

  Inbox& inbox_;
  Handler& handler_;
  std::mutex mutex_;
  std::map<vocabulary::RequestId, std::unique_ptr<Showing>> showing_;
};

}  // namespace assent::approval
