#include "terminal/terminal_reporter.h"

#include <utility>

#include "text/escape.h"
#include "text/gutter.h"
#include "text/utf8.h"

namespace assent::terminal {
namespace {
// A call's arguments in one line; the whole of them is in the log.
constexpr std::size_t arguments_shown = 160;
}  // namespace

void TerminalReporter::print(std::string_view text) {
  screen_.print(text);
  printed_ = screen_.printed();
}

// A row of the model's words that is not at its end yet is closed before anything else.
void TerminalReporter::end_stream() {
  if (!std::exchange(streamed_, false)) return;
  if (screen_.printed() != printed_) stream_.interrupt();
  print(stream_.finish());
}

void TerminalReporter::on_text_delta(std::string_view text) {
  if (text.empty()) return;
  if (!std::exchange(streamed_, true)) print("\n");
  if (screen_.printed() != printed_) stream_.interrupt();
  print(stream_.write(text, screen_.columns()));
}

void TerminalReporter::on_message(std::string_view text) {
  if (streamed_) return end_stream();
  print("\n" + text::gutter(text, screen_.columns()));
}

void TerminalReporter::on_tool_call(std::string_view name, std::string_view arguments) {
  end_stream();
  const auto shown = text::cut(arguments, arguments_shown);
  const std::size_t columns = screen_.columns();
  print(text::labelled("● ", name, columns) +
        text::gutter(text::single_line(shown) + (shown.size() < arguments.size() ? "…" : ""),
                     columns));
}

void TerminalReporter::on_tool_result(std::string_view name, std::string_view shown,
                                      bool is_error) {
  end_stream();
  const std::size_t columns = screen_.columns();
  print((is_error ? text::labelled("  refused or failed: ", name, columns) : "") +
        text::gutter(shown, columns));
}

void TerminalReporter::on_notice(std::string_view text) {
  end_stream();
  print(text::labelled("  ", text, screen_.columns()));
}

}  // namespace assent::terminal
