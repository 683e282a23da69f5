#pragma once
// Middleware around a default: each listener answers, or delegates to the rest with next() (P-050).

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "scope/listeners.h"

namespace assent::scope {

// A listener that throws ends the dispatch with its exception: each seam that owns a waterfall
// catches it there and fails closed.
template <class Output, class Input>
class Waterfall {
 public:
  using Next = std::function<Output()>;
  using Listener = Output(const Input&, const Next&);

  [[nodiscard]] Registration add(std::function<Listener> listener, Placement placement = {}) {
    return listeners_.add(std::move(listener), std::move(placement));
  }

  Output run(const Input& input, const ScopePath& path, const Next& innermost) const {
    const auto chain = listeners_.at(path);
    const std::function<Output(std::size_t)> from = [&](std::size_t index) -> Output {
      if (index == chain.size()) return innermost();
      return (*chain[index])(input, [&, index] { return from(index + 1); });
    };
    return from(0);
  }

 private:
  Listeners<Listener> listeners_;
};

}  // namespace assent::scope
