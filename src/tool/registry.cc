#include "tool/registry.h"

#include <utility>

#include <fmt/format.h>

namespace assent::tool {

base::Result<scope::Registration> ToolRegistry::add(std::shared_ptr<Tool> tool) {
  std::string name(tool->name());
  const std::lock_guard lock(shelf_->mutex);
  if (!shelf_->tools.emplace(name, std::move(tool)).second) {
    return base::failure(base::ErrorKind::conflict,
                         fmt::format("a tool named \"{}\" is registered already", name));
  }
  return scope::Registration([weak = std::weak_ptr<Shelf>(shelf_), name] {
    if (auto shelf = weak.lock()) {
      const std::lock_guard undo(shelf->mutex);
      shelf->tools.erase(name);
    }
  });
}

std::shared_ptr<Tool> ToolRegistry::find(std::string_view name) const {
  const std::lock_guard lock(shelf_->mutex);
  const auto found = shelf_->tools.find(name);
  return found == shelf_->tools.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Tool>> ToolRegistry::all() const {
  const std::lock_guard lock(shelf_->mutex);
  std::vector<std::shared_ptr<Tool>> tools;
  for (const auto& [name, tool] : shelf_->tools) tools.push_back(tool);
  return tools;
}

base::Result<ReadOnlyTools> ReadOnlyTools::create(const std::vector<std::shared_ptr<Tool>>& tools) {
  ReadOnlyTools view;
  for (const auto& tool : tools) {
    if (risk_of(*tool) != vocabulary::Risk::safe) {
      return base::failure(
          base::ErrorKind::invalid,
          fmt::format("\"{}\" is not declared safe and has no place among read-only tools",
                      tool->name()));
    }
    view.tools_.insert_or_assign(std::string(tool->name()), tool);
  }
  return view;
}

std::shared_ptr<Tool> ReadOnlyTools::find(std::string_view name) const {
  const auto found = tools_.find(name);
  return found == tools_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Tool>> ReadOnlyTools::all() const {
  std::vector<std::shared_ptr<Tool>> tools;
  for (const auto& [name, tool] : tools_) tools.push_back(tool);
  return tools;
}

}  // namespace assent::tool
