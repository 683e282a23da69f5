#include "session/session.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace assent::session {

using base::Result;

// One submitted command and what came of it.
struct Session::Pending {
  Command command;
  std::optional<Result<void>> result{};
};

Session::Session(Services services, vocabulary::SessionId id)
    : services_(services), id_(std::move(id)) {}

Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(Services services, event::SessionOpened header) {
  auto id = base::make_id<vocabulary::SessionId>(services.clock, services.rng);
  std::unique_ptr<Session> session(new Session(services, std::move(id)));
  TRY(session->append(std::move(header)));
  return session;
}

Result<std::unique_ptr<Session>> Session::resume(Services services,
                                                 const vocabulary::SessionId& id) {
  std::unique_ptr<Session> session(new Session(services, id));
  TRY(session->replay());
  if (!session->state_.opened()) {
    return base::failure(base::ErrorKind::not_found, fmt::format("no session {}", id.text()));
  }
  TRY(session->append(event::repair(session->state_)));
  return session;
}

Result<void> Session::replay() {
  static constexpr std::int64_t page = 1024;
  while (true) {
    const auto records = TRY(services_.store.read(id_, next_seq_, page));
    for (const auto& record : records) {
      if (record.seq != next_seq_ || record.prev_hash != last_hash_) {
        return base::failure(base::ErrorKind::corrupt,
                             fmt::format("session {}: event {} does not follow the one before it",
                                         id_.text(), next_seq_));
      }
      const auto event = TRY(event::open(id_, record));
      auto allowed = state_.check(event.data);
      if (!allowed) {
        return base::failure(base::ErrorKind::corrupt,
                             fmt::format("session {}: event {}: {}", id_.text(), next_seq_,
                                         allowed.error().message));
      }
      state_.apply(event);
      conversation_.apply(event);
      ++next_seq_;
      last_hash_ = record.hash;
    }
    if (std::cmp_less(records.size(), page)) return {};
  }
}

Result<void> Session::append(event::Data data) {
  std::vector<event::Data> one;
  one.push_back(std::move(data));
  return append(std::move(one));
}

Result<void> Session::append(std::vector<event::Data> data) {
  if (data.empty()) return {};
  // Checked and folded on a copy, which becomes the state once the store has acknowledged.
  event::State ahead = state_;
  std::vector<event::Event> events;
  std::vector<event::Record> records;
  const std::int64_t now = services_.clock.now_ms();
  std::string hash = last_hash_;
  for (auto& one : data) {
    TRY(ahead.check(one));
    events.push_back({.session = id_,
                      .seq = next_seq_ + static_cast<std::int64_t>(events.size()),
                      .time_ms = now,
                      .data = std::move(one)});
    ahead.apply(events.back());
    records.push_back(TRY(event::seal(events.back(), hash)));
    hash = records.back().hash;
  }
  TRY(services_.store.append(id_, next_seq_, records));
  next_seq_ += static_cast<std::int64_t>(records.size());
  last_hash_ = std::move(hash);
  state_ = std::move(ahead);
  for (const auto& event : events) conversation_.apply(event);
  for (std::size_t i = 0; i < events.size(); ++i) {
    for (const auto& observer : observers_.at({})) {
      try {
        (*observer)(events[i], records[i]);
      } catch (...) {
        // Contained: the event stands whatever a spectator does.
      }
    }
  }
  return {};
}

Session::Writer::Writer(Session& session) : session_(session) {
  std::unique_lock lock(session_.mutex_);
  session_.changed_.wait(lock, [&] { return !session_.written_; });
  session_.written_ = true;
}

Session::Writer::~Writer() {
  // What was submitted too late for the last serve_until() is run by its own submitter.
  const std::lock_guard lock(session_.mutex_);
  session_.written_ = false;
  session_.changed_.notify_all();
}

void Session::serve_until(const std::function<bool()>& done, std::int64_t deadline_ms) {
  std::unique_lock lock(mutex_);
  while (true) {
    while (!commands_.empty()) {
      const auto pending = commands_.front();
      commands_.pop_front();
      lock.unlock();
      auto result = pending->command(*this);
      lock.lock();
      pending->result = std::move(result);
      changed_.notify_all();
    }
    // Asked under the lock, so that a wake() between the question and the wait is not lost.
    if (done()) return;
    if (deadline_ms == 0) {
      changed_.wait(lock);
      continue;
    }
    const base::Milliseconds left(deadline_ms - services_.clock.now_ms());
    if (left.count() <= 0) return;
    changed_.wait_for(lock, left);
  }
}

Result<void> Session::submit(Command command) {
  auto pending = std::make_shared<Pending>(Pending{std::move(command)});
  {
    std::unique_lock lock(mutex_);
    commands_.push_back(pending);
    changed_.notify_all();
    changed_.wait(lock, [&] { return pending->result.has_value() || !written_; });
    if (pending->result) return *pending->result;
    written_ = true;
  }
  serve_until([&] { return pending->result.has_value(); });
  const std::lock_guard lock(mutex_);
  written_ = false;
  changed_.notify_all();
  return *pending->result;
}

std::function<void()> Session::waker() const {
  return [signal = signal_] {
    const std::lock_guard lock(signal->mutex);
    signal->changed.notify_all();
  };
}

scope::Registration Session::observe(std::function<Observer> observer) {
  return observers_.add(std::move(observer));
}

}  // namespace assent::session
