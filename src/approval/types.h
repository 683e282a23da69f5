#pragma once
// The words of the approval protocol (source 1; decisions.md, section 2). Values and four small
// interfaces; `Gate` strings them together.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/stop.h"
#include "vocabulary/confinement.h"
#include "vocabulary/effect.h"
#include "vocabulary/grant_scope.h"
#include "vocabulary/ids.h"
#include "vocabulary/message.h"
#include "vocabulary/risk.h"

namespace assent::approval {

// A value outside the set (only a cast makes one) never executes anything (D-01).
enum class Decision : std::uint8_t { allow_once, allow_session, deny };
//
enum class PolicyDecision : std::uint8_t { auto_allow, ask, deny };
// Whether a lasting answer may be offered for this request at all (K-01).
enum class Grantable : std::uint8_t { no, yes };

// Where the call stands among those of its message, so that a human sees the whole of it.
struct BatchPlace {
  std::size_t position = 1;  // from 1
  std::size_t total = 1;
  std::vector<std::string> pending{};  // one line for each call of the message, in order
  bool operator==(const BatchPlace&) const = default;
};

// What a human is asked. Everything here is frozen: the call that runs is the call that stands here
// (K-12). Texts are raw; a channel escapes them for display.
struct Request {
  vocabulary::RequestId id;
  vocabulary::SessionId session;
  vocabulary::AgentRef agent;
  vocabulary::ToolCall call;
  vocabulary::Risk risk = vocabulary::Risk::dangerous;
  std::string reason{};  // why it is asked, composed by the system
  std::int64_t created_ms = 0;
  std::int64_t expires_ms = 0;  // 0 = waits as long as the stop token does (K-13)
  std::string work_dir{};
  vocabulary::Confinement confinement{};
  vocabulary::Effects effects{};
  std::string digest{};  // of decisions.md, section 1
  Grantable grantable = Grantable::no;
  // What a lasting answer may cover beside this very call; only where it is grantable.
  std::vector<vocabulary::GrantScope> wider_scopes{};
  base::Milliseconds grant_ttl{};
  // For display, in the order that channels.md gives.
  std::string headline{};              // our own first line
  std::string asked_by{};              // "review", "rule:ID", "hook", "escalation"
  std::string diff{};                  // unified, for file changes; else empty
  std::string justification{};         // the model's word
  std::vector<std::string> missing{};  // promises that a partial sandbox does not keep
  BatchPlace batch{};
  bool operator==(const Request&) const = default;
};

struct Answer {
  Decision decision = Decision::deny;
  std::int64_t at_ms = 0;
  std::string by{};  // channel and user: "terminal:alice"
  std::optional<std::string> feedback{};
  // With allow_session: one of the request's wider scopes; else this very call.
  std::optional<vocabulary::GrantScope> scope{};
  // With deny: the arguments, as raw text, that the human wants to be judged instead.
  std::optional<std::string> edited{};
  bool operator==(const Answer&) const = default;
};

// brings one request to one channel and returns a standard answer. Knows neither
// agent nor registry. Blocks; returns ErrorKind::cancelled as soon as `stop` fires. Called on a
// thread of the question's own.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual base::Result<Answer> approve(const Request& request, const base::StopToken& stop) = 0;
};

// decides without asking anyone. Pure; any thread.
class Policy {
 public:
  virtual ~Policy() = default;
  [[nodiscard]] virtual PolicyDecision evaluate(const Request& request) const = 0;
};

// A human's "and again, for a while". `expires_ms` 0 never expires.
struct Grant {
  vocabulary::GrantId id;
  vocabulary::SessionId session;
  std::string tool_name;
  std::string work_dir;
  vocabulary::GrantScope scope{};
  vocabulary::RequestId request{};
  std::int64_t created_ms = 0;
  std::int64_t expires_ms = 0;
  bool operator==(const Grant&) const = default;
};

// All calls: any thread; a token that has fired gives ErrorKind::cancelled and touches
// nothing.
class GrantStore {
 public:
  virtual ~GrantStore() = default;
  // The grant that covers `request`, if one is alive.
  virtual base::Result<std::optional<vocabulary::GrantId>> has(const Request& request,
                                                               const base::StopToken& stop) = 0;
  virtual base::Result<void> save(const Grant& grant, const base::StopToken& stop) = 0;
  // A grant that is not there is no error.
  virtual base::Result<void> revoke(const Grant& grant, const base::StopToken& stop) = 0;
};

}  // namespace assent::approval
