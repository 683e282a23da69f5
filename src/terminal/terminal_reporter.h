#pragma once
// The agent's work as it goes by: its words, its calls, their results. All that is not ours stands
// behind a gutter, at every width.

#include "agent/reporter.h"
#include "terminal/screen.h"
#include "text/gutter.h"

namespace assent::terminal {

class TerminalReporter final : public agent::Reporter {
 public:
  explicit TerminalReporter(Screen& screen) : screen_(screen) {}
  void on_text_delta(std::string_view text) override;
  void on_reasoning_delta(std::string_view) override {}
  void on_message(std::string_view text) override;
  void on_tool_call(std::string_view name, std::string_view arguments) override;
  void on_tool_result(std::string_view name, std::string_view shown, bool is_error) override;
  void on_notice(std::string_view text) override;

 private:
  void print(std::string_view text);
  void end_stream();

  Screen& screen_;
  text::GutterStream stream_;
  std::uint64_t printed_ = 0;  // after our last print
  bool streamed_ = false;      // the message's text was shown as it came
};

}  // namespace assent::terminal
