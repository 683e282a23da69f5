#pragma once
// Vetoes that nothing turns back (source 2, layer 2). A guard has no way to say yes (B-014); source
// 1's registry middleware is one (K-17).

#include <functional>
#include <optional>
#include <string>

#include "scope/listeners.h"
#include "tool/execution.h"

namespace assent::tool {

// Any thread. Guards are synchronous and must not wait for anyone (B-167).
class Guards {
 public:
  // A reason vetoes, nothing does not.
  using Guard = std::optional<std::string>(const Execution&);

  [[nodiscard]] scope::Registration add(std::function<Guard> guard,
                                        scope::Placement placement = {}) {
    return guards_.add(std::move(guard), std::move(placement));
  }

  // The first reason: the global layer, then from the farthest ancestor to the call's own agent
  // (B-017, B-018). A guard that throws vetoes (D-12).
  [[nodiscard]] std::optional<std::string> veto(const Execution& execution) const;

 private:
  scope::Listeners<Guard> guards_;
};

}  // namespace assent::tool
