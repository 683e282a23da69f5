#pragma once
// The tools of a session, by name. Any thread.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "scope/registration.h"
#include "tool/tool.h"
#include "vocabulary/risk.h"

namespace assent::tool {

class ToolRegistry {
 public:
  // ErrorKind::conflict where the name is taken (P-037). The tool lives until the registration goes
  // and the calls that hold it have ended.
  [[nodiscard]] base::Result<scope::Registration> add(std::shared_ptr<Tool> tool);

  [[nodiscard]] std::shared_ptr<Tool> find(std::string_view name) const;
  // Sorted by name, so that the model's list is the same every time (P-039).
  [[nodiscard]] std::vector<std::shared_ptr<Tool>> all() const;
  // GetRiskLevel of source 1 (A-020 … A-023): unknown or undeclared is dangerous.
  [[nodiscard]] vocabulary::Risk risk_level(std::string_view name) const;

 private:
  struct Shelf {
    mutable std::mutex mutex;
    std::map<std::string, std::shared_ptr<Tool>, std::less<>> tools;
  };
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

}  // namespace assent::tool
