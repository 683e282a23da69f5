#pragma once
// What each command does. Every one returns the process' exit code and has said what was wrong.

#include "app/exit_code.h"
#include "app/options.h"
#include "app/places.h"
#include "app/settings.h"

namespace assent::app {

struct Surroundings {
  Places places;
  Environment environment;
};

ExitCode terminal_command(const TerminalCommand& command, const Surroundings& around);
ExitCode run_command(const RunCommand& command, const Surroundings& around);
ExitCode demo_command(const DemoCommand& command, const Surroundings& around);
ExitCode log_command(const LogCommand& command, const Surroundings& around);
ExitCode sessions_command(const Surroundings& around);
ExitCode doctor_command(const DoctorCommand& command, const Surroundings& around);

// One clear line on standard error, and the exit code that fits.
ExitCode complain(const base::Error& error);

// Settings of the user's file with the command line's over them, and the resolved folder.
struct Work {
  Settings settings;
  std::string workspace;
};
base::Result<Work> settle(const WorkOptions& options, const Surroundings& around);

}  // namespace assent::app
