#include "approval/session_grants.h"

namespace assent::approval {

using base::Result;

namespace {

Grant grant_of(const event::GrantSaved& saved, const vocabulary::SessionId& session) {
  return {.id = saved.id,
          .session = session,
          .tool_name = saved.tool_name,
          .work_dir = saved.work_dir,
          .scope = saved.scope,
          .request = saved.request,
          .created_ms = saved.created_ms,
          .expires_ms = saved.expires_ms};
}

}  // namespace

SessionGrants::SessionGrants(session::Session& session, const base::Clock& clock)
    : live_(clock), hearing_(session.observe([this](const event::Event& event, const auto&) {
        if (const auto* saved = std::get_if<event::GrantSaved>(&event.data)) {
          // One that cannot be kept is one that does not count.
          (void)live_.save(grant_of(*saved, event.session), {});
        } else if (const auto* revoked = std::get_if<event::GrantRevoked>(&event.data)) {
          live_.revoke(revoked->id);
        }
      })) {}

Result<std::optional<vocabulary::GrantId>> SessionGrants::has(const Request& request,
                                                              const base::StopToken& stop) {
  return live_.has(request, stop);
}

Result<void> SessionGrants::save(const Grant& grant, const base::StopToken& stop) {
  if (stop.stop_requested()) return base::failure(base::ErrorKind::cancelled, "cancelled");
  return check_grant(grant);
}

Result<void> SessionGrants::revoke(const Grant& grant, const base::StopToken& stop) {
  return live_.revoke(grant, stop);
}

}  // namespace assent::approval
