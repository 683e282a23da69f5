#include "approval/memory_grant_store.h"

namespace assent::approval {

using base::ErrorKind;
using base::failure;
using base::Result;

namespace {

Result<void> running(const base::StopToken& stop) {
  if (stop.stop_requested()) return failure(ErrorKind::cancelled, "cancelled");
  return {};
}

}  // namespace

Result<std::optional<vocabulary::GrantId>> MemoryGrantStore::has(const Request& request,
                                                                 const base::StopToken& stop) {
  TRY(running(stop));
  const std::lock_guard lock(mutex_);
  const auto found =
      grants_.find({request.session, request.call.name, request.work_dir, request.digest});
  if (found == grants_.end()) return std::nullopt;
  const std::int64_t expires = found->second.expires_ms;
  if (expires != 0 && clock_.now_ms() >= expires) {
    grants_.erase(found);
    return std::nullopt;
  }
  return found->second.id;
}

Result<void> MemoryGrantStore::save(const Grant& grant, const base::StopToken& stop) {
  TRY(running(stop));
  if (grant.session.empty()) return failure(ErrorKind::invalid, "grant session ID 不能为空");
  if (grant.tool_name.empty()) return failure(ErrorKind::invalid, "grant tool name 不能为空");
  if (grant.work_dir.empty()) return failure(ErrorKind::invalid, "grant 工作区不能为空");
  const std::lock_guard lock(mutex_);
  grants_.insert_or_assign({grant.session, grant.tool_name, grant.work_dir, grant.digest}, grant);
  return {};
}

Result<void> MemoryGrantStore::revoke(const Grant& grant, const base::StopToken& stop) {
  TRY(running(stop));
  const std::lock_guard lock(mutex_);
  grants_.erase({grant.session, grant.tool_name, grant.work_dir, grant.digest});
  return {};
}

}  // namespace assent::approval
