#pragma once
// SIGINT, SIGTERM and SIGHUP as a stop: the run is cancelled, the log is closed, the exit code
// is 4.

#include <thread>

#include "base/fd.h"
#include "base/stop.h"

namespace assent::app {

// Make one after the spawn helper was forked and before any other thread: the signals are blocked
// from then on in all threads and read by one of its own.
class Interrupts {
 public:
  explicit Interrupts(base::StopSource& stop);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  base::Fd signals_;
  base::StopSource ended_;
  std::jthread watcher_;
};

}  // namespace assent::app
