#include <unistd.h>

#include <cstdio>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/answers.h"
#include "app/commands.h"
#include "app/composition.h"
#include "app/headless.h"
#include "app/interrupts.h"
#include "app/models.h"
#include "app/plain_reporter.h"
#include "base/limits.h"
#include "text/escape.h"

namespace assent::app {

using base::Result;

ExitCode complain(const base::Error& error) {
  fmt::print(stderr, "assent: {}\n", text::escape(error.message, text::Keep::lines));
  return exit_code(error);
}

Result<Work> settle(const WorkOptions& options, const Surroundings& around) {
  Work work{.settings = TRY(load_settings(around.places.config_file)),
            .workspace = TRY(check_workspace(options.folder, around.places))};
  if (!options.preset.empty()) work.settings.preset = options.preset;
  if (!options.model.empty()) work.settings.model = options.model;
  if (!options.base_url.empty()) work.settings.base_url = options.base_url;
  if (!options.language.empty()) work.settings.language = TRY(language_from(options.language));
  if (!work.settings.preset.empty()) {
    auto known = permission::PresetTable::shipped().find(work.settings.preset);
    if (!known) return base::failure(base::ErrorKind::invalid, known.error().message);
  }
  return work;
}

namespace {

// Every event as one line: those of the session's opening, then each as it becomes durable.
Result<scope::Registration> print_events(session::Session& session, store::EventStore& store) {
  const auto print = [](const vocabulary::SessionId& id, const event::Record& record) {
    fmt::print("{}\n", event::to_line(id, record));
    std::fflush(stdout);
  };
  for (const auto& record :
       TRY(store.read(session.id(), 0, std::numeric_limits<std::int64_t>::max()))) {
    print(session.id(), record);
  }
  return session.observe([print](const event::Event& event, const event::Record& record) {
    print(event.session, record);
  });
}

// What stands on standard input belongs to the task, where it is no terminal.
Result<std::string> with_input(std::string task) {
  if (::isatty(STDIN_FILENO) != 0) return task;
  auto more = base::read_to_end(STDIN_FILENO, base::limits::config_size);
  if (!more) return base::failure(more.error().in("standard input"));
  if (!more->empty()) task += "\n\n" + *more;
  return task;
}

}  // namespace

Result<ExitCode> run_headless(const HeadlessRun& run, Ground& ground,
                              provider::Provider& provider) {
  base::StopSource stop;
  Interrupts interrupts;
  const Interrupts::Aim aim(interrupts, stop);
  std::optional<Answers> answers;
  if (run.answers) answers.emplace(*run.answers, ground.clock);
  PlainReporter reporter;
  Plan plan{.settings = run.settings,
            .places = run.places,
            .workspace = run.workspace,
            .step_limit = base::limits::turn_steps};
  if (answers) plan.channel = {.handler = &*answers, .questions = &*answers};
  if (!run.json) plan.channel.reporter = &reporter;
  auto house = TRY(Composition::create(plan, ground, provider));
  scope::Registration printing;
  if (run.json) printing = TRY(print_events(house->session(), *ground.store));
  const auto result = TRY(house->agent().run_turn(run.task, stop.token()));
  using event::TurnEndReason;
  if (result.reason != TurnEndReason::completed) {
    fmt::print(stderr, "assent: the task ended early: {}\n",
               text::escape(result.detail.empty() ? "its output was cut" : result.detail,
                            text::Keep::lines));
  }
  if (!run.json) {
    fmt::print(stderr, "assent: session {}; see it with: assent log {}\n",
               house->session().id().text(), house->session().id().text());
  }
  return exit_code(result, run.fail_on);
}

ExitCode run_command(const RunCommand& command, const Surroundings& around) {
  const auto run = [&]() -> Result<ExitCode> {
    const Work work = TRY(settle(command.work, around));
    const base::SystemClock clock;
    base::SystemRng rng;
    const auto model = TRY(open_model(work.settings, around.environment, clock, rng));
    if (command.has_answers && !model->is_script()) {
      return base::failure(
          base::ErrorKind::invalid,
          "--answers is for a script model alone (--model script:FILE): no prepared "
          "answer decides what a real model does");
    }
    const auto ground = TRY(lay_ground(around.places));
    return run_headless(
        {.settings = work.settings,
         .places = around.places,
         .workspace = work.workspace,
         .task = TRY(with_input(command.task)),
         .json = command.json,
         .answers = command.has_answers ? std::optional(command.answers) : std::nullopt,
         .fail_on = command.fail_on},
        *ground, model->provider());
  };
  const auto code = run();
  return code ? *code : complain(code.error());
}

}  // namespace assent::app
