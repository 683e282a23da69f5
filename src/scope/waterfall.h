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

  // The listeners of one dispatch. Owns them: it may be run when the waterfall is gone.
  class Chain {
   public:
    [[nodiscard]] bool empty() const { return listeners_.empty(); }
    Output run(const Input& input, const Next& innermost) const {
      const std::function<Output(std::size_t)> from = [&](std::size_t index) -> Output {
        if (index == listeners_.size()) return innermost();
        return (*listeners_[index])(input, [&, index] { return from(index + 1); });
      };
      return from(0);
    }

   private:
    friend class Waterfall;
    explicit Chain(std::vector<std::shared_ptr<std::function<Listener>>> listeners)
        : listeners_(std::move(listeners)) {}
    std::vector<std::shared_ptr<std::function<Listener>>> listeners_;
  };

  // Those that hear a call at `path`, as they stand now.
  [[nodiscard]] Chain chain(const ScopePath& path) const { return Chain(listeners_.at(path)); }

  Output run(const Input& input, const ScopePath& path, const Next& innermost) const {
    return chain(path).run(input, innermost);
  }

 private:
  Listeners<Listener> listeners_;
};

}  // namespace assent::scope
