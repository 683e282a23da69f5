#include "terminal/terminal_approval_handler.h"

#include <algorithm>
#include <cctype>

namespace assent::terminal {

using approval::Answer;
using approval::Decision;

namespace {

std::string_view trimmed(std::string_view text) {
  static constexpr std::string_view blanks = " \t\r\n\v\f";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

base::Result<Answer> TerminalApprovalHandler::approve(const approval::Request& request,
                                                      const base::StopToken& stop) {
  const std::string agent = labels_.of(request.agent);
  const ApprovalView view{.request = request, .catalogue = catalogue_, .agent = agent};
  InputBroker::Interaction interaction(parts_.broker, Purpose::approval, agent);
  Extent extent = Extent::cut;
  while (true) {
    const auto line =
        interaction.ask({.text = [&](std::size_t columns) { return view.text(extent, columns); },
                         .prompt = view.prompt()},
                        stop);
    Answer answer{.decision = Decision::deny, .at_ms = parts_.clock.now_ms(), .by = by_};
    if (!line) {
      if (line.error().kind == base::ErrorKind::cancelled) return base::failure(line.error());
      return answer;
    }
    const std::string_view text = trimmed(*line);
    const std::string word = lower(text.substr(0, text.find(' ')));
    const std::string_view rest = trimmed(text.substr(word.size()));
    if (word == "v" && rest.empty()) {
      extent = Extent::whole;
      continue;
    }
    if (word == "y" && rest.empty()) answer.decision = Decision::allow_once;
    if (word == "a" && rest.empty() && request.grantable == approval::Grantable::yes) {
      answer.decision = Decision::allow_session;
    }
    if (word == "n" && !rest.empty()) answer.feedback = std::string(rest);
    return answer;
  }
}

}  // namespace assent::terminal
