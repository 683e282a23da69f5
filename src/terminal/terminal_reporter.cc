#include "terminal/terminal_reporter.h"

#include <utility>

#include <fmt/format.h>

#include "text/escape.h"
#include "text/gutter.h"
#include "text/utf8.h"

namespace assent::terminal {
namespace {
// A call's arguments in one line; the whole of them is in the log.
constexpr std::size_t arguments_shown = 160;
}  // namespace

void TerminalReporter::on_text_delta(std::string_view text) {
  if (text.empty()) return;
  if (!std::exchange(streamed_, true)) screen_.print("\n");
  screen_.print(text::escape(text, text::Keep::lines));
}

void TerminalReporter::on_message(std::string_view text) {
  if (std::exchange(streamed_, false)) {
    screen_.print("\n");
  } else {
    screen_.print(fmt::format("\n{}\n", text::escape(text, text::Keep::lines)));
  }
}

void TerminalReporter::on_tool_call(std::string_view name, std::string_view arguments) {
  const auto shown = text::cut(arguments, arguments_shown);
  screen_.print(fmt::format("● {}\n", text::escape(name, text::Keep::nothing)));
  screen_.print(text::gutter(
      text::escape(shown, text::Keep::nothing) + (shown.size() < arguments.size() ? "…" : ""),
      screen_.columns()));
}

void TerminalReporter::on_tool_result(std::string_view name, std::string_view shown,
                                      bool is_error) {
  if (is_error) {
    screen_.print(
        fmt::format("  {}: refused or failed\n", text::escape(name, text::Keep::nothing)));
  }
  screen_.print(text::gutter(shown, screen_.columns()));
}

void TerminalReporter::on_notice(std::string_view text) {
  screen_.print(fmt::format("  {}\n", text::escape(text, text::Keep::lines)));
}

}  // namespace assent::terminal
