#include "approval/grant_scope.h"

#include <algorithm>
#include <string_view>

namespace assent::approval {

using vocabulary::GrantKind;
using vocabulary::PathAccess;
using vocabulary::PathEffect;

namespace {

bool hidden_below(std::string_view path, std::string_view folder) {
  return path.substr(folder.size()).find("/.") != std::string_view::npos;
}

bool within_range(const vocabulary::Effect& effect, const std::string& folder) {
  const auto* file = std::get_if<PathEffect>(&effect);
  return file != nullptr && file->access != PathAccess::remove &&
         file->extent == vocabulary::PathExtent::path &&
         vocabulary::path_within(file->path, folder) && !hidden_below(file->path, folder);
}

bool in_scope(const vocabulary::GrantScope& scope, const Request& request) {
  if (scope.pattern.empty()) return false;
  switch (scope.kind) {
    case GrantKind::exact: return scope.pattern == request.digest;
    case GrantKind::path_range:
      return !request.effects.empty() &&
             std::ranges::all_of(request.effects, [&](const vocabulary::Effect& effect) {
               return within_range(effect, scope.pattern);
             });
  }
  return false;
}

}  // namespace

bool covers(const Grant& grant, const Request& request) {
  return grant.session == request.session && grant.tool_name == request.call.name &&
         grant.work_dir == request.work_dir && in_scope(grant.scope, request);
}

std::vector<vocabulary::GrantScope> wider_scopes(const Request& request) {
  for (const auto& effect : request.effects) {
    const auto* file = std::get_if<PathEffect>(&effect);
    if (file == nullptr || file->access != PathAccess::write) continue;
    const std::string folder = file->path.substr(0, file->path.rfind('/'));
    const vocabulary::GrantScope range{GrantKind::path_range, folder};
    if (vocabulary::path_within(folder, request.work_dir) && in_scope(range, request)) {
      return {range};
    }
    return {};
  }
  return {};
}

}  // namespace assent::approval
