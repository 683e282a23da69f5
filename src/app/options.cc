#include "app/options.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/version.h"

namespace assent::app {
namespace {

using base::ErrorKind;
using base::failure;
using base::Result;

constexpr std::array<std::string_view, 5> commands{"run", "demo", "log", "sessions", "doctor"};

void add_work_options(CLI::App& app, WorkOptions& work) {
  app.add_option("-C,--folder", work.folder, "Work in this folder instead of the current one");
  app.add_option("--preset", work.preset,
                 "workspace-write, careful, read-only, ci or danger-full-access");
  app.add_option("--model", work.model, "Model name; script:FILE plays a file");
  app.add_option("--base-url", work.base_url, "Address of an OpenAI-style server");
  app.add_option("--lang", work.language, "Language of prompts and refusals: en or zh");
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

// A single bare word that is no command: a slip of the fingers, not a task (channels.md).
Result<void> check_task(const std::string& task, bool behind_dashes) {
  if (task.empty() || behind_dashes || task.find(' ') != std::string::npos) return {};
  const auto nearest = *std::ranges::min_element(
      commands, {}, [&](std::string_view command) { return distance(task, command); });
  return failure(ErrorKind::invalid,
                 fmt::format("\"{}\" is no command; did you mean \"{}\"? A task of one word stands "
                             "behind --: assent -- {}",
                             task, nearest, task));
}

struct Parser {
  CLI::App app{"Lets a language model work in this folder; you decide what leaves it."};
  TerminalCommand terminal{};
  RunCommand run{};
  DemoCommand demo{};
  LogCommand log{};
  DoctorCommand doctor{};
  bool fail_on_denied = false;
  std::string ask_version{};

  Parser() {
    app.name("assent");
    app.set_help_flag("-h,--help", "This text");
    app.set_version_flag("--version", std::string(version_line));
    app.require_subcommand(0, 1);
    app.footer("Example: assent \"fix the failing test\"");
    add_work_options(app, terminal.work);
    app.add_option("task", terminal.task, "What to do, in quotes");
    app.add_flag("-c,--continue", terminal.continue_last, "Go on with the last session here");
    add_run();
    add_demo();
    auto* shown = app.add_subcommand("log", "Show what happened in a session");
    shown->add_option("session", log.session, "The session's id; the last one by default");
    shown->add_flag("--json", log.json, "One event a line, with its hashes");
    shown->footer("Example: assent log --json");
    app.add_subcommand("sessions", "List sessions and their open questions")
        ->footer("Example: assent sessions");
    auto* health =
        app.add_subcommand("doctor", "Show what this machine enforces and what is missing");
    health->add_flag("--json", doctor.json, "As JSON");
    health->footer("Example: assent doctor");
  }

 private:
  void add_run() {
    auto* one = app.add_subcommand("run", "Do one task without a terminal");
    add_work_options(*one, run.work);
    one->add_option("task", run.task, "What to do, in quotes")->required();
    one->add_flag("--json", run.json, "Print every event as one line of JSON");
    one->add_option("--answers", run.answers, "Prepared answers for a script model: y,n,…");
    one->add_flag("--fail-on-denied", fail_on_denied, "End with 3 if any call was refused");
    one->footer("Example: assent run --preset ci \"update the copyright year\"");
  }
  void add_demo() {
    auto* show = app.add_subcommand(
        "demo", "A script model repairs a small project: real tools, sandbox, approvals and log");
    show->add_option("--answers", demo.answers, "Answer the prompts in order: y,n,…");
    show->add_flag("--json", demo.json, "Print every event as one line of JSON");
    show->add_flag("--keep", demo.keep, "Leave the scratch folder in place");
    show->add_option("--lang", demo.language, "Language of prompts and refusals: en or zh");
    show->footer("Example: assent demo --answers y,n,y,y");
  }
};

}  // namespace

Result<Options> parse_options(const std::vector<std::string>& arguments) {
  Parser parser;
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    parser.app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = parser.app.get_subcommands();
    return ShowText{chosen.empty() ? parser.app.help() : chosen.front()->help()};
  } catch (const CLI::CallForVersion&) {
    return ShowText{std::string(version_line) + "\n"};
  } catch (const CLI::ParseError& error) {
    return failure(ErrorKind::invalid,
                   fmt::format("{}; assent --help lists what there is", error.what()));
  }
  const auto chosen = parser.app.get_subcommands();
  const std::string name = chosen.empty() ? "" : chosen.front()->get_name();
  if (name == "run") {
    parser.run.has_answers = chosen.front()->count("--answers") > 0;
    if (parser.fail_on_denied) parser.run.fail_on = FailOn::any_refusal;
    return std::move(parser.run);
  }
  if (name == "demo") {
    parser.demo.has_answers = chosen.front()->count("--answers") > 0;
    return std::move(parser.demo);
  }
  if (name == "log") return std::move(parser.log);
  if (name == "sessions") return SessionsCommand{};
  if (name == "doctor") return parser.doctor;
  const bool dashes = std::ranges::find(arguments, "--") != arguments.end();
  TRY(check_task(parser.terminal.task, dashes));
  return std::move(parser.terminal);
}

}  // namespace assent::app
