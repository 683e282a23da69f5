#pragma once
// A session at the terminal.

#include <string>

#include "app/composition.h"
#include "app/exit_code.h"

namespace assent::app {

struct InteractiveRun {
  Settings settings{};
  Places places{};
  std::string workspace{};
  std::string task{};          // the first prompt; empty starts at the prompt line
  bool only_the_task = false;  // ends with it
  vocabulary::SessionId resume{};
};

base::Result<ExitCode> run_interactive(const InteractiveRun& run, Ground& ground,
                                       provider::Provider& provider);

}  // namespace assent::app
