#pragma once
// Whole files by path, for the harness's own files (configuration, keys, scripts). A tool's files
// go through the sandbox instead.

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace assent::base {

// The content of a regular file of at most `limit` bytes. Errors name the path.
Result<std::string> read_file(const std::string& path, std::size_t limit);
// Creates or replaces `path` with these bytes. Errors name the path.
Result<void> write_file(const std::string& path, std::string_view bytes, mode_t mode = 0644);
// `path` and every missing folder above it, new ones with `mode`.
Result<void> make_folders(const std::string& path, mode_t mode = 0755);
// `path` made absolute with links resolved; what does not exist is kept as written behind the
// longest existing prefix, with "." and ".." taken out.
Result<std::string> resolve_path(const std::string& path);

}  // namespace assent::base
