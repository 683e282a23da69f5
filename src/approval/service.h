#pragma once
// The one entrance for approval requests (B-031): audits before it asks, decides fail-closed, draws
// nothing itself (B-003).

#include <functional>
#include <optional>
#include <string>

#include "approval/types.h"
#include "base/result.h"
#include "base/stop.h"
#include "scope/waterfall.h"
#include "session/session.h"
#include "vocabulary/outcome.h"

namespace assent::approval {

// What an answerer hears.
struct Asking {
  const Request& request;
  // Fires when the question is withdrawn: on cancellation, at the request's deadline, and when the
  // session's policy becomes `never`.
  const base::StopToken& stop;
};

// What an answerer returns. An outcome outside the four counts as `unavailable` (B-049).
struct Answered {
  vocabulary::ApprovalOutcome outcome = vocabulary::ApprovalOutcome::unavailable;
  std::string by{};
  std::optional<vocabulary::GrantId> via{};
  std::optional<std::string> feedback{};
  std::optional<std::string> edited{};  // new arguments; only with `rejected`
  std::optional<Grant> saved{};         // goes into the log behind the decision
  bool operator==(const Answered&) const = default;
};

// What came of a request, as the log says it.
struct Decided {
  vocabulary::RequestId id;
  vocabulary::ApprovalOutcome outcome = vocabulary::ApprovalOutcome::unavailable;
  std::string by{};
  std::optional<std::string> feedback{};
  // The call that a human put in its place, with an id for the log only (decisions.md, edited
  // arguments); it needs a decision of its own.
  std::optional<vocabulary::ToolCall> edited{};
  bool operator==(const Decided&) const = default;
};

// request() belongs on the thread of the session's writer; answerers come and go from any thread.
class ApprovalService {
 public:
  using Answerers = scope::Waterfall<Answered, Asking>;

  // In this order (B-032 … B-037, B-041 … B-049): open turn, else ErrorKind::invalid and nothing
  // happened; a fresh id and a durable approval/asked; fired stop → cancelled; policy `never` →
  // rejected, by "never"; a digest that a human rejected in this turn → rejected, by "repeat"
  // (B-122); the answerers' waterfall, innermost `unavailable`; a durable approval/decided. An
  // append that fails is the error returned, and no decision leaves (B-145). `draft.id`,
  // `created_ms` are set here.
  //
  // The answerers run on a thread of their own; meanwhile this one serves the session's commands. A
  // stop, the deadline (→ unavailable, K-13) and a policy that becomes `never` (→ rejected) decide
  // at once: an answer that comes later counts for nothing, and an answerer that never returns is
  // left behind (B-148, B-165).
  base::Result<Decided> request(session::Session& session, const scope::ScopePath& path,
                                Request draft, const base::StopToken& stop);

  // `prepend` is for gates that decide or delegate; siblings have no priority (P-056).
  [[nodiscard]] scope::Registration add_answerer(std::function<Answerers::Listener> answerer,
                                                 scope::Placement placement = {}) {
    return answerers_.add(std::move(answerer), std::move(placement));
  }

 private:
  Answered decide(session::Session& session, const scope::ScopePath& path, const Request& request,
                  const base::StopToken& stop) const;

  Answerers answerers_;
};

}  // namespace assent::approval
