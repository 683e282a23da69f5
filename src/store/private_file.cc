#include "store/private_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

#include "base/file.h"

namespace assent::store {
namespace {

using base::ErrorKind;
using base::failure;
using base::Result;

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<struct stat> status(const std::string& path) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return failure(base::last_system_error("lstat").in(path));
  return info;
}

Result<void> check_folder(const std::string& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0)
    return failure(base::last_system_error("stat").in(folder));
  if (info.st_uid != ::geteuid() && info.st_uid != 0) {
    return failure(ErrorKind::denied,
                   fmt::format("{}: belongs to another user (uid {}); sessions are kept only in a "
                               "folder of your own",
                               folder, info.st_uid));
  }
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return failure(ErrorKind::denied, fmt::format("{}: others may write to this folder; sessions "
                                                  "are not kept here until you run: chmod go-w {}",
                                                  folder, folder));
  }
  return {};
}

}  // namespace

Result<void> prepare_private_file(const std::string& path) {
  const std::string folder = folder_of(path);
  TRY(base::make_folders(folder, 0700));
  TRY(check_folder(folder));
  if (::mknod(path.c_str(), S_IFREG | 0600, 0) != 0) {
    const base::Error error = base::last_system_error("mknod");
    if (error.kind != ErrorKind::conflict) return failure(error.in(path));
  }
  const struct stat info = TRY(status(path));
  if (!S_ISREG(info.st_mode)) return failure(ErrorKind::invalid, path + ": not a regular file");
  if (info.st_uid != ::geteuid()) {
    return failure(ErrorKind::denied,
                   fmt::format("{}: belongs to another user (uid {})", path, info.st_uid));
  }
  if ((info.st_mode & 0777) != 0600 && ::chmod(path.c_str(), 0600) != 0) {
    return failure(base::last_system_error("chmod").in(path));
  }
  return {};
}

}  // namespace assent::store
