#include "app/demo.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/headless.h"
#include "app/interactive.h"
#include "base/file.h"
#include "provider/script_provider.h"

namespace assent::app {
namespace {

using base::Result;

constexpr std::string_view makefile =
    "CFLAGS = -std=c11 -Wall -Wextra\n"
    "\n"
    "test: stats_test\n"
    "\t./stats_test\n"
    "\n"
    "stats_test: stats.c stats_test.c stats.h\n"
    "\t$(CC) $(CFLAGS) -o $@ stats.c stats_test.c\n"
    "\n"
    ".PHONY: test\n";

constexpr std::string_view header =
    "#ifndef STATS_H\n"
    "#define STATS_H\n"
    "\n"
    "/* The arithmetic mean of count values, count > 0. */\n"
    "double mean(const double *values, int count);\n"
    "\n"
    "#endif\n";

constexpr std::string_view source =
    "#include \"stats.h\"\n"
    "\n"
    "double mean(const double *values, int count) {\n"
    "    double sum = 0;\n"
    "    for (int i = 0; i < count; i++) sum += values[i];\n"
    "    return sum / (count + 1);\n"
    "}\n";

constexpr std::string_view test =
    "#include <stdio.h>\n"
    "\n"
    "#include \"stats.h\"\n"
    "\n"
    "int main(void) {\n"
    "    const double values[] = {1, 2, 3, 4};\n"
    "    const double found = mean(values, 4);\n"
    "    if (found != 2.5) {\n"
    "        printf(\"FAIL: the mean of 1 2 3 4 is 2.5, not %g\\n\", found);\n"
    "        return 1;\n"
    "    }\n"
    "    printf(\"PASS: mean\\n\");\n"
    "    return 0;\n"
    "}\n";

// Not below /tmp: what is private to commands there is no place to show a refusal.
Result<DemoPlace> build_place(const Places& places) {
  const std::string folder = places.cache_folder + "/demo";
  TRY(base::make_folders(folder, 0700));
  std::string pattern = folder + "/XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    return base::failure(base::last_system_error("mkdtemp").in(pattern));
  }
  const DemoPlace place{.root = TRY(base::resolve_path(pattern))};
  TRY(base::make_folders(place.project()));
  TRY(base::make_folders(place.outside()));
  TRY(base::write_file(place.project() + "/Makefile", makefile));
  TRY(base::write_file(place.project() + "/stats.h", header));
  TRY(base::write_file(place.project() + "/stats.c", source));
  TRY(base::write_file(place.project() + "/stats_test.c", test));
  TRY(base::write_file(place.outside() + "/stale.log", "an old log\n"));
  return place;
}

class Cleanup {
 public:
  Cleanup(std::string root, bool keep) : root_(std::move(root)), keep_(keep) {}
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  ~Cleanup() {
    std::error_code ignored;
    if (!keep_) std::filesystem::remove_all(root_, ignored);
  }

 private:
  std::string root_;
  bool keep_;
};

Result<ExitCode> show(const DemoCommand& command, const Surroundings& around) {
  const DemoPlace place = TRY(build_place(around.places));
  const Cleanup cleanup(place.root, command.keep);
  auto model = TRY(provider::ScriptProvider::parse(demo_script(place), "the demo's script"));
  // The demo's own configuration: the partial tier is accepted, whatever the user's file says.
  Settings settings{.model = "script", .accept_partial = true};
  if (!command.language.empty()) settings.language = TRY(language_from(command.language));
  const auto ground = TRY(lay_ground(around.places));
  fmt::print(stderr,
             "assent demo: a script model repairs a small C project in\n  {}\nOnly the model is "
             "played; tools, sandbox, approvals and log are real.\n\n",
             place.project());
  const std::string task = "The test of this project fails. Repair it, and tell the team.";
  const bool terminal = ::isatty(STDIN_FILENO) != 0 && ::isatty(STDOUT_FILENO) != 0;
  if (terminal && !command.has_answers && !command.json) {
    return run_interactive({.settings = settings,
                            .places = around.places,
                            .workspace = place.project(),
                            .task = task,
                            .only_the_task = true},
                           *ground, model);
  }
  // Without a terminal and without answers nobody can be asked, and the demo ends by itself.
  return run_headless(
      {.settings = settings,
       .places = around.places,
       .workspace = place.project(),
       .task = task,
       .json = command.json,
       .answers = command.has_answers ? std::optional(command.answers) : std::nullopt},
      *ground, model);
}

}  // namespace

ExitCode demo_command(const DemoCommand& command, const Surroundings& around) {
  const auto shown = show(command, around);
  return shown ? *shown : complain(shown.error());
}

}  // namespace assent::app
