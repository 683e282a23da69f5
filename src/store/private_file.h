#pragma once
// The folder and the file that only this user may change. Linux file modes are what protects the
// log from other users, so a store that they do not protect is refused rather than used.

#include <string>

#include "base/result.h"

namespace assent::store {

// Makes `path`'s folder (0700) and `path` as an empty file (0600) where they are missing, and sets
// an existing file's mode to 0600. ErrorKind::denied, naming the path, where the folder belongs to
// somebody else but root or lets others write, or the file belongs to somebody else;
// ErrorKind::invalid where `path` is no regular file (a symbolic link is none). The file is never
// opened: closing a second descriptor would drop the locks that SQLite holds on it.
base::Result<void> prepare_private_file(const std::string& path);

}  // namespace assent::store
