#pragma once
// The tools that one agent can call, by name.

#include <memory>
#include <string_view>
#include <vector>

#include "tool/tool.h"
#include "vocabulary/risk.h"

namespace assent::tool {

// Any thread.
class ToolSource {
 public:
  virtual ~ToolSource() = default;
  [[nodiscard]] virtual std::shared_ptr<Tool> find(std::string_view name) const = 0;
  // Sorted by name, so that the model's list is the same every time (P-039).
  [[nodiscard]] virtual std::vector<std::shared_ptr<Tool>> all() const = 0;
};

// What a tool declares; undeclared is dangerous (A-021 … A-023).
vocabulary::Risk risk_of(const Tool& tool);
// GetRiskLevel of source 1: an unknown name is dangerous too.
vocabulary::Risk risk_level(const ToolSource& tools, std::string_view name);

}  // namespace assent::tool
