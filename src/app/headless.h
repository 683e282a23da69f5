#pragma once
// One task without a terminal.

#include <optional>
#include <string>

#include "app/composition.h"
#include "app/exit_code.h"

namespace assent::app {

struct HeadlessRun {
  Settings settings{};
  Places places{};
  std::string workspace{};
  std::string task{};
  bool json = false;                     // every event as one line on standard output
  std::optional<std::string> answers{};  // none: asks end unavailable, questions NO_PROVIDER
  FailOn fail_on = FailOn::refusal_at_end;
};

base::Result<ExitCode> run_headless(const HeadlessRun& run, Ground& ground,
                                    provider::Provider& provider);

}  // namespace assent::app
