#pragma once
// What a channel hears while an agent works (A-074 … A-077, P-092). Purely for show: whatever it
// does changes no decision.

#include <string>
#include <string_view>

#include "vocabulary/ids.h"

namespace assent::agent {

// Calls come from the turn's thread, one at a time (P-093).
class Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void on_text_delta(std::string_view text) = 0;
  virtual void on_reasoning_delta(std::string_view text) = 0;
  // The assistant's complete text of a step, after its deltas; empty texts are not reported.
  virtual void on_message(std::string_view text) = 0;
  virtual void on_tool_call(std::string_view name, std::string_view arguments) = 0;
  // `shown` is cut for display; the whole output is in the log.
  virtual void on_tool_result(std::string_view name, std::string_view shown, bool is_error) = 0;
  // A line of our own: a retry, a limit, what a partial sandbox does not promise.
  virtual void on_notice(std::string_view text) = 0;
};

}  // namespace assent::agent
