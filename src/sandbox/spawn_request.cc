#include "sandbox/spawn_request.h"

#include <array>
#include <cstring>

#include "base/fd.h"
#include "sandbox/wire.h"

namespace assent::sandbox {

using base::Result;

std::string encode(const SpawnRequest& request) {
  WireWriter out;
  out.put(request.argv);
  out.put(request.body);
  out.put(std::string_view(request.cwd));
  out.put(request.environment);
  out.put(static_cast<std::int64_t>(request.confine));
  out.put(request.writable);
  out.put(request.protected_paths);
  out.put(request.masked);
  out.put(std::string_view(request.canary));
  return out.bytes();
}

Result<SpawnRequest> decode_request(std::string_view bytes) {
  WireReader in(bytes);
  SpawnRequest request;
  request.argv = TRY(in.texts());
  request.body = TRY(in.number());
  request.cwd = TRY(in.text());
  request.environment = TRY(in.texts());
  request.confine = TRY(in.number()) == 0 ? Confine::no : Confine::yes;
  request.writable = TRY(in.texts());
  request.protected_paths = TRY(in.texts());
  request.masked = TRY(in.texts());
  request.canary = TRY(in.text());
  return request;
}

std::string encode(const SpawnReport& report) {
  WireWriter out;
  out.put(std::string_view(report.failure));
  out.put(report.exit_code);
  out.put(report.signal);
  out.put(static_cast<std::int64_t>(report.denials.size()));
  for (const auto& denial : report.denials) {
    out.put(static_cast<std::int64_t>(denial.operation));
    out.put(std::string_view(denial.subject));
    out.put(static_cast<std::int64_t>(denial.pid));
  }
  return out.bytes();
}

Result<SpawnReport> decode_report(std::string_view bytes) {
  WireReader in(bytes);
  SpawnReport report;
  report.failure = TRY(in.text());
  report.exit_code = TRY(in.number());
  report.signal = TRY(in.number());
  const std::int64_t count = TRY(in.number());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t operation = TRY(in.number());
    if (operation < 0 || operation > static_cast<std::int64_t>(Operation::socket)) {
      return base::failure(base::ErrorKind::corrupt, "an unknown operation in a report");
    }
    Denial denial{.operation = static_cast<Operation>(operation), .subject = TRY(in.text())};
    denial.pid = static_cast<std::int32_t>(TRY(in.number()));
    report.denials.push_back(std::move(denial));
  }
  return report;
}

Result<void> send_message(int fd, std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  std::string framed(sizeof size, '\0');
  std::memcpy(framed.data(), &size, sizeof size);
  framed += bytes;
  return base::write_all(fd, framed);
}

namespace {

Result<void> read_exactly(int fd, std::span<std::byte> out) {
  while (!out.empty()) {
    const std::size_t got = TRY(base::read_some(fd, out));
    if (got == 0) return base::failure(base::ErrorKind::corrupt, "the other side closed early");
    out = out.subspan(got);
  }
  return {};
}

}  // namespace

Result<std::string> receive_message(int fd) {
  std::uint64_t size = 0;
  TRY(read_exactly(fd, std::as_writable_bytes(std::span(&size, 1))));
  if (size > message_limit) {
    return base::failure(base::ErrorKind::corrupt, "a message of the sandbox is too long");
  }
  std::string bytes(size, '\0');
  TRY(read_exactly(fd, std::as_writable_bytes(std::span(bytes.data(), bytes.size()))));
  return bytes;
}

}  // namespace assent::sandbox
