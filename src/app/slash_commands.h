#pragma once
// What the user tells the program itself at the prompt line: lines that begin with a slash. They
// change the session's knobs and grants, and never reach the model as text (P-067).

#include <string>
#include <string_view>

#include "app/composition.h"
#include "terminal/screen.h"

namespace assent::app {

// On the terminal's thread, between turns.
class SlashCommands {
 public:
  enum class Next : std::uint8_t { go_on, leave };

  // `user` is whom the log names for a revoked grant. All must outlive this.
  SlashCommands(Composition& house, terminal::Screen& screen, std::string user)
      : house_(house), screen_(screen), by_("terminal:" + std::move(user)) {}

  Next run(std::string_view line);
  // The preset, its knobs in words, and what the sandbox lacks.
  [[nodiscard]] std::string status() const;

 private:
  [[nodiscard]] std::string permission(const std::string& name);
  [[nodiscard]] std::string policy(const std::string& name);
  [[nodiscard]] std::string grants(std::string_view argument);
  [[nodiscard]] std::string revoke(std::string_view wanted);

  Composition& house_;
  terminal::Screen& screen_;
  std::string by_;
};

}  // namespace assent::app
