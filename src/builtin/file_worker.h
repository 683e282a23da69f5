#pragma once
// File operations that run inside the sandbox, in a child of the launcher: no path check in the
// harness stands for a boundary (sandbox.md). One request, one answer, over the child's standard
// descriptors.

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/stop.h"
#include "builtin/sandboxed.h"

namespace assent::builtin {

// The function that Launcher::create has to be given.
int file_worker();

enum class FileVerb : std::uint8_t { read, write, edit };

struct FileRequest {
  FileVerb verb = FileVerb::read;
  std::string path;           // absolute, resolved
  std::string content{};      // write: all of it; edit: the text to find
  std::string replacement{};  // edit only
};

struct FileAnswer {
  std::string content{};                   // read: the file's bytes
  std::optional<base::Error> error{};      // of the operation itself
  std::vector<sandbox::Denial> denials{};  // what the kernel refused on the way
};

// Runs `request` confined. An error is the launcher's own.
base::Result<FileAnswer> run_file_request(const Sandboxed& sandboxed,
                                          const vocabulary::Confinement& confinement,
                                          const FileRequest& request, const base::StopToken& stop);

// `old_text` replaced by `new_text` in `content`, where it stands exactly once; a file with CRLF
// line ends also takes an `old_text` with LF. ErrorKind::not_found or ::conflict say what to do.
// Pure.
base::Result<std::string> apply_edit(std::string_view content, std::string_view old_text,
                                     std::string_view new_text);

}  // namespace assent::builtin
