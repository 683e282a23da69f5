#include "builtin/file_worker.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/fd.h"
#include "base/file.h"
#include "base/limits.h"
#include "json/fields.h"

namespace assent::builtin {
namespace {

using base::ErrorKind;
using base::failure;
using base::Fd;
using base::Result;

// The request and the answer on the wire: one line of JSON that gives the length of each part, then
// the parts' bytes, which need not be text.
constexpr std::size_t message_limit = 3 * base::limits::file_size;

// --- in the child --------------------------------------------------------------------------------

Result<std::string> read_request() { return base::read_to_end(STDIN_FILENO, message_limit); }

void answer(std::string_view content, const base::Error* error) {
  json::Object head{{"size", content.size()}};
  if (error != nullptr) {
    head["kind"] = static_cast<int>(error->kind);
    head["message"] = error->message;
  }
  const std::string line = json::write(head) + "\n";
  (void)base::write_all(STDOUT_FILENO, line);
  (void)base::write_all(STDOUT_FILENO, content);
}

// Beside the file and then in its place, so that a full disk leaves the old content. Where no new
// file may be made there, the old one is written over.
Result<void> replace_file(const std::string& path, const std::string& content) {
  struct stat old {};
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return failure(ErrorKind::invalid, "not a regular file");
  if (exists) {
    const Fd allowed(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!allowed.valid()) return failure(base::last_system_error("open"));
  } else if (auto made =
                 base::make_folders(path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)));
             !made) {
    return made;
  }
  const std::string beside = fmt::format("{}.assent-{}", path, ::getpid());
  auto written = base::write_file(beside, content, exists ? (old.st_mode & 07777U) : 0644U);
  if (written && exists) (void)::chmod(beside.c_str(), old.st_mode & 07777U);
  if (written && ::rename(beside.c_str(), path.c_str()) == 0) return {};
  const base::Error error = written ? base::last_system_error("rename") : written.error();
  (void)::unlink(beside.c_str());
  if (exists && error.kind == ErrorKind::denied) return base::write_file(path, content);
  return failure(error);
}

Result<std::string> perform(const json::Fields& head, std::string_view body) {
  const std::string verb = TRY(head.text("verb"));
  const std::string path = TRY(head.text("path"));
  const auto size = static_cast<std::size_t>(TRY(head.integer("size")));
  const std::string content(body.substr(0, size));
  if (verb == "read") return base::read_file(path, base::limits::file_size);
  if (verb == "write") {
    TRY(replace_file(path, content));
    return std::string();
  }
  const std::string before = TRY(base::read_file(path, base::limits::file_size));
  const std::string after = TRY(apply_edit(before, content, body.substr(size)));
  TRY(replace_file(path, after));
  return std::string();
}

Result<std::string> serve() {
  const std::string request = TRY(read_request());
  const auto line = request.find('\n');
  if (line == std::string::npos) return failure(ErrorKind::invalid, "no request");
  const auto head = TRY(json::parse(std::string_view(request).substr(0, line)));
  const auto fields = TRY(json::Fields::create(head));
  return perform(fields, std::string_view(request).substr(line + 1));
}

// --- in the harness ------------------------------------------------------------------------------

std::string_view verb_text(FileVerb verb) {
  switch (verb) {
    case FileVerb::read: return "read";
    case FileVerb::write: return "write";
    case FileVerb::edit: return "edit";
  }
  return "read";
}

Result<FileAnswer> parse_answer(const std::string& output) {
  const auto line = output.find('\n');
  if (line == std::string::npos)
    return failure(ErrorKind::internal, "the file worker gave no answer");
  const auto head = TRY(json::parse(std::string_view(output).substr(0, line)));
  const auto fields = TRY(json::Fields::create(head));
  FileAnswer parsed{.content = output.substr(line + 1)};
  if (std::cmp_not_equal(parsed.content.size(), TRY(fields.integer("size")))) {
    return failure(ErrorKind::internal, "the file worker's answer was cut short");
  }
  if (const auto message = TRY(fields.optional_text("message"))) {
    parsed.error = base::Error{static_cast<ErrorKind>(TRY(fields.integer("kind"))), *message};
  }
  return parsed;
}

}  // namespace

int file_worker() {
  const auto done = serve();
  if (done) {
    answer(*done, nullptr);
    return 0;
  }
  answer({}, &done.error());
  return 1;
}

Result<FileAnswer> run_file_request(const Sandboxed& sandboxed,
                                    const vocabulary::Confinement& confinement,
                                    const FileRequest& request, const base::StopToken& stop) {
  const std::string head = json::write(json::Object{
      {"verb", verb_text(request.verb)}, {"path", request.path}, {"size", request.content.size()}});
  const sandbox::Command command{.what = sandbox::Body(file_worker),
                                 .cwd = sandboxed.workspace,
                                 .input = head + "\n" + request.content + request.replacement,
                                 .timeout = base::limits::bash_timeout,
                                 .output_limit = message_limit};
  auto finished = TRY(sandboxed.launcher.run(command, sandboxed.policy(confinement), stop));
  if (finished.stopped) return failure(ErrorKind::cancelled, "stopped");
  if (finished.timed_out) return failure(ErrorKind::timed_out, "the file operation took too long");
  FileAnswer parsed = TRY(parse_answer(finished.output.text));
  parsed.denials = std::move(finished.denials);
  return parsed;
}

}  // namespace assent::builtin
