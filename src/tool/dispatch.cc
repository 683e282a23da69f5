#include "tool/dispatch.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "tool/digest.h"
#include "tool/prepare.h"

namespace assent::tool {

using base::Result;
using vocabulary::ApprovalPolicy;
using vocabulary::ErrorCode;
using vocabulary::Knobs;

namespace {

Escalatable escalatable(const Knobs& knobs, vocabulary::SandboxMode mode) {
  return knobs.approval == ApprovalPolicy::ask && !vocabulary::wider_modes(mode).empty()
             ? Escalatable::yes
             : Escalatable::no;
}

// A body's exception ends its call, not the program.
Output run_body(Tool& tool, Clearance clearance, const RunContext& context) {
  try {
    return tool.run(std::move(clearance), context);
  } catch (const std::exception& error) {
    return {.content = fmt::format("Error: the tool failed: {}", error.what()),
            .error = vocabulary::CallError{.code = ErrorCode::tool_failed}};
  } catch (...) {
    return {.content = "Error: the tool failed",
            .error = vocabulary::CallError{.code = ErrorCode::tool_failed}};
  }
}

}  // namespace

Result<void> Dispatch::run(std::vector<Planned>& batch) {
  std::size_t from = 0;
  while (from < batch.size()) {
    auto wave = next_wave(batch, from);
    if (wave.empty()) break;
    from = static_cast<std::size_t>(wave.back() - batch.data()) + 1;
    for (Planned* plan : wave) TRY(recheck(*plan));
    std::erase_if(wave, [](const Planned* plan) { return plan->finished.has_value(); });
    TRY(run_wave(wave));
  }
  return {};
}

// In model order up to the first call that conflicts with one of the wave; one that must run alone
// is a wave of its own.
std::vector<Planned*> Dispatch::next_wave(std::vector<Planned>& batch, std::size_t from) const {
  std::vector<Planned*> wave;
  for (std::size_t i = from; i < batch.size() && wave.size() < base::limits::wave_calls; ++i) {
    Planned& plan = batch[i];
    if (plan.finished) continue;
    const bool alone = plan.tool->runs_alone();
    if (alone && !wave.empty()) break;
    if (std::ranges::any_of(wave, [&](const Planned* other) {
          return vocabulary::conflict(other->effects, plan.effects);
        })) {
      break;
    }
    wave.push_back(&plan);
    if (alone) break;
  }
  return wave;
}

// Staleness: what the clearance saw against what is now.
Result<void> Dispatch::recheck(Planned& plan) {
  if (stop_.stop_requested()) {
    plan.finished = failed(ErrorCode::aborted_before_dispatch, aborted_before_dispatch_text);
    plan.clearance.reset();
    return {};
  }
  const Terms& terms = plan.clearance->terms();
  const Knobs& now = caller_.session.state().knobs();
  if (terms.consented && vocabulary::narrows(terms.knobs, now)) {
    plan.finished = failed(ErrorCode::stale_clearance, stale_text);
    plan.clearance.reset();
    return {};
  }
  if (auto veto = parts_.guards.veto(view_of(plan, parts_, caller_, stop_))) {
    plan.finished = failed(ErrorCode::denied, *veto, "guard");
    plan.clearance.reset();
    return {};
  }
  const CallView view(caller_.work_dir, parts_.search_path);
  auto effects = plan.tool->effects(plan.arguments, view);
  const std::string current =
      digest({plan.call.name, plan.arguments, effects, terms.confinement}, view);
  const bool same = current == terms.digest && effects == plan.effects;
  if (same && (terms.consented || terms.knobs == now)) return {};
  if (terms.consented) {
    plan.finished = failed(ErrorCode::stale_clearance, stale_text);
    plan.clearance.reset();
    return {};
  }
  plan.effects = std::move(effects);
  return judge_again(plan, current);
}

// Nobody was asked the first time: the call is judged anew, and runs if it is still allowed, under
// the stricter of the mode then and the mode now.
Result<void> Dispatch::judge_again(Planned& plan, const std::string& digest) {
  const Knobs& now = caller_.session.state().knobs();
  const PreToolDecision decision =
      parts_.pre_execute.decide(view_of(plan, parts_, caller_, stop_), caller_.session);
  Terms terms = plan.clearance->terms();
  plan.clearance.reset();
  if (!std::holds_alternative<Allow>(decision)) {
    plan.finished = failed(ErrorCode::stale_clearance, stale_text);
    return {};
  }
  terms.digest = digest;
  terms.confinement.mode = vocabulary::stricter(terms.confinement.mode, now.sandbox);
  terms.knobs = now;
  TRY(caller_.session.append(event::ToolCleared{.call_id = plan.call.id,
                                                .digest = terms.digest,
                                                .confinement = terms.confinement,
                                                .by = terms.by}));
  plan.clearance = Clearance(std::move(terms));
  return {};
}

Result<void> Dispatch::run_wave(std::vector<Planned*>& wave) {
  if (wave.empty()) return {};
  std::vector<event::Data> started;
  for (const Planned* plan : wave) {
    started.emplace_back(event::ToolStarted{.call_id = plan->call.id});
  }
  TRY(caller_.session.append(std::move(started)));
  if (caller_.observer != nullptr) {
    for (const Planned* plan : wave) caller_.observer->call_started(plan->call);
  }
  std::atomic<std::size_t> left = wave.size();
  {
    std::vector<std::jthread> bodies;
    for (Planned* plan : wave) {
      const RunContext context{.agent = caller_.agent,
                               .path = caller_.path,
                               .stop = stop_,
                               .escalatable = escalatable(caller_.session.state().knobs(),
                                                          plan->clearance->confinement().mode),
                               .knobs = caller_.session.state().knobs(),
                               .session = caller_.session};
      bodies.emplace_back([plan, context, &left, this] {
        Output output = run_body(*plan->tool, std::move(*plan->clearance), context);
        plan->finished = Finished{.content = std::move(output.content),
                                  .error = std::move(output.error),
                                  .denials = std::move(output.denials)};
        --left;
        caller_.session.wake();
      });
    }
    // A knob that changes meanwhile takes effect before the next decision.
    caller_.session.serve_until([&] { return left == 0; });
  }
  for (Planned* plan : wave) plan->clearance.reset();
  return {};
}

}  // namespace assent::tool
