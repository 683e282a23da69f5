#include "tool/pipeline.h"

#include <algorithm>
#include <utility>

#include "sandbox/words.h"
#include "tool/dispatch.h"
#include "tool/prepare.h"

namespace assent::tool {
namespace {

base::Result<void> finalize(const std::vector<Planned>& batch, const Caller& caller) {
  std::vector<event::Data> results;
  for (const Planned& plan : batch) {
    const Finished& finished = *plan.finished;
    if (!finished.denials.empty()) {
      event::SandboxDenied denied{.call_id = plan.call.id};
      for (const auto& denial : finished.denials) {
        denied.evidence.push_back({.operation = std::string(sandbox::to_text(denial.operation)),
                                   .subject = denial.subject});
      }
      results.emplace_back(std::move(denied));
    }
    results.emplace_back(event::ToolResult{
        .call_id = plan.call.id, .content = finished.content, .error = finished.error});
  }
  TRY(caller.session.append(std::move(results)));
  if (caller.observer != nullptr) {
    for (const Planned& plan : batch) {
      caller.observer->call_ended(plan.call, plan.finished->content,
                                  plan.finished->error.has_value());
    }
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
