#pragma once
// What the launcher runs and what it reports. Values.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "vocabulary/confinement.h"

namespace assent::sandbox {

// A program: argv[0] is looked up on the PATH of `environment`.
struct Program {
  std::vector<std::string> argv;
};

// A function of our own that runs in the confined child instead of a program: it reads its request
// from descriptor 0, writes its answer to descriptor 1 and returns the exit code. It must have been
// given to Launcher::create, because the spawn helper is forked there.
using Body = int (*)();

struct Command {
  std::variant<Program, Body> what;
  std::string cwd;
  // Added to what the allow list lets through from the harness's own environment.
  std::vector<std::pair<std::string, std::string>> environment{};
  std::string input{};  // bytes of standard input, then end of input
  base::Milliseconds timeout{};
  std::size_t output_limit = 0;  // kept bytes of each stream: head and tail, the middle is cut
};

// Where the call may write is decided by the confinement's mode and this workspace.
struct Policy {
  vocabulary::Confinement confinement;
  std::string workspace;                 // absolute, resolved
  std::vector<std::string> read_only{};  // below the workspace, protected
  std::vector<std::string> masked{};     // neither readable nor writable
};

enum class Operation : std::uint8_t {
  write,
  create,
  remove,
  rename,
  link,
  change,
  connect,
  socket
};

// One operation that the kernel refused under this confinement, as the witness saw it: evidence,
// not a guess from output.
struct Denial {
  Operation operation = Operation::write;
  std::string subject;  // resolved path, or "host:port"
  std::int32_t pid = 0;
  bool operator==(const Denial&) const = default;
};

struct Output {
  std::string text{};      // at most output_limit, cut at a UTF-8 boundary
  std::uint64_t size = 0;  // what was written in all
  bool operator==(const Output&) const = default;
};

enum class Enforcement : std::uint8_t { full, partial, none };

struct Finished {
  int exit_code = 0;  // of the command; meaningless where signal != 0
  int signal = 0;     // that ended it, else 0
  bool timed_out = false;
  bool stopped = false;  // the stop token ended it
  Output output{};       // standard output
  Output errors{};       // standard error
  std::vector<Denial> denials{};
  Enforcement enforcement = Enforcement::none;
  bool operator==(const Finished&) const = default;
};

}  // namespace assent::sandbox
