#pragma once
// SIGINT, SIGTERM and SIGHUP as a stop: what runs is cancelled, the log is closed, the exit code
// is 4.

#include <atomic>
#include <mutex>
#include <thread>

#include "base/fd.h"
#include "base/stop.h"

namespace assent::app {

// Make one after the spawner was forked and before any other thread: from then on the signals are
// blocked in all threads and read by one of its own. Any thread may aim it.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // While one lives, a signal stops `stop`. The last one made is the one that counts.
  class Aim {
   public:
    Aim(Interrupts& interrupts, base::StopSource& stop);
    ~Aim();
    Aim(const Aim&) = delete;
    Aim& operator=(const Aim&) = delete;

   private:
    Interrupts& interrupts_;
    base::StopSource* before_;
  };

  // The last signal that came; 0 before the first.
  [[nodiscard]] int last_signal() const { return last_signal_; }

 private:
  void watch();

  base::Fd signals_;
  base::StopSource ended_;
  std::mutex mutex_;
  base::StopSource* aim_ = nullptr;
  std::atomic<int> last_signal_ = 0;
  std::jthread watcher_;
};

}  // namespace assent::app
