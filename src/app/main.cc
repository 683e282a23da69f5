#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"

namespace {

using namespace assent::app;

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};

ExitCode dispatch(const Options& options) {
  if (const auto* show = std::get_if<ShowText>(&options)) {
    fmt::print("{}", show->text);
    return ExitCode::done;
  }
  Surroundings around{.environment = read_environment(::environ)};
  auto places = find_places(around.environment);
  if (!places) return complain(places.error());
  around.places = std::move(*places);
  return std::visit(
      Overload{[&](const TerminalCommand& command) { return terminal_command(command, around); },
               [&](const RunCommand& command) { return run_command(command, around); },
               [&](const DemoCommand& command) { return demo_command(command, around); },
               [&](const LogCommand& command) { return log_command(command, around); },
               [&](const SessionsCommand&) { return sessions_command(around); },
               [&](const DoctorCommand& command) { return doctor_command(command, around); },
               [&](const ShowText&) { return ExitCode::done; }},
      options);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto options = parse_options(std::vector<std::string>(argv + 1, argv + argc));
    if (!options) return static_cast<int>(complain(options.error()));
    return static_cast<int>(dispatch(*options));
  } catch (const std::exception& error) {
    fmt::print(stderr, "assent: {}\n", error.what());
    return static_cast<int>(ExitCode::failed);
  }
}
