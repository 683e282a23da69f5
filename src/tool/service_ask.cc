#include "tool/service_ask.h"

#include <utility>

namespace assent::tool {

base::Result<AskResolution> service_ask(const AskRoute& route, approval::Request draft,
                                        Language language, const base::StopToken& stop) {
  const std::string tool = draft.call.name;
  if (route.service == nullptr) {
    return AskResolution{.refusal = no_service_text(tool, draft.reason)};
  }
  if (route.session == nullptr || route.path == nullptr) {
    return AskResolution{.refusal = no_agent_text(tool)};
  }
  auto decided = TRY(route.service->request(*route.session, *route.path, std::move(draft), stop));
  AskResolution resolution{.refusal = refusal_text(tool, decided, language)};
  resolution.approval_cancelled = decided.outcome == vocabulary::ApprovalOutcome::cancelled;
  resolution.decided = std::move(decided);
  return resolution;
}

}  // namespace assent::tool
