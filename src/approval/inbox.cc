#include "approval/inbox.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"

namespace assent::approval {

using base::ErrorKind;
using base::failure;
using base::Result;

// One open question: who still shows it, and what came of it.
struct Inbox::Entry {
  Request request;
  std::set<const InboxChannel*> showing{};
  std::string given_up{};
  std::optional<Answer> answer{};
};

struct Inbox::Table {
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::shared_ptr<InboxChannel>> channels;
  std::vector<std::shared_ptr<Entry>> open;
  // Who answered what lately, for those who come second.
  std::deque<std::pair<vocabulary::RequestId, std::string>> answered;

  [[nodiscard]] std::shared_ptr<Entry> find(const vocabulary::RequestId& id) const {
    const auto found = std::ranges::find(open, id, [](const auto& e) { return e->request.id; });
    return found == open.end() ? nullptr : *found;
  }
  void close(const std::shared_ptr<Entry>& entry) {
    std::erase(open, entry);
    if (!entry->answer) return;
    answered.emplace_back(entry->request.id, entry->answer->by);
    if (answered.size() > base::limits::inbox_answered) answered.pop_front();
  }
};

std::shared_ptr<Inbox::Table> Inbox::make_table() { return std::make_shared<Table>(); }

namespace {

// A channel that throws shows nothing.
bool opens(InboxChannel& channel, const Request& request) {
  try {
    channel.question_opened(request);
    return true;
  } catch (...) {
    return false;
  }
}

bool in_set(Decision decision) {
  return decision == Decision::allow_once || decision == Decision::allow_session ||
         decision == Decision::deny;
}

}  // namespace

Result<Answer> Inbox::approve(const Request& request, const base::StopToken& stop) {
  if (request.id.empty()) return failure(ErrorKind::invalid, "a question needs an id");
  if (stop.stop_requested()) return failure(ErrorKind::cancelled, "cancelled");
  const auto entry = std::make_shared<Entry>(Entry{.request = request});
  std::vector<std::shared_ptr<InboxChannel>> channels;
  {
    const std::lock_guard lock(table_->mutex);
    if (table_->find(request.id) != nullptr) {
      return failure(ErrorKind::invalid, "a question with this id is open already");
    }
    table_->open.push_back(entry);
    channels = table_->channels;
    for (const auto& channel : channels) entry->showing.insert(channel.get());
  }
  for (const auto& channel : channels) {
    if (!opens(*channel, request)) give_up(request.id, *channel, "the channel failed");
  }
  const std::stop_callback wake(stop.std_token(), [table = table_] {
    const std::lock_guard lock(table->mutex);
    table->changed.notify_all();
  });
  {
    std::unique_lock lock(table_->mutex);
    table_->changed.wait(
        lock, [&] { return entry->answer || entry->showing.empty() || stop.stop_requested(); });
    table_->close(entry);
    channels = table_->channels;
  }
  const std::string by = entry->answer ? entry->answer->by : "";
  for (const auto& channel : channels) {
    try {
      channel->question_closed(request.id, by);
    } catch (...) {
      // Contained: the question is closed whatever a channel makes of it.
    }
  }
  if (entry->answer) return *entry->answer;
  if (stop.stop_requested()) return failure(ErrorKind::cancelled, "cancelled");
  return failure(ErrorKind::unavailable,
                 entry->given_up.empty() ? "no channel is open" : entry->given_up);
}

scope::Registration Inbox::join(std::shared_ptr<InboxChannel> channel) {
  std::vector<Request> missed;
  {
    const std::lock_guard lock(table_->mutex);
    table_->channels.push_back(channel);
    for (const auto& entry : table_->open) {
      entry->showing.insert(channel.get());
      missed.push_back(entry->request);
    }
  }
  for (const auto& request : missed) {
    if (!opens(*channel, request)) give_up(request.id, *channel, "the channel failed");
  }
  return scope::Registration([weak = std::weak_ptr(table_), channel] {
    const auto table = weak.lock();
    if (table == nullptr) return;
    const std::lock_guard lock(table->mutex);
    std::erase(table->channels, channel);
    for (const auto& entry : table->open) entry->showing.erase(channel.get());
    table->changed.notify_all();
  });
}

Result<void> Inbox::settle(const vocabulary::RequestId& id, Answer answer) {
  if (!in_set(answer.decision)) return failure(ErrorKind::invalid, "no decision of the set");
  if (answer.by.empty()) return failure(ErrorKind::invalid, "an answer of nobody");
  const std::lock_guard lock(table_->mutex);
  const auto entry = table_->find(id);
  const auto told = std::ranges::find(table_->answered, id, [](const auto& a) { return a.first; });
  if (told != table_->answered.end() || (entry != nullptr && entry->answer)) {
    return failure(
        ErrorKind::conflict,
        fmt::format("审批请求已经响应: {}", entry != nullptr ? entry->answer->by : told->second));
  }
  if (entry == nullptr) return failure(ErrorKind::not_found, "审批请求不存在或已结束");
  if (answer.at_ms == 0) answer.at_ms = clock_.now_ms();
  entry->answer = std::move(answer);
  table_->changed.notify_all();
  return {};
}

void Inbox::give_up(const vocabulary::RequestId& id, const InboxChannel& channel, std::string why) {
  const std::lock_guard lock(table_->mutex);
  const auto entry = table_->find(id);
  if (entry == nullptr || entry->showing.erase(&channel) == 0) return;
  entry->given_up = std::move(why);
  table_->changed.notify_all();
}

std::vector<Request> Inbox::open() const {
  const std::lock_guard lock(table_->mutex);
  std::vector<Request> requests;
  for (const auto& entry : table_->open) requests.push_back(entry->request);
  return requests;
}

}  // namespace assent::approval
