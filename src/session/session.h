#pragma once
// The live session: the one writer of its log. Every event is durable before anything acts on it,
// and the state that the house reads is the fold of what is in the store.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/rng.h"
#include "event/codec.h"
#include "event/state.h"
#include "scope/listeners.h"
#include "store/event_store.h"

namespace assent::session {

// What a session needs from outside; all must outlive it.
struct Services {
  store::EventStore& store;
  const base::Clock& clock;
  base::Rng& rng;
};

class Session {
 public:
  using Observer = void(const event::Event&, const event::Record&);
  using Command = std::function<base::Result<void>(Session&)>;

  // A new session with a fresh id and its session/opened.
  static base::Result<std::unique_ptr<Session>> create(Services services,
                                                       event::SessionOpened header);
  // Replays a stored session and balances what its last writer left open (event::repair).
  static base::Result<std::unique_ptr<Session>> resume(Services services,
                                                       const vocabulary::SessionId& id);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const vocabulary::SessionId& id() const { return id_; }
  [[nodiscard]] const base::Clock& clock() const { return services_.clock; }
  [[nodiscard]] base::Rng& rng() const { return services_.rng; }

  // --- for the writer: the thread that holds a Writer --------------------------------------------

  // Holding one makes this thread the session's writer; it waits until no other thread is.
  class Writer {
   public:
    explicit Writer(Session& session);
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

   private:
    Session& session_;
  };

  // All of `data` or none, in this order, durable on return; then the observers hear each event.
  // What the log does not permit next is ErrorKind::invalid and nothing is written.
  base::Result<void> append(std::vector<event::Data> data);
  base::Result<void> append(event::Data data);
  [[nodiscard]] const event::State& state() const { return state_; }
  [[nodiscard]] const event::Conversation& conversation() const { return conversation_; }

  // Runs the commands that other threads submitted, until `done` is true or `deadline_ms` (of the
  // clock; 0 is never) has come. Both are asked again after each command and after each wake();
  // `done` is called under the session's lock and must only look.
  void serve_until(const std::function<bool()>& done, std::int64_t deadline_ms = 0);

  // --- any thread --------------------------------------------------------------------------------

  // Runs `command` on the writer's thread, as soon as that serves, and waits for it; where nobody
  // is the writer, this thread becomes it for the command. Not from the writer's own thread.
  base::Result<void> submit(Command command);
  // Makes serve_until() ask its condition again.
  void wake() { waker()(); }
  // The same, for those who may outlive the session.
  [[nodiscard]] std::function<void()> waker() const;
  // Called on the writer's thread after the events are durable. An observer that throws is left out
  // of that event and changes nothing (P-009, B-144).
  [[nodiscard]] scope::Registration observe(std::function<Observer> observer);

 private:
  struct Pending;
  Session(Services services, vocabulary::SessionId id);
  base::Result<void> replay();

  Services services_;
  vocabulary::SessionId id_;
  event::State state_;
  event::Conversation conversation_;
  std::int64_t next_seq_ = 0;
  std::string last_hash_ = event::first_prev_hash();
  scope::Listeners<Observer> observers_;

  struct Signal {
    std::mutex mutex;
    std::condition_variable changed;
  };
  const std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  std::mutex& mutex_ = signal_->mutex;
  std::condition_variable& changed_ = signal_->changed;
  bool written_ = false;  // somebody is the writer
  std::deque<std::shared_ptr<Pending>> commands_;
};

}  // namespace assent::session
