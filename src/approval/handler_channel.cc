#include "approval/handler_channel.h"

#include <exception>
#include <utility>

namespace assent::approval {

HandlerChannel::~HandlerChannel() {
  for (auto& [id, showing] : showing_) showing->withdrawn.request_stop();
}

void HandlerChannel::question_opened(const Request& request) {
  const std::lock_guard lock(mutex_);
  auto showing = std::make_unique<Showing>();
  showing->thread = std::jthread(
      [this, request, withdrawn = showing->withdrawn.token()] { show(request, withdrawn); });
  showing_.insert_or_assign(request.id, std::move(showing));
}

void HandlerChannel::show(const Request& request, const base::StopToken& withdrawn) {
  try {
    auto answer = handler_.approve(request, withdrawn);
    if (!answer) {
      inbox_.give_up(request.id, *this, answer.error().message);
      return;
    }
    // Whoever was first has been told to all channels; there is nothing to add.
    auto settled = inbox_.settle(request.id, std::move(*answer));
    if (!settled) inbox_.give_up(request.id, *this, settled.error().message);
  } catch (const std::exception& error) {
    inbox_.give_up(request.id, *this, error.what());
  } catch (...) {
    inbox_.give_up(request.id, *this, "the handler failed");
  }
}

void HandlerChannel::question_closed(const vocabulary::RequestId& id, const std::string&) {
  std::unique_ptr<Showing> showing;
  {
    const std::lock_guard lock(mutex_);
    const auto found = showing_.find(id);
    if (found == showing_.end()) return;
    showing = std::move(found->second);
    showing_.erase(found);
  }
  showing->withdrawn.request_stop();
}

}  // namespace assent::approval
