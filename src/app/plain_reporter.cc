#include "app/plain_reporter.h"

#include <cstdio>

#include <fmt/format.h>

#include "text/escape.h"
#include "text/gutter.h"
#include "text/utf8.h"

namespace assent::app {
namespace {

// A call's arguments in one line; the whole of them is in the log.
constexpr std::size_t arguments_shown = 160;

}  // namespace

void PlainReporter::on_message(std::string_view text) {
  fmt::print("{}\n", text::escape(text, text::Keep::lines));
  std::fflush(stdout);
}

void PlainReporter::on_tool_call(std::string_view name, std::string_view arguments) {
  const auto shown = text::cut(arguments, arguments_shown);
  fmt::print(stderr, "● {} {}{}\n", name, text::escape(shown, text::Keep::nothing),
             shown.size() < arguments.size() ? "…" : "");
}

void PlainReporter::on_tool_result(std::string_view name, std::string_view shown, bool is_error) {
  if (is_error) fmt::print(stderr, "  {} was refused or failed\n", name);
  fmt::print(stderr, "{}", text::gutter(shown));
}

void PlainReporter::on_notice(std::string_view text) {
  fmt::print(stderr, "assent: {}\n", text::escape(text, text::Keep::lines));
}

}  // namespace assent::app
