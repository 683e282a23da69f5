#include "app/places.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/file.h"
#include "vocabulary/effect.h"

namespace assent::app {
namespace {

// sandbox.md; relative to the home folder.
constexpr std::array<std::string_view, 36> masked_in_home{".ssh",
                                                          ".aws",
                                                          ".azure",
                                                          ".gnupg",
                                                          ".kube",
                                                          ".config/gcloud",
                                                          ".config/gh",
                                                          ".docker/config.json",
                                                          ".netrc",
                                                          ".npmrc",
                                                          ".pypirc",
                                                          ".git-credentials",
                                                          ".cargo/credentials.toml",
                                                          ".pgpass",
                                                          ".vault-token",
                                                          ".m2/settings.xml",
                                                          ".local/share/keyrings",
                                                          ".password-store",
                                                          ".mozilla",
                                                          ".config/chromium",
                                                          ".config/google-chrome",
                                                          ".config/BraveSoftware",
                                                          ".bash_history",
                                                          ".zsh_history",
                                                          ".python_history",
                                                          ".node_repl_history",
                                                          ".psql_history",
                                                          ".mysql_history",
                                                          ".lesshst",
                                                          ".local/share/fish",
                                                          ".claude",
                                                          ".claude.json",
                                                          ".codex",
                                                          ".gemini",
                                                          ".config/git/credentials",
                                                          ".terraform.d/credentials.tfrc.json"};

std::string value_or(const Environment& environment, const std::string& name,
                     std::string otherwise) {
  const auto found = environment.find(name);
  // The base directory specification: a relative path is to be ignored.
  if (found == environment.end() || !found->second.starts_with('/')) return otherwise;
  return found->second;
}

}  // namespace

Environment read_environment(char** own) {
  Environment environment;
  for (char** at = own; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const auto equals = entry.find('=');
    if (equals != std::string_view::npos) {
      environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return environment;
}

base::Result<Places> find_places(const Environment& environment) {
  std::string home = value_or(environment, "HOME", "");
  if (home.empty()) {
    const passwd* entry = ::getpwuid(::getuid());
    if (entry != nullptr && entry->pw_dir != nullptr) home = entry->pw_dir;
  }
  if (!home.starts_with('/')) {
    return base::failure(base::ErrorKind::invalid,
                         "there is no home folder: set HOME to an absolute path");
  }
  return Places{
      .home = home,
      .config_file =
          value_or(environment, "XDG_CONFIG_HOME", home + "/.config") + "/assent/config.toml",
      .state_folder = value_or(environment, "XDG_STATE_HOME", home + "/.local/state") + "/assent",
      .cache_folder = value_or(environment, "XDG_CACHE_HOME", home + "/.cache") + "/assent"};
}

std::vector<std::string> masked_paths(const Places& places) {
  std::vector<std::string> paths;
  for (const auto name : masked_in_home) paths.push_back(fmt::format("{}/{}", places.home, name));
  paths.push_back(places.state_folder);
  paths.push_back(places.config_file);
  if (::geteuid() == 0) paths.insert(paths.end(), {"/etc/shadow", "/etc/gshadow"});
  return paths;
}

base::Result<std::string> check_workspace(const std::string& folder, const Places& places) {
  std::string path = TRY(base::resolve_path(folder));
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return base::failure(base::ErrorKind::invalid, fmt::format("{}: not a folder", folder));
  }
  const auto refuse = [&](std::string_view why) {
    return base::failure(
        base::ErrorKind::invalid,
        fmt::format(
            "{} cannot be the working folder: {}; go to a folder below it, or name one with -C",
            path, why));
  };
  if (path == "/") return refuse("it is the whole file system");
  if (path == TRY(base::resolve_path(places.home))) return refuse("it is your home folder");
  for (const auto& own : {places.state_folder, places.config_file}) {
    if (vocabulary::path_within(TRY(base::resolve_path(own)), path)) {
      return refuse("it holds assent's own files");
    }
  }
  return path;
}

}  // namespace assent::app
