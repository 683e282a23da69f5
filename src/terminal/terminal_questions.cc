#include "terminal/terminal_questions.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "text/gutter.h"

namespace assent::terminal {
namespace {

using question::Answer;
using question::Question;

constexpr std::string_view skip = "-";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::string> option_of(const Question& question, std::string_view word) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size() && number >= 1 &&
      number <= question.options.size()) {
    return question.options[number - 1].label;
  }
  for (const auto& option : question.options) {
    if (option.label == word) return option.label;
  }
  return std::nullopt;
}

std::string question_text(const Question& question, std::size_t columns) {
  std::string out = "\n▶ the model asks:\n";
  if (!question.header.empty()) out += text::gutter(question.header, columns);
  out += text::gutter(question.question, columns);
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const auto& option = question.options[i];
    const std::string described =
        option.description.empty() ? option.label : option.label + " – " + option.description;
    out += text::labelled(fmt::format("  {}. ", i + 1), described, columns);
  }
  return out;
}

std::string_view question_prompt(const Question& question) {
  if (question.options.empty()) return "  your answer (- skips it): ";
  return question.multi_select ? "  numbers with commas, or your own words (- skips it): "
                               : "  a number, or your own words (- skips it): ";
}

}  // namespace

Answer read_answer(const Question& question, std::string_view line) {
  Answer answer{.id = question.id};
  const std::string_view text = trimmed(line);
  if (text.empty() || text == skip) return answer;
  if (!question.multi_select) {
    if (auto option = option_of(question, text)) {
      answer.selected.push_back(std::move(*option));
    } else {
      answer.custom = std::string(text);
    }
    return answer;
  }
  std::string own;
  for (std::string_view rest = text; !rest.empty();) {
    const auto comma = rest.find(',');
    const std::string_view word = trimmed(rest.substr(0, comma));
    if (auto option = option_of(question, word)) {
      answer.selected.push_back(std::move(*option));
    } else if (!word.empty()) {
      own += (own.empty() ? "" : ", ") + std::string(word);
    }
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  if (!own.empty()) answer.custom = std::move(own);
  return answer;
}

base::Result<question::Answered> TerminalQuestions::ask(const std::vector<Question>& questions,
                                                        const base::StopToken& stop) {
  InputBroker::Interaction interaction(broker_, Purpose::question);
  question::Answered answered{.by = by_};
  for (const auto& question : questions) {
    const std::string prompt(question_prompt(question));
    std::string line = TRY(interaction.ask(
        {.text = [&](std::size_t columns) { return question_text(question, columns); },
         .prompt = prompt},
        stop));
    while (trimmed(line).empty()) line = TRY(interaction.ask({.prompt = prompt}, stop));
    answered.answers.push_back(read_answer(question, line));
  }
  return answered;
}

}  // namespace assent::terminal
