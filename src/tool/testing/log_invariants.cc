#include "tool/testing/log_invariants.h"

#include <map>
#include <set>

#include <fmt/format.h>

#include "event/state.h"
#include "vocabulary/decider.h"

namespace assent::tool::testing {
namespace {

using vocabulary::ApprovalOutcome;
using vocabulary::ApprovalPolicy;

// Follows one log; each rule stands where its event is heard.
class Rules {
 public:
  explicit Rules(std::set<std::string> grants) : live_(std::move(grants)) {}
  std::vector<std::string> broken;

  void hear(const event::Event& event) {
    auto allowed = state_.check(event.data);
    if (!allowed) report(event, allowed.error().message);
    std::visit([&](const auto& data) { rule(event, data); }, event.data);
    state_.apply(event);
  }

  void end(Ended ended) {
    if (ended == Ended::in_a_crash) return;
    if (state_.turn_open()) broken.emplace_back("the turn is open");
    if (!state_.unanswered().empty()) broken.emplace_back("a call has no result");
    for (const auto& open : state_.open_approvals()) {
      broken.push_back(fmt::format("question {} was never decided", open.id.text()));
    }
  }

 private:
  struct Question {
    std::string about;  // the log's id of the call
    std::optional<ApprovalOutcome> outcome{};
  };

  void report(const event::Event& event, std::string_view what) {
    broken.push_back(fmt::format("event {}: {}", event.seq, what));
  }
  // "c1#3" is about the model's call c1.
  static std::string model_id(const std::string& id) { return id.substr(0, id.find('#')); }

  void rule(const event::Event&, const event::AssistantMessage& message) {
    for (const auto& call : message.calls) results_.erase(call.id.text());
    asked_about_.clear();
    refused_.clear();
  }

  void rule(const event::Event& event, const event::ApprovalAsked& asked) {
    const std::string about = asked.call_id ? asked.call_id->text() : "";
    if (!asked_about_.insert(about).second) report(event, "a call has two questions");
    questions_[asked.id.text()] = {.about = about};
  }

  void rule(const event::Event& event, const event::ApprovalDecided& decided) {
    Question& question = questions_[decided.id.text()];
    if (question.outcome) report(event, "a question is decided twice");
    question.outcome = decided.outcome;
    const bool allowed = decided.outcome == ApprovalOutcome::allowed_once;
    const bool by_grant = decided.by == vocabulary::by_grant;
    if (decided.by.empty()) report(event, "decided by nobody");
    if (allowed && !by_grant && !vocabulary::is_human(decided.by)) {
      report(event, "neither a human nor a grant allowed it");
    }
    if (by_grant != decided.via.has_value()) report(event, "a grant that is not named");
    if (decided.via && !live_.contains(decided.via->text())) {
      report(event, "a grant that does not count answered");
    }
    if (allowed && state_.knobs().approval == ApprovalPolicy::never) {
      report(event, "allowed under never");
    }
    if (!allowed && !decided.edited) refused_.insert(model_id(question.about));
  }

  void rule(const event::Event& event, const event::GrantSaved& saved) {
    const auto question = questions_.find(saved.request.text());
    if (question == questions_.end() || question->second.outcome != ApprovalOutcome::allowed_once) {
      report(event, "a grant without its own question allowed");
    }
    live_.insert(saved.id.text());
  }
  void rule(const event::Event&, const event::GrantRevoked& revoked) {
    live_.erase(revoked.id.text());
  }

  void rule(const event::Event& event, const event::ToolCleared& cleared) {
    if (refused_.contains(cleared.call_id.text())) report(event, "cleared what was refused");
    const auto question = questions_.find(cleared.by);
    if (question == questions_.end()) {
      if (cleared.by != "review") report(event, "cleared by nobody known");
      if (cleared.confinement.mode != state_.knobs().sandbox &&
          vocabulary::is_strictly_wider(cleared.confinement.mode, state_.knobs().sandbox)) {
        report(event, "wider than the session without a question");
      }
      return;
    }
    if (question->second.outcome != ApprovalOutcome::allowed_once) {
      report(event, "cleared by a question that was not allowed");
    }
    if (model_id(question->second.about) != cleared.call_id.text()) {
      report(event, "cleared by the question of another call");
    }
  }

  void rule(const event::Event& event, const event::ToolResult& result) {
    if (!results_.insert(result.call_id.text()).second) report(event, "a call has two results");
  }

  template <class Other>
  void rule(const event::Event&, const Other&) {}

  event::State state_;
  std::map<std::string, Question> questions_;
  std::set<std::string> live_;         // grants
  std::set<std::string> asked_about_;  // in the open message
  std::set<std::string> refused_;      // the model's ids, in the open message
  std::set<std::string> results_;
};

}  // namespace

std::vector<std::string> broken_rules(const vocabulary::SessionId& session,
                                      const std::vector<event::Record>& log, Ended ended,
                                      const std::set<std::string>& grants) {
  Rules rules(grants);
  std::string previous = event::first_prev_hash();
  for (const auto& record : log) {
    if (record.prev_hash != previous) {
      rules.broken.push_back(fmt::format("event {}: the chain is broken", record.seq));
    }
    previous = record.hash;
    auto event = event::open(session, record);
    if (!event) {
      rules.broken.push_back(event.error().message);
      return rules.broken;
    }
    rules.hear(*event);
  }
  rules.end(ended);
  return rules.broken;
}

}  // namespace assent::tool::testing
