#pragma once
// The `tools/pre-execute` waterfall (source 2, layer 1): may this call go on?

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "scope/waterfall.h"
#include "tool/execution.h"

namespace assent::tool {

// B-005: not a boolean. A deny has a reason by its type (B-006).
// `context` is for the model, whatever becomes of the call; it stands behind the result.
struct Allow {
  std::string context{};
  bool operator==(const Allow&) const = default;
};
struct Deny {
  std::string reason;
  std::string by = "listener";
  bool operator==(const Deny&) const = default;
};
struct AskHuman {
  std::optional<std::string> reason{};
  std::string by = "listener";
  std::string context{};
  bool operator==(const AskHuman&) const = default;
};
using PreToolDecision = std::variant<Allow, Deny, AskHuman>;

// Deny beats ask beats allow; of two equals the first. The context of both stays, but with a deny.
PreToolDecision stricter(PreToolDecision a, PreToolDecision b);
// Where a decision holds its context; null for a deny.
std::string* context_of(PreToolDecision& decision);

// Any thread.
class PreExecute {
 public:
  using Chain = scope::Waterfall<PreToolDecision, Execution>;

  // The shipped form: `policy` is the outermost listener whatever is prepended later, and can only
  // be added to by the others, never overruled (decisions.md, step 2).
  static PreExecute with_policy(std::function<PreToolDecision(const Execution&)> policy) {
    return PreExecute(std::move(policy));
  }
  // The bare mechanism (B-010), for compositions that say so by name (K-04).
  static PreExecute without_policy() { return PreExecute({}); }

  [[nodiscard]] scope::Registration add(std::function<Chain::Listener> listener,
                                        scope::Placement placement = {}) {
    return chain_.add(std::move(listener), std::move(placement));
  }

  // A listener or policy that throws denies (B-159). The policy runs here; the listeners on a
  // thread of their own, and where they do not return after the execution's stop has fired, the
  // call is denied without them.
  // The calling thread is the session's writer; it serves the session meanwhile.
  [[nodiscard]] PreToolDecision decide(const Execution& execution, session::Session& session) const;

 private:
  explicit PreExecute(std::function<PreToolDecision(const Execution&)> policy)
      : policy_(std::move(policy)) {}
  [[nodiscard]] PreToolDecision others(Execution execution, session::Session& session) const;

  std::function<PreToolDecision(const Execution&)> policy_;
  Chain chain_;
};

// The shipped policy listener: review, as the session's knobs have it. Pure.
PreToolDecision policy_listener(const Execution& execution);

}  // namespace assent::tool
