#include "base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/fd.h"

namespace assent::base {

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return failure(system_error("open", errno).in(path));
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return failure(system_error("fstat", errno).in(path));
  if (!S_ISREG(info.st_mode)) return failure(ErrorKind::invalid, path + ": not a regular file");
  auto text = read_to_end(file.get(), limit);
  if (!text) return failure(text.error().in(path));
  return text;
}

Result<void> write_file(const std::string& path, std::string_view bytes, mode_t mode) {
  const Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
  if (!file.valid()) return failure(system_error("open", errno).in(path));
  auto written = write_all(file.get(), bytes);
  if (!written) return failure(written.error().in(path));
  return {};
}

Result<void> make_folders(const std::string& path, mode_t mode) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string prefix = path.substr(0, end);
    if (!prefix.empty() && ::mkdir(prefix.c_str(), mode) != 0 && errno != EEXIST) {
      return failure(system_error("mkdir", errno).in(prefix));
    }
    if (end == std::string::npos) break;
  }
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return failure(system_error("stat", errno).in(path));
  if (!S_ISDIR(info.st_mode)) return failure(ErrorKind::conflict, path + ": not a folder");
  return {};
}

Result<std::string> resolve_path(const std::string& path) {
  std::error_code code;
  const auto resolved =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path, code), code);
  if (code) return failure(system_error("realpath", code.value()).in(path));
  std::string text = resolved.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace assent::base
