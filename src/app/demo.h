#pragma once
// The demo: a small broken project and the script of a model that mends it.

#include <string>

namespace assent::app {

// Writes the project into `folder`/project and a folder beside it into `folder`/outside.
struct DemoPlace {
  std::string root;
  [[nodiscard]] std::string project() const { return root + "/project"; }
  [[nodiscard]] std::string outside() const { return root + "/outside"; }
};

// The script model's lines for a project at `place` (channels.md, script:FILE). Exactly three calls
// ask to leave the sandbox, each with another target, then one question is asked.
std::string demo_script(const DemoPlace& place);

}  // namespace assent::app
