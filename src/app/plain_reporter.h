#pragma once
// A run without a terminal: the model's words on standard output, what happens around them on
// standard error, everything from others escaped.

#include "agent/reporter.h"

namespace assent::app {

class PlainReporter final : public agent::Reporter {
 public:
  void on_text_delta(std::string_view) override {}
  void on_reasoning_delta(std::string_view) override {}
  void on_message(std::string_view text) override;
  void on_tool_call(std::string_view name, std::string_view arguments) override;
  void on_tool_result(std::string_view name, std::string_view shown, bool is_error) override;
  void on_notice(std::string_view text) override;
};

}  // namespace assent::app
