#include "policy/effects.h"

namespace assent::policy {

using vocabulary::Effects;
using vocabulary::ExecuteEffect;
using vocabulary::OpaqueEffect;
using vocabulary::PathAccess;
using vocabulary::PathEffect;

Effects read_file_effects(std::string_view path, const PathView& view) {
  return {PathEffect{.access = PathAccess::read, .path = view.resolve(path)}};
}

Effects write_file_effects(std::string_view path, const PathView& view) {
  const std::string resolved = view.resolve(path);
  return {PathEffect{.access = PathAccess::read, .path = resolved},
          PathEffect{.access = PathAccess::write, .path = resolved}};
}

std::vector<std::string> bash_argv(std::string_view command) {
  return {"/bin/bash", "--noprofile", "--norc", "-c", std::string(command)};
}

Effects bash_effects(std::string_view command, const PathView& view) {
  auto argv = bash_argv(command);
  std::string program = view.program(argv.front());
  return {ExecuteEffect{.argv = std::move(argv), .program = std::move(program)},
          OpaqueEffect{.text = std::string(command), .reason = "shell text is run as a whole"}};
}

}  // namespace assent::policy
