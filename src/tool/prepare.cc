#include "tool/prepare.h"

#include <utility>

#include <fmt/format.h>

#include "approval/grant_scope.h"
#include "base/limits.h"
#include "json/schema.h"
#include "text/diff.h"
#include "tool/digest.h"
#include "tool/headline.h"
#include "tool/service_ask.h"

namespace assent::tool {

using base::Result;
using vocabulary::ErrorCode;
using vocabulary::GrantMode;
using vocabulary::SandboxMode;

Finished failed(ErrorCode code, std::string_view message, std::string by) {
  return {.content = fmt::format("Error: {}", message),
          .error = vocabulary::CallError{.code = code, .by = std::move(by)}};
}

policy::Confined confined(const SandboxStanding& standing, const Tool& tool, SandboxMode mode) {
  const bool enforced =
      standing.enforcement == sandbox::Enforcement::full ||
      (standing.enforcement == sandbox::Enforcement::partial && standing.partial_accepted);
  const bool yes =
      enforced && tool.confinable() == Confinable::yes && mode != SandboxMode::danger_full_access;
  return yes ? policy::Confined::yes : policy::Confined::no;
}

Execution view_of(const Planned& plan, const Parts& parts, const Caller& caller,
                  const base::StopToken& stop) {
  const auto& knobs = caller.session.state().knobs();
  return {.call = plan.call,
          .arguments = plan.arguments,
          .effects = plan.effects,
          .risk = plan.risk,
          .mode = knobs.sandbox,
          .escalating = plan.escalation ? std::optional(plan.escalation->mode) : std::nullopt,
          .confined = confined(parts.sandbox, *plan.tool, knobs.sandbox),
          .review = knobs.review,
          .agent = caller.agent,
          .path = caller.path,
          .stop = stop};
}

CallView Prepare::fresh_view() const {
  CallView view(caller_.work_dir, parts_.search_path);
  for (const auto& [path, after] : will_hold_) view.stand_in(path, after);
  return view;
}

Result<std::vector<Planned>> Prepare::run(const std::vector<vocabulary::ToolCall>& calls) {
  std::vector<Planned> batch;
  std::vector<event::Data> logged;
  for (const auto& call : calls) {
    logged.emplace_back(event::ToolCalled{.call = call});
    batch.push_back(freeze(call));
  }
  TRY(caller_.session.append(std::move(logged)));
  for (auto& plan : batch) {
    if (!plan.finished) reduce(plan, fresh_view());
  }
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!batch[i].finished) TRY(decide(batch[i], i, batch));
  }
  return batch;
}

// Parse, check, freeze: nobody is asked about what cannot run (A-066, A-067 and their deviation).
Planned Prepare::freeze(const vocabulary::ToolCall& call) const {
  Planned plan{.call = call, .logged_as = call.id};
  plan.tool = parts_.tools.find(call.name);
  plan.risk = risk_level(parts_.tools, call.name);
  if (plan.tool == nullptr) {
    plan.finished =
        failed(ErrorCode::unknown_tool, fmt::format("there is no tool named \"{}\"", call.name));
    return plan;
  }
  if (call.arguments.size() > base::limits::call_arguments) {
    plan.finished = failed(ErrorCode::invalid_args, "the arguments are too long");
    return plan;
  }
  auto arguments = json::parse(call.arguments.empty() ? "{}" : call.arguments);
  if (!arguments) {
    plan.finished = failed(ErrorCode::invalid_args,
                           "the arguments are no JSON object: " + arguments.error().message);
    return plan;
  }
  if (auto fits = json::check(*arguments, plan.tool->schema()); !fits) {
    plan.finished = failed(ErrorCode::invalid_args, fits.error().message);
    return plan;
  }
  plan.arguments = std::move(arguments->as_object());
  auto escalation = approval::check_escalation(plan.tool->escalation(plan.arguments),
                                               caller_.session.state().knobs().sandbox);
  if (!escalation) {
    plan.finished = failed(ErrorCode::escalation_invalid, escalation.error().message);
    return plan;
  }
  plan.escalation = std::move(*escalation);
  return plan;
}

void Prepare::reduce(Planned& plan, const CallView& view) const {
  plan.effects = plan.tool->effects(plan.arguments, view);
  plan.change = plan.tool->preview(plan.arguments, view);
}

// Steps 2 to 7 for one call, and again at the same place for the arguments that a human puts in
// place of the model's.
Result<void> Prepare::decide(Planned& plan, std::size_t index, const std::vector<Planned>& batch) {
  TRY(judge(plan, index, batch));
  while (plan.replacement) {
    TRY(replace(plan));
    if (!plan.finished) TRY(judge(plan, index, batch));
  }
  return {};
}

Result<void> Prepare::replace(Planned& plan) {
  const vocabulary::ToolCall edited = *std::exchange(plan.replacement, std::nullopt);
  TRY(caller_.session.append(event::ToolCalled{.call = edited, .replaces = plan.call.id}));
  plan = freeze({.id = plan.call.id, .name = edited.name, .arguments = edited.arguments});
  plan.logged_as = edited.id;
  return {};
}

Result<void> Prepare::judge(Planned& plan, std::size_t index, const std::vector<Planned>& batch) {
  if (stop_.stop_requested()) {
    plan.finished = failed(ErrorCode::aborted_before_dispatch, aborted_before_dispatch_text);
    return {};
  }
  const auto& knobs = caller_.session.state().knobs();
  const CallView view = fresh_view();
  reduce(plan, view);
  Terms terms{.call = plan.call,
              .arguments = plan.arguments,
              .work_dir = caller_.work_dir,
              .confinement = {.mode = plan.escalation ? plan.escalation->mode : knobs.sandbox},
              .by = "review",
              .knobs = knobs};
  terms.digest = digest({plan.call.name, plan.arguments, plan.effects, terms.confinement}, view);

  const Execution execution = view_of(plan, parts_, caller_, stop_);
  PreToolDecision decision = parts_.pre_execute.decide(execution, caller_.session);
  approval::Request question = draft(plan, index, batch, terms);
  if (const auto* context = context_of(decision)) plan.context = *context;
  if (const auto* deny = std::get_if<Deny>(&decision)) {
    plan.finished = failed(ErrorCode::denied, deny->reason, deny->by);
  } else if (const auto* human = std::get_if<AskHuman>(&decision)) {
    if (plan.escalation) {
      // One call has at most one question: this reason joins the escalation's.
      question.asked_by = fmt::format("{}: {}", human->by, human->reason.value_or(""));
    } else {
      TRY(ask(plan, question, *human, terms));
    }
  }
  if (plan.finished || plan.replacement) return {};
  if (auto veto = parts_.guards.veto(execution)) {
    plan.finished = failed(ErrorCode::denied, *veto, "guard");
    return {};
  }
  if (plan.escalation) TRY(escalate(plan, std::move(question), terms));
  if (plan.finished || plan.replacement) return {};
  return clear(plan, std::move(terms));
}

Result<void> Prepare::ask(Planned& plan, approval::Request draft, const AskHuman& why,
                          Terms& terms) {
  draft.reason = why.reason.value_or("");
  draft.asked_by = why.by;
  // Nobody grants a child anything that lasts (K-01).
  const auto grants =
      caller_.agent.parent ? GrantMode::off : caller_.session.state().knobs().grants;
  if (grants != GrantMode::off) draft.grantable = approval::Grantable::yes;
  if (grants == GrantMode::scoped) draft.wider_scopes = approval::wider_scopes(draft);
  const AskRoute route{parts_.approval(), &caller_.session, &caller_.path};
  AskResolution resolution = TRY(service_ask(route, std::move(draft), parts_.language, stop_));
  if (resolution.allowed()) {
    terms.by = resolution.decided->id.text();
    terms.consented = true;
    return {};
  }
  refuse(plan, resolution.decided, resolution.refusal);
  return {};
}

Result<void> Prepare::escalate(Planned& plan, approval::Request draft, Terms& terms) {
  const approval::EscalationRoute route{parts_.approval(), &caller_.session, &caller_.path};
  auto verdict = TRY(approval::approve_escalation(*plan.escalation, route, std::move(draft),
                                                  plan.tool->subject(), stop_));
  if (verdict.refusal.empty()) {
    terms.by = verdict.decided->id.text();
    terms.consented = true;
    return {};
  }
  refuse(plan, verdict.decided, verdict.refusal);
  return {};
}

// The caller's own cancellation is an abort, not a denial (B-103 … B-105).
void Prepare::refuse(Planned& plan, const std::optional<approval::Decided>& decided,
                     const std::string& text) const {
  using vocabulary::ApprovalOutcome;
  if (decided && decided->edited) {
    plan.replacement = decided->edited;
    return;
  }
  const auto outcome = decided ? decided->outcome : ApprovalOutcome::unavailable;
  if (outcome == ApprovalOutcome::cancelled && stop_.stop_requested()) {
    plan.finished = failed(ErrorCode::aborted_before_dispatch, aborted_before_dispatch_text);
    return;
  }
  const auto code = outcome == ApprovalOutcome::rejected    ? ErrorCode::rejected
                    : outcome == ApprovalOutcome::cancelled ? ErrorCode::cancelled
                                                            : ErrorCode::unavailable;
  plan.finished = failed(code, text, decided ? decided->by : "");
}

Result<void> Prepare::clear(Planned& plan, Terms terms) {
  // The caller's cancellation overtakes a late yes (B-158).
  if (stop_.stop_requested()) {
    plan.finished = failed(ErrorCode::aborted_before_dispatch, aborted_before_dispatch_text);
    return {};
  }
  TRY(caller_.session.append(event::ToolCleared{.call_id = plan.call.id,
                                                .digest = terms.digest,
                                                .confinement = terms.confinement,
                                                .by = terms.by}));
  if (plan.change) will_hold_.insert_or_assign(plan.change->path, plan.change->after);
  plan.clearance = Clearance(std::move(terms));
  return {};
}

approval::Request Prepare::draft(const Planned& plan, std::size_t index,
                                 const std::vector<Planned>& batch, const Terms& terms) const {
  approval::Request request{.session = caller_.session.id(),
                            .agent = caller_.agent,
                            .call = plan.call,
                            .risk = plan.risk,
                            .work_dir = terms.work_dir,
                            .confinement = terms.confinement,
                            .effects = plan.effects,
                            .digest = terms.digest,
                            .grant_ttl = parts_.grant_ttl,
                            .headline = headline(plan, terms.confinement),
                            .asked_by = plan.escalation ? "escalation" : "",
                            .missing = parts_.sandbox.missing};
  request.call.id = plan.logged_as;
  if (parts_.question_ttl.count() > 0) {
    request.expires_ms = caller_.session.clock().now_ms() + parts_.question_ttl.count();
  }
  if (plan.change) {
    request.diff = text::unified_diff(plan.change->path, plan.change->before, plan.change->after);
  }
  request.batch = {.position = index + 1, .total = batch.size()};
  for (const auto& other : batch) request.batch.pending.push_back(one_line(other));
  return request;
}

}  // namespace assent::tool
