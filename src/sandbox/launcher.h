#pragma once
// Runs a command in the sandbox, or not at all. Knows nothing of humans: it returns denials.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "sandbox/command.h"
#include "vocabulary/modes.h"

namespace assent::sandbox {

// One thing that was tried in a child at start, and what came of it.
struct Probe {
  std::string name;
  bool works = false;
  std::string detail{};  // the system call and its error, or what was enforced
  std::string remedy{};  // what the user can do, empty where it works
};

struct SelfTest {
  Enforcement enforcement = Enforcement::none;
  std::vector<Probe> probes{};
  std::vector<std::string> missing{};  // promises that are not kept here, in words
};

// Any thread; calls run side by side.
class Launcher {
 public:
  // Forks the spawn helper: call it before the process has threads and while it is small. `bodies`
  // are the functions that a Command may name.
  static base::Result<std::unique_ptr<Launcher>> create(std::span<const Body> bodies);
  virtual ~Launcher() = default;

  // What this kernel enforces: probed in a child on first use, then remembered.
  virtual const SelfTest& self_test() = 0;

  // Runs to the end, the time-out or the stop; nothing of the process tree is left then. Under a
  // confining mode ErrorKind::unavailable where the sandbox cannot be set up, and the command has
  // not run: a sandbox failure is never reported as output or as a denial.
  virtual base::Result<Finished> run(const Command& command, const Policy& policy,
                                     const base::StopToken& stop) = 0;
};

}  // namespace assent::sandbox
