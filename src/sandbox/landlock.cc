#include "sandbox/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>

#include "base/fd.h"
#include "vocabulary/effect.h"

namespace assent::sandbox {

using base::Fd;
using base::Result;

namespace {

// linux/landlock.h of a current kernel; each constant with the ABI that brought it.
constexpr std::uint64_t fs_write_file = 1ULL << 1;
constexpr std::uint64_t fs_read_file = 1ULL << 2;
constexpr std::uint64_t fs_remove_dir = 1ULL << 4;
constexpr std::uint64_t fs_make_all = 0x1FC0;  // MAKE_CHAR … MAKE_SYM, bits 6 to 12
constexpr std::uint64_t fs_remove_file = 1ULL << 5;
constexpr std::uint64_t fs_refer = 1ULL << 13;            // ABI 2
constexpr std::uint64_t fs_truncate = 1ULL << 14;         // ABI 3
constexpr std::uint64_t fs_ioctl_dev = 1ULL << 15;        // ABI 5
constexpr std::uint64_t net_bind_tcp = 1ULL << 0;         // ABI 4
constexpr std::uint64_t net_connect_tcp = 1ULL << 1;      // ABI 4
constexpr std::uint64_t scope_abstract_unix = 1ULL << 0;  // ABI 6
constexpr std::uint64_t scope_signal = 1ULL << 1;         // ABI 6
constexpr std::uint32_t create_ruleset_version = 1U << 0;
constexpr int rule_path_beneath = 1;

struct RulesetAttr {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};
struct [[gnu::packed]] PathBeneathAttr {
  std::uint64_t allowed_access;
  std::int32_t parent_fd;
};

std::uint64_t write_rights(int abi) {
  std::uint64_t rights = fs_write_file | fs_remove_dir | fs_remove_file | fs_make_all;
  if (abi >= 2) rights |= fs_refer;
  if (abi >= 3) rights |= fs_truncate;
  if (abi >= 5) rights |= fs_ioctl_dev;
  return rights;
}

// A rule on a file may hold only the rights that files have.
constexpr std::uint64_t file_rights = fs_write_file | fs_read_file | fs_truncate | fs_ioctl_dev;

Result<void> add(int ruleset, const std::string& path, std::uint64_t rights) {
  const Fd target(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!target.valid()) return {};
  struct stat info {};
  if (::fstat(target.get(), &info) != 0) return base::failure(base::system_error("fstat", errno));
  if (!S_ISDIR(info.st_mode)) rights &= file_rights;
  if (rights == 0) return {};
  PathBeneathAttr attr{.allowed_access = rights, .parent_fd = target.get()};
  if (::syscall(SYS_landlock_add_rule, ruleset, rule_path_beneath, &attr, 0) != 0) {
    return base::failure(base::system_error("landlock_add_rule", errno).in(path));
  }
  return {};
}

}  // namespace

int landlock_abi() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, create_ruleset_version);
  return abi < 0 ? 0 : static_cast<int>(abi);
}

Result<void> restrict_self(const LandlockRules& rules) {
  const int abi = landlock_abi();
  if (abi == 0) {
    return base::failure(base::ErrorKind::unavailable, "this kernel has no Landlock");
  }
  const std::uint64_t writes = write_rights(abi);
  const std::uint64_t reads = rules.readable.empty() ? 0 : fs_read_file;
  RulesetAttr attr{.handled_access_fs = writes | reads,
                   .handled_access_net = abi >= 4 ? net_bind_tcp | net_connect_tcp : 0,
                   .scoped = abi >= 6 ? scope_abstract_unix | scope_signal : 0};
  const std::size_t size = abi >= 6 ? sizeof attr : abi >= 4 ? 16 : 8;
  const Fd ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attr, size, 0)));
  if (!ruleset.valid()) {
    return base::failure(base::system_error("landlock_create_ruleset", errno));
  }
  for (const auto& path : rules.writable) TRY(add(ruleset.get(), path, writes | reads));
  for (const auto& path : rules.write_only_files) {
    TRY(add(ruleset.get(), path, (writes & file_rights) | reads));
  }
  for (const auto& path : rules.readable) TRY(add(ruleset.get(), path, reads));
  if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) {
    return base::failure(base::system_error("landlock_restrict_self", errno));
  }
  return {};
}

std::vector<std::string> readable_around(const std::vector<std::string>& masked) {
  namespace fs = std::filesystem;
  // Folders on the way to a masked path are opened up into their entries; the rest stays whole.
  std::set<std::string> opened;
  std::set<std::string> hidden;
  for (const auto& path : masked) {
    std::error_code code;
    if (!fs::exists(fs::symlink_status(path, code))) continue;
    hidden.insert(path);
    for (fs::path at = fs::path(path).parent_path();; at = at.parent_path()) {
      opened.insert(at.string());
      if (at == at.root_path()) break;
    }
  }
  std::vector<std::string> readable;
  for (const auto& folder : opened) {
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code)) {
      const std::string path = entry.path().string();
      // A link's target is a path of its own, and a rule on the link would be one on that.
      if (hidden.contains(path) || opened.contains(path) || entry.is_symlink(code)) continue;
      const bool below_hidden = std::ranges::any_of(
          hidden, [&](const auto& mask) { return vocabulary::path_within(path, mask); });
      if (!below_hidden) readable.push_back(path);
    }
  }
  return readable;
}

}  // namespace assent::sandbox
