#include "app/answers.h"

#include <algorithm>
#include <utility>

namespace assent::app {
namespace {
constexpr const char* by_answers = "answers";
}

Answers::Answers(std::string_view list, const base::Clock& clock) : clock_(clock) {
  while (!list.empty()) {
    const auto comma = list.find(',');
    answers_.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
}

std::optional<std::string> Answers::next() {
  const std::lock_guard lock(mutex_);
  if (answers_.empty()) return std::nullopt;
  std::string answer = std::move(answers_.front());
  answers_.pop_front();
  return answer;
}

base::Result<approval::Answer> Answers::approve(const approval::Request&, const base::StopToken&) {
  const auto answer = next();
  return approval::Answer{
      .decision = answer == "y" ? approval::Decision::allow_once : approval::Decision::deny,
      .at_ms = clock_.now_ms(),
      .by = by_answers};
}

base::Result<question::Answered> Answers::ask(const std::vector<question::Question>& questions,
                                              const base::StopToken&) {
  question::Answered answered{.by = by_answers};
  for (const auto& question : questions) {
    auto answer = next();
    if (!answer) {
      return base::failure(base::ErrorKind::cancelled, "the prepared answers are used up");
    }
    const bool chosen = std::ranges::any_of(
        question.options, [&](const auto& option) { return option.label == *answer; });
    question::Answer given{.id = question.id};
    if (chosen) {
      given.selected.push_back(std::move(*answer));
    } else {
      given.custom = std::move(*answer);
    }
    answered.answers.push_back(std::move(given));
  }
  return answered;
}

}  // namespace assent::app
