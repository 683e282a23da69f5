#include <cstdio>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "app/commands.h"
#include "app/composition.h"
#include "sandbox/words.h"

namespace assent::app {
namespace {

using sandbox::Enforcement;
using sandbox::SelfTest;

ExitCode code_of(Enforcement enforcement) {
  switch (enforcement) {
    case Enforcement::full: return ExitCode::done;
    case Enforcement::partial: return ExitCode::failed;
    case Enforcement::none: return ExitCode::refused;
  }
  return ExitCode::refused;
}

json::Value as_json(const SelfTest& test, const Surroundings& around, bool accepted) {
  json::Array probes;
  for (const auto& probe : test.probes) {
    probes.push_back(json::Object{{"name", probe.name},
                                  {"works", probe.works},
                                  {"detail", probe.detail},
                                  {"remedy", probe.remedy}});
  }
  return json::Object{{"sandbox", sandbox::to_text(test.enforcement)},
                      {"probes", std::move(probes)},
                      {"missing", json::Array(test.missing.begin(), test.missing.end())},
                      {"acceptPartial", accepted},
                      {"config", around.places.config_file},
                      {"state", around.places.state_folder}};
}

void print(const SelfTest& test, const Surroundings& around, bool accepted) {
  fmt::print("sandbox: {}\n", sandbox::to_text(test.enforcement));
  for (const auto& probe : test.probes) {
    fmt::print("  {} {}: {}\n", probe.works ? "works " : "failed", probe.name, probe.detail);
    if (!probe.remedy.empty()) fmt::print("         to mend it: {}\n", probe.remedy);
  }
  if (!test.missing.empty()) {
    fmt::print("not enforced here:\n");
    for (const auto& promise : test.missing) fmt::print("  - {}\n", promise);
  }
  if (test.enforcement == Enforcement::partial) {
    fmt::print("a partial sandbox is {}\n",
               accepted
                   ? "accepted in the configuration: its calls run without a question"
                   : "not accepted: every command and change is asked about. To accept it, write\n"
                     "  [sandbox]\n  accept_partial = true");
  }
  fmt::print("configuration: {}\nsessions: {}\nhidden from commands:\n", around.places.config_file,
             around.places.store_file());
  for (const auto& path : masked_paths(around.places)) fmt::print("  {}\n", path);
}

}  // namespace

ExitCode doctor_command(const DoctorCommand& command, const Surroundings& around) {
  const auto settings = load_settings(around.places.config_file);
  if (!settings) return complain(settings.error());
  const auto launcher = sandbox::Launcher::create({});
  if (!launcher) return complain(launcher.error());
  const SelfTest& test = (*launcher)->self_test();
  if (command.json) {
    fmt::print("{}\n", json::write(as_json(test, around, settings->accept_partial)));
  } else {
    print(test, around, settings->accept_partial);
  }
  return code_of(test.enforcement);
}

}  // namespace assent::app
