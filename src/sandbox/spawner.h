#pragma once
// The small process that every call is forked from: a fork of the harness, once it has grown, costs
// tens of milliseconds (sandbox-facts, section 1).

#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/command.h"

namespace assent::sandbox {

// Owned by the harness; the process ends when this goes, or when the harness does.
class Spawner {
 public:
  // Forks. The calling process must have no other thread.
  static base::Result<Spawner> start(std::vector<Body> bodies);
  Spawner(Spawner&&) = default;
  Spawner& operator=(Spawner&&) = default;
  ~Spawner();

  // Starts the supervisor of one call, which takes copies of the four descriptors: control, input,
  // output, errors. Not for two threads at once.
  [[nodiscard]] base::Result<void> spawn(std::span<const int> descriptors) const;

 private:
  Spawner(base::Fd socket, int pid) : socket_(std::move(socket)), pid_(pid) {}
  base::Fd socket_;
  int pid_ = -1;
};

}  // namespace assent::sandbox
