#pragma once
// The file system as one call's reduction sees it: each answer is remembered, and what earlier
// cleared calls of the batch will have written stands in for what is there (decisions.md, the
// digest).

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/path_view.h"

namespace assent::tool {

// One thread. Copies share nothing.
class CallView final : public policy::PathView {
 public:
  // `work_dir`: absolute, resolved. `search_path`: the PATH that commands get.
  CallView(std::string work_dir, std::string search_path);

  [[nodiscard]] const std::string& work_dir() const override { return work_dir_; }
  [[nodiscard]] std::string resolve(std::string_view path) const override;
  [[nodiscard]] std::string program(std::string_view name) const override;
  // The content of a regular file by its resolved path; nullopt where nothing stands there.
  [[nodiscard]] base::Result<std::optional<std::string>> content(const std::string& path) const;
  // "sha256:…", "absent", or "unreadable" for what is no regular file that we may read.
  [[nodiscard]] std::string content_digest(const std::string& path) const;

  // From now on `path` holds `after`.
  void stand_in(const std::string& path, std::string after);

 private:
  std::string work_dir_;
  std::string search_path_;
  mutable std::map<std::string, std::string, std::less<>> resolved_;
  mutable std::map<std::string, base::Result<std::optional<std::string>>> contents_;
};

}  // namespace assent::tool
