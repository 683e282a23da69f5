#include "approval/memory_grant_store.h"

#include <algorithm>

#include "approval/grant_scope.h"

namespace assent::approval {

using base::ErrorKind;
using base::failure;
using base::Result;

namespace {

Result<void> running(const base::StopToken& stop) {
  if (stop.stop_requested()) return failure(ErrorKind::cancelled, "cancelled");
  return {};
}

bool has_expired(const Grant& grant, std::int64_t now_ms) {
  return grant.expires_ms != 0 && now_ms >= grant.expires_ms;
}

}  // namespace

Result<void> check_grant(const Grant& grant) {
  if (grant.session.empty()) return failure(ErrorKind::invalid, "grant session ID 不能为空");
  if (grant.tool_name.empty()) return failure(ErrorKind::invalid, "grant tool name 不能为空");
  if (grant.work_dir.empty()) return failure(ErrorKind::invalid, "grant 工作区不能为空");
  return {};
}

Result<std::optional<vocabulary::GrantId>> MemoryGrantStore::has(const Request& request,
                                                                 const base::StopToken& stop) {
  TRY(running(stop));
  const std::lock_guard lock(mutex_);
  const auto shelf = grants_.find({request.session, request.call.name, request.work_dir});
  if (shelf == grants_.end()) return std::nullopt;
  const std::int64_t now = clock_.now_ms();
  std::erase_if(shelf->second, [&](const Grant& grant) { return has_expired(grant, now); });
  const auto found = std::ranges::find_if(
      shelf->second, [&](const Grant& grant) { return covers(grant, request); });
  if (found == shelf->second.end()) return std::nullopt;
  return found->id;
}

Result<void> MemoryGrantStore::save(const Grant& grant, const base::StopToken& stop) {
  TRY(running(stop));
  TRY(check_grant(grant));
  const std::lock_guard lock(mutex_);
  auto& shelf = grants_[{grant.session, grant.tool_name, grant.work_dir}];
  std::erase_if(shelf, [&](const Grant& old) { return old.scope == grant.scope; });
  shelf.push_back(grant);
  return {};
}

Result<void> MemoryGrantStore::revoke(const Grant& grant, const base::StopToken& stop) {
  TRY(running(stop));
  const std::lock_guard lock(mutex_);
  const auto shelf = grants_.find({grant.session, grant.tool_name, grant.work_dir});
  if (shelf == grants_.end()) return {};
  std::erase_if(shelf->second, [&](const Grant& old) { return old.scope == grant.scope; });
  return {};
}

std::vector<Grant> MemoryGrantStore::alive() {
  const std::lock_guard lock(mutex_);
  const std::int64_t now = clock_.now_ms();
  std::vector<Grant> found;
  for (auto& [key, shelf] : grants_) {
    std::erase_if(shelf, [&](const Grant& grant) { return has_expired(grant, now); });
    found.insert(found.end(), shelf.begin(), shelf.end());
  }
  std::ranges::sort(
      found, {}, [](const Grant& grant) { return std::pair(grant.created_ms, grant.id.text()); });
  return found;
}

void MemoryGrantStore::revoke(const vocabulary::GrantId& id) {
  const std::lock_guard lock(mutex_);
  for (auto& [key, shelf] : grants_) {
    std::erase_if(shelf, [&](const Grant& grant) { return grant.id == id; });
  }
}

}  // namespace assent::approval
