#pragma once
// The tools of a session, by name. Any thread.

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.h"
#include "scope/registration.h"
#include "tool/tool_source.h"

namespace assent::tool {

class ToolRegistry final : public ToolSource {
 public:
  // ErrorKind::conflict where the name is taken (P-037). The tool lives until the registration goes
  // and the calls that hold it have ended.
  [[nodiscard]] base::Result<scope::Registration> add(std::shared_ptr<Tool> tool);

  [[nodiscard]] std::shared_ptr<Tool> find(std::string_view name) const override;
  [[nodiscard]] std::vector<std::shared_ptr<Tool>> all() const override;

 private:
  struct Shelf {
    mutable std::mutex mutex;
    std::map<std::string, std::shared_ptr<Tool>, std::less<>> tools;
  };
  std::shared_ptr<Shelf> shelf_ = std::make_shared<Shelf>();
};

// The tools of a child agent: a type of its own, so that which registries are read-only is written
// down, and nothing that can change anything can come to stand in one (A-108, K-16).
// Immutable.
class ReadOnlyTools final : public ToolSource {
 public:
  // ErrorKind::invalid, with its name, for a tool whose risk is not `safe`.
  static base::Result<ReadOnlyTools> create(const std::vector<std::shared_ptr<Tool>>& tools);

  [[nodiscard]] std::shared_ptr<Tool> find(std::string_view name) const override;
  [[nodiscard]] std::vector<std::shared_ptr<Tool>> all() const override;

 private:
  std::map<std::string, std::shared_ptr<Tool>, std::less<>> tools_{};
};

}  // namespace assent::tool
