#include "question/on_record.h"

#include <utility>

#include <boost/json.hpp>

namespace assent::question {
namespace {

json::Object to_json(const Option& option) {
  json::Object object{{"label", option.label}};
  if (!option.description.empty()) object["description"] = option.description;
  return object;
}

}  // namespace

json::Value to_json(const std::vector<Question>& questions) {
  json::Array array;
  for (const auto& question : questions) {
    json::Object object{{"id", question.id}, {"question", question.question}};
    if (!question.header.empty()) object["header"] = question.header;
    json::Array options;
    for (const auto& option : question.options) options.emplace_back(to_json(option));
    if (!options.empty()) object["options"] = std::move(options);
    if (question.multi_select) object["multi_select"] = true;
    array.emplace_back(std::move(object));
  }
  return array;
}

json::Value to_json(const std::vector<Answer>& answers) {
  json::Array array;
  for (const auto& answer : answers) {
    json::Object object{{"id", answer.id},
                        {"selected", json::Array(answer.selected.begin(), answer.selected.end())}};
    if (answer.custom) object["custom"] = *answer.custom;
    array.emplace_back(std::move(object));
  }
  return array;
}

std::expected<Answered, QuestionError> ask_on_record(session::Session& session,
                                                     UserQuestions& service, const Asker& asker,
                                                     const std::vector<Question>& questions,
                                                     const base::StopToken& stop) {
  const auto not_logged = [](const base::Error& error) {
    return std::unexpected(QuestionError{vocabulary::ErrorCode::tool_failed, error.message});
  };
  event::QuestionAnswered record;
  const auto asked = session.submit([&](session::Session& writer) {
    record.id = base::make_id<vocabulary::QuestionId>(writer.clock(), writer.rng());
    return writer.append(event::QuestionAsked{
        .id = record.id, .call_id = asker.call, .questions = to_json(questions)});
  });
  if (!asked) return not_logged(asked.error());
  auto answered = service.ask(questions, asker.agent, stop);
  if (answered) {
    record.by = answered->by;
    record.answers = to_json(answered->answers);
  } else {
    record.by = "none";
    record.error = answered.error().code;
  }
  const auto logged =
      session.submit([&](session::Session& writer) { return writer.append(std::move(record)); });
  if (!logged) return not_logged(logged.error());
  return answered;
}

}  // namespace assent::question
