#pragma once
// Where our own files stand (XDG base directories), and what no command may read.

#include <map>
#include <string>
#include <vector>

#include "base/result.h"

namespace assent::app {

using Environment = std::map<std::string, std::string>;
Environment read_environment(char** own);

struct Places {
  std::string home;
  std::string config_file;   // ~/.config/assent/config.toml
  std::string state_folder;  // ~/.local/state/assent
  std::string cache_folder;  // ~/.cache/assent
  [[nodiscard]] std::string store_file() const { return state_folder + "/sessions.db"; }
};

// ErrorKind::invalid where HOME is neither set nor known.
base::Result<Places> find_places(const Environment& environment);

// Keys, logins, histories, and our own state and configuration (sandbox.md, Protected and masked).
std::vector<std::string> masked_paths(const Places& places);

// ErrorKind::invalid where `folder` cannot be a workspace: "/", a home folder, or one that holds
// our own files. Returns it resolved.
base::Result<std::string> check_workspace(const std::string& folder, const Places& places);

}  // namespace assent::app
