#include "app/interactive.h"

#include <pwd.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/interrupts.h"
#include "app/models.h"
#include "app/slash_commands.h"
#include "base/limits.h"
#include "terminal/input_broker.h"
#include "terminal/screen.h"
#include "terminal/terminal_approval_handler.h"
#include "terminal/terminal_questions.h"
#include "terminal/terminal_reporter.h"
#include "text/escape.h"

namespace assent::app {

using base::Result;

namespace {

std::string user_name() {
  const passwd* entry = ::getpwuid(::getuid());
  return entry == nullptr ? fmt::format("uid {}", ::getuid()) : entry->pw_name;
}

// Everything that shares the one terminal.
struct Desk {
  terminal::Screen screen{STDOUT_FILENO, terminal::drawing_of(std::getenv("TERM"))};
  terminal::InputBroker broker{STDIN_FILENO, screen, base::limits::prompt_settle};
  terminal::TerminalReporter reporter{screen};
  terminal::TerminalApprovalHandler approvals;
  terminal::TerminalQuestions questions;

  Desk(const base::Clock& clock, tool::Language language)
      : approvals(
            {broker, clock},
            language == tool::Language::zh ? terminal::Catalogue::zh : terminal::Catalogue::en,
            user_name()),
        questions(broker, user_name()) {}
};

// Who sits at the terminal, and the house that works for them.
struct Sitting {
  Composition& house;
  Desk& desk;
  Interrupts& interrupts;
  SlashCommands& commands;
};

Result<ExitCode> one_turn(const Sitting& sitting, const std::string& task) {
  auto& [house, desk, interrupts, commands] = sitting;
  base::StopSource stop;
  const Interrupts::Aim aim(interrupts, stop);
  const auto result = TRY(house.agent().run_turn(task, stop.token()));
  if (result.reason != event::TurnEndReason::completed) {
    desk.screen.print(
        fmt::format("\n  the task ended early: {}\n",
                    text::escape(result.detail.empty() ? "its output was cut" : result.detail,
                                 text::Keep::lines)));
  }
  return exit_code(result, FailOn::refusal_at_end);
}

// Ctrl-C at the prompt starts the line anew; the end of input and the other signals end the
// session.
Result<ExitCode> prompt_loop(const Sitting& sitting, ExitCode code) {
  auto& [house, desk, interrupts, commands] = sitting;
  while (true) {
    desk.screen.print("\n");
    base::StopSource stop;
    const Interrupts::Aim aim(interrupts, stop);
    const auto line = desk.broker.read_prompt("assent> ", stop.token());
    if (!line) {
      if (line.error().kind == base::ErrorKind::cancelled && interrupts.last_signal() == SIGINT) {
        desk.broker.drop_prompt_line();
        continue;
      }
      return code;
    }
    if (line->find_first_not_of(" \t") == std::string::npos) continue;
    if (line->front() != '/') {
      code = TRY(one_turn(sitting, *line));
    } else if (commands.run(*line) == SlashCommands::Next::leave) {
      return code;
    }
  }
}

}  // namespace

Result<ExitCode> run_interactive(const InteractiveRun& run, Ground& ground,
                                 provider::Provider& provider) {
  Interrupts interrupts;
  Desk desk(ground.clock, run.settings.language);
  const Plan plan{.settings = run.settings,
                  .places = run.places,
                  .workspace = run.workspace,
                  .channel = {.handler = &desk.approvals,
                              .questions = &desk.questions,
                              .reporter = &desk.reporter},
                  .step_limit = base::limits::turn_steps,
                  .at_limit = AtLimit::ask,
                  .resume = run.resume};
  auto house = TRY(Composition::create(plan, ground, provider));
  SlashCommands commands(*house, desk.screen, user_name());
  const Sitting sitting{*house, desk, interrupts, commands};
  desk.screen.print(commands.status());
  ExitCode code = ExitCode::done;
  if (!run.task.empty()) code = TRY(one_turn(sitting, run.task));
  if (!run.only_the_task) code = TRY(prompt_loop(sitting, code));
  desk.screen.print(fmt::format("  session {}\n", house->session().id().text()));
  return code;
}

ExitCode terminal_command(const TerminalCommand& command, const Surroundings& around) {
  const auto run = [&]() -> Result<ExitCode> {
    const Work work = TRY(settle(command.work, around));
    const base::SystemClock clock;
    base::SystemRng rng;
    const auto model = TRY(open_model(work.settings, around.environment, clock, rng));
    if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
      return base::failure(base::ErrorKind::invalid,
                           "there is no terminal here; assent run TASK works without one");
    }
    const auto ground = TRY(lay_ground(around.places));
    vocabulary::SessionId resume;
    if (command.continue_last) {
      for (const auto& session : TRY(ground->store->sessions())) {
        const bool own = session.cwd == work.workspace && !session.parent;
        if (own && resume.empty()) resume = session.id;
      }
      if (resume.empty()) {
        return base::failure(base::ErrorKind::invalid,
                             "there is no session in this folder to go on with");
      }
    }
    return run_interactive({.settings = work.settings,
                            .places = around.places,
                            .workspace = work.workspace,
                            .task = command.task,
                            .resume = resume},
                           *ground, model->provider());
  };
  const auto code = run();
  return code ? *code : complain(code.error());
}

}  // namespace assent::app
