#include "tool/pipeline.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sandbox/words.h"
#include "tool/dispatch.h"
#include "tool/prepare.h"

namespace assent::tool {
namespace {

// Where a human edited the arguments, the model reads which ones its result is about.
event::ToolResult result_of(const Planned& plan) {
  event::ToolResult result{
      .call_id = plan.call.id, .content = plan.finished->content, .error = plan.finished->error};
  if (plan.logged_as != plan.call.id) {
    result.content = fmt::format("[the user changed the arguments of this call to {}]\n{}",
                                 plan.call.arguments, result.content);
  }
  if (!plan.context.empty()) {
    result.content += fmt::format("\n[from a hook of the user: {}]", plan.context);
  }
  return result;
}

// Evidence stands directly before its result; all of it is one append.
base::Result<void> finalize(const std::vector<Planned>& batch, const Caller& caller) {
  std::vector<event::Data> events;
  for (const Planned& plan : batch) {
    event::SandboxDenied denied{.call_id = plan.call.id};
    for (const auto& denial : plan.finished->denials) {
      denied.evidence.push_back({.operation = std::string(sandbox::to_text(denial.operation)),
                                 .subject = denial.subject});
    }
    if (!denied.evidence.empty()) events.emplace_back(std::move(denied));
    events.emplace_back(result_of(plan));
  }
  TRY(caller.session.append(std::move(events)));
  if (caller.observer != nullptr) {
    for (const Planned& plan : batch) caller.observer->call_ended(plan.call, result_of(plan));
  }
  return {};
}

bool was_refused(const Planned& plan) {
  using vocabulary::ErrorCode;
  const auto& error = plan.finished->error;
  return error && (error->code == ErrorCode::denied || error->code == ErrorCode::rejected);
}

}  // namespace

base::Result<BatchEnd> Pipeline::run(const std::vector<vocabulary::ToolCall>& calls,
                                     const Caller& caller, const base::StopToken& stop) const {
  if (calls.empty()) return BatchEnd{};
  auto batch = TRY(Prepare(parts_, caller, stop).run(calls));
  TRY(Dispatch(parts_, caller, stop).run(batch));
  TRY(finalize(batch, caller));
  return BatchEnd{static_cast<std::size_t>(std::ranges::count_if(batch, was_refused))};
}

}  // namespace assent::tool
