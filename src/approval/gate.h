#pragma once
// Policy → grants → handler (source 1). Executes nothing, logs nothing, knows no channel.

#include <optional>
#include <string>

#include "approval/types.h"
#include "base/clock.h"
#include "base/rng.h"

namespace assent::approval {

// What check() found; `by` names the decider, `via` the grant that answered.
struct Ruling {
  Decision decision = Decision::deny;
  std::string by{};
  std::optional<vocabulary::GrantId> via{};
  std::optional<std::string> feedback{};
  std::optional<std::string> edited{};  // only with deny
  // The grant that this ruling saved; it counts once its own question is decided in the log.
  std::optional<Grant> saved{};
  bool operator==(const Ruling&) const = default;
};

// A-032 … A-034: safe → auto_allow; mutating, dangerous → ask; anything else → deny.
class DefaultPolicy final : public Policy {
 public:
  [[nodiscard]] PolicyDecision evaluate(const Request& request) const override;
};

// Holds references: a gate without one of its parts cannot be written. Thread-safe as far
// as its parts are.
class Gate {
 public:
  Gate(const Policy& policy, Handler& handler, GrantStore& grants, const base::Clock& clock,
       base::Rng& rng)
      : policy_(policy), handler_(handler), grants_(grants), clock_(clock), rng_(rng) {}

  // A-054 … A-062. Errors of the grant store and the handler come back as they are; a decision
  // outside the set is a deny (D-01); so is allow_session on a request that is not grantable, or
  // for a scope that the request does not offer (K-01).
  base::Result<Ruling> check(const Request& request, const base::StopToken& stop);

 private:
  base::Result<Ruling> ask_handler(const Request& request, const base::StopToken& stop);

  const Policy& policy_;
  Handler& handler_;
  GrantStore& grants_;
  const base::Clock& clock_;
  base::Rng& rng_;
};

}  // namespace assent::approval
