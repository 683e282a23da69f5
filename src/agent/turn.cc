#include "agent/turn.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "agent/prompt.h"
#include "base/limits.h"
#include "question/on_record.h"
#include "text/utf8.h"
#include "tool/texts.h"

namespace assent::agent {

using base::ErrorKind;
using base::Result;
using event::TurnEndReason;

Result<TurnResult> Agent::Turn::run(const std::string& prompt) {
  auto& session = agent_.services_.session;
  TRY(session.append(event::TurnStarted{session.state().turn() + 1}));
  StepEnd end;
  const std::string* first = &prompt;
  while (!end) {
    if (session.state().step() >= step_limit_) {
      end = at_limit();
    } else {
      end = TRY(step(std::exchange(first, nullptr)));
    }
  }
  TRY(session.append(event::TurnEnded{
      .turn = session.state().turn(), .reason = end->reason, .detail = end->detail}));
  return std::move(*end);
}

Agent::Turn::StepEnd Agent::Turn::finished(TurnEndReason reason, std::string detail) const {
  return TurnResult{.reason = reason,
                    .detail = std::move(detail),
                    .ended_on_refusal = ended_on_refusal_,
                    .any_refusal = any_refusal_};
}

Agent::Turn::StepEnd Agent::Turn::at_limit() {
  const bool more = agent_.services_.at_limit != nullptr && wants_more_steps();
  if (stop_.stop_requested()) return finished(TurnEndReason::aborted, cause_of_abort());
  if (!more) return finished(TurnEndReason::limit, "steps");
  step_limit_ += agent_.services_.step_limit;
  return std::nullopt;
}

// The thread is joined: a provider of questions returns when it is told to stop. Meanwhile the
// writer serves.
bool Agent::Turn::wants_more_steps() {
  auto& session = agent_.services_.session;
  const std::vector<question::Question> questions{
      {.id = "steps",
       .question = fmt::format("The agent has taken {} steps in this turn. Shall it go on?",
                               session.state().step()),
       .options = {
           {.label = "go on",
            .description = fmt::format("for up to {} steps more", agent_.services_.step_limit)},
           {.label = "stop here"}}}};
  bool more = false;
  std::atomic<bool> answered = false;
  {
    const std::jthread asking([&] {
      const auto answer = question::ask_on_record(session, *agent_.services_.at_limit,
                                                  {.agent = agent_.ref_.id}, questions, stop_);
      more = answer && answer->answers.front().selected == std::vector<std::string>{"go on"};
      answered = true;
      session.wake();
    });
    session.serve_until([&] { return answered.load(); });
  }
  return more;
}

// A child's stop is its parent's (P-006).
std::string Agent::Turn::cause_of_abort() const { return agent_.ref_.parent ? "parent" : "user"; }

Result<Agent::Turn::StepEnd> Agent::Turn::step(const std::string* prompt) {
  auto& session = agent_.services_.session;
  TRY(session.append(event::StepStarted{session.state().turn(), session.state().step() + 1}));
  StepEnd end = TRY(work(prompt));
  TRY(session.append(event::StepEnded{session.state().turn(), session.state().step()}));
  return end;
}

// One model request and what it led to.
Result<Agent::Turn::StepEnd> Agent::Turn::work(const std::string* prompt) {
  TRY(tell(prompt));
  if (stop_.stop_requested()) return finished(TurnEndReason::aborted, cause_of_abort());
  const auto request = TRY(compose());
  auto reply = agent_.services_.provider.generate(request, *this, stop_);
  if (!reply) {
    if (reply.error().kind == ErrorKind::cancelled)
      return finished(TurnEndReason::aborted, cause_of_abort());
    return finished(TurnEndReason::error, reply.error().message);
  }
  return answer(std::move(*reply));
}

// What the model must see is a logged event first.
Result<void> Agent::Turn::tell(const std::string* prompt) {
  auto& session = agent_.services_.session;
  const vocabulary::Knobs& now = session.state().knobs();
  auto& told = agent_.told_;
  if (told && told->approval != now.approval) {
    TRY(session.append(event::UserMessage{policy_changed_text(told->approval, now.approval),
                                          source_user_approval}));
  }
  if (!told && agent_.ref_.parent) {
    TRY(session.append(event::UserMessage{child_text(), source_context}));
  }
  if (!told || context_text(*told) != context_text(now)) {
    TRY(session.append(event::UserMessage{context_text(now), source_context}));
  }
  told = now;
  if (prompt != nullptr) TRY(session.append(event::UserMessage{*prompt, source_user}));
  return {};
}

Result<provider::Request> Agent::Turn::compose() {
  auto& session = agent_.services_.session;
  const vocabulary::Knobs& knobs = session.state().knobs();
  const bool wider = knobs.approval == vocabulary::ApprovalPolicy::ask &&
                     !vocabulary::wider_modes(knobs.sandbox).empty();
  provider::Request request{.system = system_prompt(agent_.work_dir_),
                            .messages = session.conversation().messages(),
                            .tools = {}};
  json::Array tools;
  for (const auto& tool : agent_.services_.tools.all()) {
    auto definition = tool->definition(wider ? tool::Escalatable::yes : tool::Escalatable::no);
    tools.push_back(json::Object{{"name", definition.name},
                                 {"description", definition.description},
                                 {"parameters", definition.parameters}});
    request.tools.push_back({.name = std::move(definition.name),
                             .description = std::move(definition.description),
                             .parameters = std::move(definition.parameters)});
  }
  event::RequestHeader header{.model = agent_.services_.provider.name(),
                              .system = request.system,
                              .tools = std::move(tools)};
  if (session.state().request_header() != header) TRY(session.append(std::move(header)));
  return request;
}

Result<Agent::Turn::StepEnd> Agent::Turn::answer(provider::Reply reply) {
  auto& session = agent_.services_.session;
  TRY(session.append(event::AssistantMessage{.content = reply.message.content,
                                             .calls = reply.message.calls,
                                             .reasoning = reply.message.reasoning,
                                             .usage = reply.usage}));
  if (agent_.services_.reporter != nullptr && !reply.message.content.empty()) {
    agent_.services_.reporter->on_message(reply.message.content);
  }
  if (!reply.message.calls.empty()) return calls(reply.message.calls);
  switch (reply.finish) {
    case provider::Finish::length: return finished(TurnEndReason::max_tokens);
    case provider::Finish::content_filter:
      return finished(TurnEndReason::error, "the model's answer was withheld by its provider");
    case provider::Finish::stop:
    case provider::Finish::tool_calls: break;
  }
  return finished(TurnEndReason::completed);
}

Result<Agent::Turn::StepEnd> Agent::Turn::calls(const std::vector<vocabulary::ToolCall>& calls) {
  auto& session = agent_.services_.session;
  const tool::Caller caller{.session = session,
                            .agent = agent_.ref_,
                            .path = agent_.path_,
                            .work_dir = agent_.work_dir_,
                            .observer = this};
  auto ran = agent_.services_.pipeline.run(calls, caller, stop_);
  if (!ran) {
    const auto what = tool::approval_failed_text(agent_.services_.language);
    return std::unexpected(ran.error().in(what));
  }
  ended_on_refusal_ = ran->refused > 0;
  any_refusal_ = any_refusal_ || ended_on_refusal_;
  if (stop_.stop_requested()) return finished(TurnEndReason::aborted, cause_of_abort());
  if (session.state().rejections_in_a_row() >= base::limits::rejections_in_a_row) {
    return finished(TurnEndReason::blocked, "three rejections in a row");
  }
  return std::nullopt;
}

// --- what the channel hears ----------------------------------------------------------------------

void Agent::Turn::call_started(const vocabulary::ToolCall& call) {
  if (auto* reporter = agent_.services_.reporter) reporter->on_tool_call(call.name, call.arguments);
}

void Agent::Turn::call_ended(const vocabulary::ToolCall& call, const event::ToolResult& result) {
  auto* reporter = agent_.services_.reporter;
  if (reporter == nullptr) return;
  std::string shown(text::cut(result.content, base::limits::result_shown));
  if (shown.size() < result.content.size()) shown += tool::cut_mark(agent_.services_.language);
  reporter->on_tool_result(call.name, shown, result.error.has_value());
}

void Agent::Turn::text_delta(std::string_view text) {
  if (auto* reporter = agent_.services_.reporter) reporter->on_text_delta(text);
}

void Agent::Turn::reasoning_delta(std::string_view text) {
  if (auto* reporter = agent_.services_.reporter) reporter->on_reasoning_delta(text);
}

void Agent::Turn::retrying(const base::Error& why, base::Milliseconds wait) {
  if (auto* reporter = agent_.services_.reporter) {
    reporter->on_notice(fmt::format("{}; trying again in {} ms", why.message, wait.count()));
  }
}

}  // namespace assent::agent
