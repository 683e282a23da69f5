#include "sandbox/environment.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace assent::sandbox {
namespace {

constexpr std::array<std::string_view, 14> allowed{
    "PATH",    "HOME",  "LANG",      "LANGUAGE", "TERM",    "TZ",    "USER",
    "LOGNAME", "SHELL", "COLORTERM", "NO_COLOR", "COLUMNS", "LINES", "EDITOR"};
constexpr std::string_view default_path = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

bool passes(std::string_view name) {
  return name.starts_with("LC_") || std::ranges::find(allowed, name) != allowed.end();
}

}  // namespace

std::string command_path(char** own) {
  for (char** at = own; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    if (entry.starts_with("PATH=") && entry.size() > 5) return std::string(entry.substr(5));
  }
  return std::string(default_path);
}

std::vector<std::string> command_environment(
    char** own, const std::string& temp_folder,
    const std::vector<std::pair<std::string, std::string>>& added) {
  std::map<std::string, std::string> variables;
  for (char** at = own; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos || !passes(entry.substr(0, equals))) continue;
    variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  }
  variables["PATH"] = command_path(own);
  variables["TMPDIR"] = temp_folder;
  for (const auto& [name, value] : added) variables[name] = value;
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  return entries;
}

}  // namespace assent::sandbox
