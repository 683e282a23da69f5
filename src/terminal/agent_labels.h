#pragma once
// What the user reads for an agent: nothing for the root, "child 1", "child 2" … in the order in
// which they first asked.

#include <mutex>
#include <string>
#include <vector>

#include "vocabulary/ids.h"

namespace assent::terminal {

// Any thread.
class AgentLabels {
 public:
  std::string of(const vocabulary::AgentRef& agent);

 private:
  std::mutex mutex_;
  std::vector<vocabulary::AgentId> children_;
};

}  // namespace assent::terminal
