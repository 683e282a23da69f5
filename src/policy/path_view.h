#pragma once
// What a reduction may ask about the world: names and contents as the session's own view of the
// file system has them. Each answer is remembered, so that one reduction sees one state.

#include <string>
#include <string_view>

namespace assent::policy {

// One call's reduction on one thread.
class PathView {
 public:
  virtual ~PathView() = default;
  // The folder that relative paths start from; absolute, links resolved.
  [[nodiscard]] virtual const std::string& work_dir() const = 0;
  // `path` made absolute from work_dir() with links of its longest existing prefix resolved.
  [[nodiscard]] virtual std::string resolve(std::string_view path) const = 0;
  // The file that `name` starts on the command's PATH, resolved; empty where there is none.
  [[nodiscard]] virtual std::string program(std::string_view name) const = 0;
};

}  // namespace assent::policy
