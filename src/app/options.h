#pragma once
// The command line.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/exit_code.h"
#include "base/result.h"

namespace assent::app {

// What every command that works in a folder takes.
struct WorkOptions {
  std::string folder = ".";
  std::string preset{};
  std::string model{};
  std::string base_url{};
  std::string language{};
};

struct TerminalCommand {
  WorkOptions work{};
  std::string task{};          // empty: only the prompt
  bool continue_last = false;  // -c
};
struct RunCommand {
  WorkOptions work{};
  std::string task{};
  bool json = false;
  std::string answers{};
  bool has_answers = false;
  FailOn fail_on = FailOn::refusal_at_end;
};
struct DemoCommand {
  std::string answers{};
  bool has_answers = false;
  bool json = false;
  bool keep = false;
  std::string language{};
};
struct LogCommand {
  std::string session{};  // empty: the last one
  bool json = false;
};
struct SessionsCommand {};
struct DoctorCommand {
  bool json = false;
};
struct ShowText {
  std::string text;  // --help, --version
};

using Options = std::variant<TerminalCommand, RunCommand, DemoCommand, LogCommand, SessionsCommand,
                             DoctorCommand, ShowText>;

// ErrorKind::invalid for what cannot be understood, with what to do.
base::Result<Options> parse_options(const std::vector<std::string>& arguments);

}  // namespace assent::app
