#include "agent/children.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/limits.h"

namespace assent::agent {

using base::ErrorKind;
using base::failure;
using base::Result;
using builtin::ChildReport;
using builtin::ChildTask;

namespace {

// Counts while it lives.
class Place {
 public:
  explicit Place(std::atomic<int>& count) : count_(count), number_(++count) {}
  ~Place() { --count_; }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  [[nodiscard]] int number() const { return number_; }

 private:
  std::atomic<int>& count_;
  int number_;
};

// What the child wanted of a human: its calls that ended as DELEGATED_CALLER, in order.
class Questions {
 public:
  void hear(const event::Event& event) {
    if (const auto* asked = std::get_if<event::QuestionAsked>(&event.data)) {
      last_ = asked->questions;
    } else if (const auto* answered = std::get_if<event::QuestionAnswered>(&event.data)) {
      if (answered->error == vocabulary::ErrorCode::delegated_caller) collect();
    }
  }
  [[nodiscard]] std::vector<std::string> take() { return std::move(open_); }

 private:
  void collect() {
    for (const auto& question : last_.as_array()) {
      open_.emplace_back(question.as_object().at("question").as_string());
    }
  }
  json::Value last_ = json::Array{};
  std::vector<std::string> open_;
};

std::string last_words(const session::Session& session) {
  const auto& messages = session.conversation().messages();
  for (auto message = messages.rbegin(); message != messages.rend(); ++message) {
    if (message->role == vocabulary::Role::assistant && !message->content.empty()) {
      return message->content;
    }
  }
  return {};
}

}  // namespace

Result<ChildReport> Children::spawn(const ChildTask& task) {
  const Place place(alive_);
  if (place.number() > base::limits::live_children) {
    return failure(ErrorKind::limit,
                   fmt::format("{} child agents are at work already; wait for one to report",
                               base::limits::live_children));
  }
  return raise(task);
}

Result<ChildReport> Children::raise(const ChildTask& task) {
  const tool::RunContext& parent = task.parent;
  const std::size_t depth = parent.path.from_root().size();
  const auto tools = tools_at(depth);
  if (!tools) return failure(tools.error());
  const auto session =
      TRY(session::Session::create(nursery_.session, {.cwd = nursery_.work_dir,
                                                      .parent = parent.agent.session,
                                                      .origin = "subagent",
                                                      .depth = static_cast<std::int64_t>(depth)}));
  TRY(session->append({event::SandboxModeSet{parent.knobs.sandbox},
                       event::ApprovalPolicySet{vocabulary::ApprovalPolicy::never},
                       event::ReviewSet{parent.knobs.review},
                       event::GrantModeSet{vocabulary::GrantMode::off}}));
  Questions questions;
  const auto hearing = session->observe(
      [&](const event::Event& event, const event::Record&) { questions.hear(event); });
  const tool::Parts parts{.tools = *tools,
                          .pre_execute = nursery_.parts.pre_execute,
                          .guards = nursery_.parts.guards,
                          .approval = nursery_.parts.approval,
                          .sandbox = nursery_.parts.sandbox,
                          .language = nursery_.parts.language,
                          .search_path = nursery_.parts.search_path};
  const tool::Pipeline pipeline(parts);
  Agent child({.session = *session,
               .provider = nursery_.provider,
               .pipeline = pipeline,
               .tools = *tools,
               .roll = nursery_.roll,
               .step_limit = base::limits::child_steps,
               .language = parts.language},
              nursery_.work_dir, Parent{parent.agent, parent.path});
  const auto ended = TRY(child.run_turn(task.task, parent.stop));
  if (parent.stop.stop_requested()) return failure(ErrorKind::cancelled, "the call was aborted");
  const bool early = ended.reason != event::TurnEndReason::completed;
  return ChildReport{
      .session = session->id(),
      .text = last_words(*session),
      .ended_early = early ? fmt::format("{} {}", event::to_text(ended.reason), ended.detail) : "",
      .questions = questions.take()};
}

Result<tool::ReadOnlyTools> Children::tools_at(std::size_t depth) const {
  std::vector<std::shared_ptr<tool::Tool>> safe;
  for (const auto& tool : nursery_.tools.all()) {
    const bool spawns = tool->name() == "spawn_agent" && depth >= base::limits::agent_depth;
    if (!spawns && tool::risk_of(*tool) == vocabulary::Risk::safe) safe.push_back(tool);
  }
  return tool::ReadOnlyTools::create(safe);
}

}  // namespace assent::agent
