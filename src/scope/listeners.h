#pragma once
// An ordered list of registered functions, each with a scope. Dispatch works on a copy of the list,
// so that registering or unregistering during a dispatch concerns the next one (P-050). Any thread.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "scope/registration.h"
#include "scope/scope_path.h"

namespace assent::scope {

enum class Position : std::uint8_t { append, prepend };

struct Placement {
  ScopeTag scope{};
  Position position = Position::append;
};

template <class Signature>
class Listeners {
 public:
  using Function = std::function<Signature>;

  [[nodiscard]] Registration add(Function function, Placement placement = {}) {
    const std::lock_guard lock(state_->mutex);
    const std::uint64_t id = state_->next_id++;
    Entry entry{id, std::move(placement.scope), std::make_shared<Function>(std::move(function))};
    auto& entries = state_->entries;
    entries.insert(placement.position == Position::prepend ? entries.begin() : entries.end(),
                   std::move(entry));
    return Registration([weak = std::weak_ptr<State>(state_), id] {
      if (auto state = weak.lock()) state->remove(id);
    });
  }

  // Those that hear a call at `path`, in order of registration (prepended ones first, last first).
  [[nodiscard]] std::vector<std::shared_ptr<Function>> at(const ScopePath& path) const {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::shared_ptr<Function>> found;
    for (const Entry& entry : state_->entries) {
      if (covers(entry.scope, path)) found.push_back(entry.function);
    }
    return found;
  }

  // The same, ordered by scope: global ones, then from the farthest ancestor to the path's own
  // agent.
  [[nodiscard]] std::vector<std::shared_ptr<Function>> outside_in(const ScopePath& path) const {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::shared_ptr<Function>> found;
    const auto take = [&](const ScopeTag& tag) {
      for (const Entry& entry : state_->entries) {
        if (entry.scope == tag) found.push_back(entry.function);
      }
    };
    take(std::nullopt);
    for (const auto& agent : path.from_root()) take(agent);
    return found;
  }

 private:
  struct Entry {
    std::uint64_t id;
    ScopeTag scope;
    std::shared_ptr<Function> function;
  };
  struct State {
    std::mutex mutex;
    std::uint64_t next_id = 0;
    std::vector<Entry> entries;
    void remove(std::uint64_t id) {
      const std::lock_guard lock(mutex);
      std::erase_if(entries, [&](const Entry& entry) { return entry.id == id; });
    }
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace assent::scope
