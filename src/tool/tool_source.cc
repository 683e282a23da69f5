#include "tool/tool_source.h"

namespace assent::tool {

vocabulary::Risk risk_of(const Tool& tool) {
  const auto* risked = dynamic_cast<const RiskedTool*>(&tool);
  return risked == nullptr ? vocabulary::Risk::dangerous : risked->risk_level();
}

vocabulary::Risk risk_level(const ToolSource& tools, std::string_view name) {
  const auto tool = tools.find(name);
  return tool == nullptr ? vocabulary::Risk::dangerous : risk_of(*tool);
}

}  // namespace assent::tool
