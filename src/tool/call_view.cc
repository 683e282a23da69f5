#include "tool/call_view.h"

#include <unistd.h>

#include <utility>

#include "base/file.h"
#include "base/limits.h"
#include "crypto/sha256.h"

namespace assent::tool {

using base::Result;

CallView::CallView(std::string work_dir, std::string search_path)
    : work_dir_(std::move(work_dir)), search_path_(std::move(search_path)) {}

std::string CallView::resolve(std::string_view path) const {
  if (const auto known = resolved_.find(path); known != resolved_.end()) return known->second;
  const std::string absolute =
      path.starts_with('/') ? std::string(path) : work_dir_ + "/" + std::string(path);
  auto resolved = base::resolve_path(absolute);
  // What cannot be resolved (a loop of links, a folder that we may not search) stays as written;
  // the call that uses it fails there.
  return resolved_.emplace(path, resolved ? *resolved : absolute).first->second;
}

std::string CallView::program(std::string_view name) const {
  if (name.contains('/')) return resolve(name);
  std::string_view rest = search_path_;
  while (!rest.empty()) {
    const auto end = rest.find(':');
    const std::string candidate = std::string(rest.substr(0, end)) + "/" + std::string(name);
    if (candidate.front() == '/' && ::access(candidate.c_str(), X_OK) == 0) {
      return resolve(candidate);
    }
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return {};
}

Result<std::optional<std::string>> CallView::content(const std::string& path) const {
  if (const auto known = contents_.find(path); known != contents_.end()) return known->second;
  auto text = base::read_file(path, base::limits::file_size);
  Result<std::optional<std::string>> answer = std::nullopt;
  if (text) {
    answer = std::move(*text);
  } else if (text.error().kind != base::ErrorKind::not_found) {
    answer = std::unexpected(std::move(text).error());
  }
  return contents_.emplace(path, std::move(answer)).first->second;
}

std::string CallView::content_digest(const std::string& path) const {
  const auto text = content(path);
  if (!text) return "unreadable";
  if (!text->has_value()) return "absent";
  return "sha256:" + crypto::to_hex(crypto::sha256(**text));
}

void CallView::stand_in(const std::string& path, std::string after) {
  contents_.insert_or_assign(path, std::optional(std::move(after)));
}

}  // namespace assent::tool
