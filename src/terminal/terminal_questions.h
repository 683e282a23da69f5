#pragma once
// The model's questions at the terminal.

#include <string>

#include "question/questions.h"
#include "terminal/input_broker.h"

namespace assent::terminal {

// An option is chosen by its number or its label, several with commas where that is permitted;
// anything else is free text; "-" skips the question, and an empty line leaves it open. The end of
// input is an error.
class TerminalQuestions final : public question::Provider {
 public:
  TerminalQuestions(InputBroker& broker, std::string user)
      : broker_(broker), by_("terminal:" + std::move(user)) {}

  base::Result<question::Answered> ask(const std::vector<question::Question>& questions,
                                       const base::StopToken& stop) override;

 private:
  InputBroker& broker_;
  std::string by_;
};

// What `line` means for `question`. Pure.
question::Answer read_answer(const question::Question& question, std::string_view line);

}  // namespace assent::terminal
