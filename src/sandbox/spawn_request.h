#pragma once
// What the harness tells the supervisor of one call, and what it is told at its end.

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/command.h"

namespace assent::sandbox {

enum class Confine : std::uint8_t { no, yes };

struct SpawnRequest {
  std::vector<std::string> argv{};  // of a program; empty for a body
  std::int64_t body = -1;           // index into the launcher's bodies; -1 for a program
  std::string cwd{};
  std::vector<std::string> environment{};  // "NAME=value"
  Confine confine = Confine::yes;
  std::vector<std::string> writable{};
  std::vector<std::string> protected_paths{};
  std::vector<std::string> masked{};
  std::string canary{};  // writable by plain permissions, never by the confinement
  bool operator==(const SpawnRequest&) const = default;
};

struct SpawnReport {
  std::string failure{};  // set-up failed and nothing ran; empty otherwise
  std::int64_t exit_code = 0;
  std::int64_t signal = 0;
  std::vector<Denial> denials{};
  bool operator==(const SpawnReport&) const = default;
};

std::string encode(const SpawnRequest& request);
std::string encode(const SpawnReport& report);
base::Result<SpawnRequest> decode_request(std::string_view bytes);
base::Result<SpawnReport> decode_report(std::string_view bytes);

// One message: its length in eight bytes, then its bytes. At most `message_limit`.
inline constexpr std::size_t message_limit = 64UL * 1024 * 1024;
base::Result<void> send_message(int fd, std::string_view bytes);
base::Result<std::string> receive_message(int fd);

}  // namespace assent::sandbox
