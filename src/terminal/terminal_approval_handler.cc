#include "terminal/terminal_approval_handler.h"

#include <algorithm>
#include <cctype>
#include <charconv>

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

// "a" for this very call, "a 2" for the second of the wider scopes; false where it is neither.
bool read_scope(std::string_view number, const approval::Request& request, Answer& answer) {
  if (number.empty()) return true;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
  if (error != std::errc() || end != number.data() + number.size() || index < 1 ||
      index > request.wider_scopes.size()) {
    return false;
  }
  answer.scope = request.wider_scopes[index - 1];
  return true;
}

}  // namespace

Answer TerminalApprovalHandler::deny() const {
  return {.decision = Decision::deny, .at_ms = parts_.clock.now_ms(), .by = by_};
}

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
    if (!line) {
      if (line.error().kind == base::ErrorKind::cancelled) return base::failure(line.error());
      return deny();
    }
    const std::string_view text = trimmed(*line);
    const std::string word = lower(text.substr(0, text.find(' ')));
    const std::string_view rest = trimmed(text.substr(word.size()));
    if (word == "v" && rest.empty()) {
      extent = Extent::whole;
      continue;
    }
    if (word == "e" && rest.empty() && catalogue_ == Catalogue::en) {
      return edited(interaction, request, stop);
    }
    Answer answer = deny();
    if (word == "y" && rest.empty()) answer.decision = Decision::allow_once;
    if (word == "a" && request.grantable == approval::Grantable::yes &&
        read_scope(rest, request, answer)) {
      answer.decision = Decision::allow_session;
    }
    if (word == "n" && !rest.empty()) answer.feedback = std::string(rest);
    return answer;
  }
}

// A deny in any case; with other arguments where the human wrote some.
base::Result<Answer> TerminalApprovalHandler::edited(InputBroker::Interaction& interaction,
                                                     const approval::Request& request,
                                                     const base::StopToken& stop) const {
  auto line = interaction.ask(
      {.prompt = "arguments to judge instead: ", .draft = request.call.arguments}, stop);
  if (!line && line.error().kind == base::ErrorKind::cancelled) {
    return base::failure(line.error());
  }
  Answer answer = deny();
  if (line && !trimmed(*line).empty() && *line != request.call.arguments) {
    answer.edited = *std::move(line);
  }
  return answer;
}

}  // namespace assent::terminal
