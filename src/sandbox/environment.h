#pragma once
// What a command finds in its environment: an allow list, never the harness's own whole one.

#include <string>
#include <utility>
#include <vector>

namespace assent::sandbox {

// From `own` (the harness's environ) PATH, HOME, LANG, LC_*, TERM, TZ, USER, LOGNAME, SHELL and the
// like; never keys, tokens, agent sockets or loader variables. TMPDIR is `temp_folder`. `added`
// comes last and wins. PATH is there in any case.
std::vector<std::string> command_environment(
    char** own, const std::string& temp_folder,
    const std::vector<std::pair<std::string, std::string>>& added);

// The PATH that commands get.
std::string command_path(char** own);

}  // namespace assent::sandbox
