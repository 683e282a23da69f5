#pragma once
// A path as a confined process means it: relative to its working folder or a descriptor of its,
// with links resolved, and with /proc/self being that process and not us.

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace assent::sandbox {

enum class LastLink : std::uint8_t { follow, keep };

// nullopt where a folder on the way does not exist, links go in circles, or the process is gone.
// The last component need not exist. `dirfd` is the number in the process, AT_FDCWD for its working
// folder. A descriptor that is no path (a pipe, a socket) comes back as the kernel names it,
// without a slash in front.
std::optional<std::string> resolve_child_path(pid_t pid, int dirfd, std::string_view path,
                                              LastLink last);

// What descriptor `fd` of the process stands for.
std::optional<std::string> child_descriptor(pid_t pid, int fd);

}  // namespace assent::sandbox
