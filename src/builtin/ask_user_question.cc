#include "builtin/ask_user_question.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "builtin/sandboxed.h"
#include "event/events.h"

namespace assent::builtin {
namespace {

using vocabulary::CallError;

json::Value questions_schema() {
  const json::Object text{{"type", "string"}};
  const json::Value option = object_schema({{"label", text}, {"description", text}}, {"label"});
  const json::Value question = object_schema({{"question", text},
                                              {"id", text},
                                              {"header", text},
                                              {"options", {{"type", "array"}, {"items", option}}},
                                              {"multi_select", {{"type", "boolean"}}}},
                                             {"question"});
  return object_schema({{"questions", {{"type", "array"}, {"items", question}}}}, {"questions"});
}

std::string text_or(const json::Object& object, std::string_view key, std::string otherwise) {
  const auto* value = object.if_contains(key);
  return value == nullptr ? std::move(otherwise) : std::string(value->as_string());
}

// The schema was checked: every member has its type.
std::vector<question::Question> parse(const json::Object& arguments) {
  std::vector<question::Question> questions;
  for (const auto& item : arguments.at("questions").as_array()) {
    const json::Object& object = item.as_object();
    question::Question parsed{.id = text_or(object, "id", fmt::format("q{}", questions.size() + 1)),
                              .question = text_or(object, "question", ""),
                              .header = text_or(object, "header", "")};
    if (const auto* options = object.if_contains("options")) {
      for (const auto& option : options->as_array()) {
        parsed.options.push_back({.label = text_or(option.as_object(), "label", ""),
                                  .description = text_or(option.as_object(), "description", "")});
      }
    }
    if (const auto* multi = object.if_contains("multi_select")) {
      parsed.multi_select = multi->as_bool();
    }
    questions.push_back(std::move(parsed));
  }
  return questions;
}

json::Value to_json(const std::vector<question::Answer>& answers) {
  json::Array array;
  for (const auto& answer : answers) {
    json::Object object{{"id", answer.id},
                        {"selected", json::Array(answer.selected.begin(), answer.selected.end())}};
    if (answer.custom) object["custom"] = *answer.custom;
    array.emplace_back(std::move(object));
  }
  return array;
}

}  // namespace

AskUserQuestion::AskUserQuestion(question::UserQuestions& questions)
    : questions_(questions), schema_(questions_schema()) {}

tool::Definition AskUserQuestion::definition(tool::Escalatable) const {
  return {
      .name = std::string(name()),
      .description =
          "Asks the user one or more questions and returns the answers. For information or a "
          "choice that only the user has; never for permission: what needs permission is asked by "
          "the system.",
      .parameters = schema_};
}

vocabulary::Effects AskUserQuestion::effects(const json::Object&, const tool::CallView&) const {
  return {};
}

tool::Output AskUserQuestion::run(tool::Clearance clearance, const tool::RunContext& context) {
  const auto questions = parse(clearance.arguments());
  vocabulary::QuestionId id;
  const auto asked = context.session.submit([&](session::Session& session) {
    id = base::make_id<vocabulary::QuestionId>(session.clock(), session.rng());
    return session.append(event::QuestionAsked{.id = id,
                                               .call_id = clearance.call().id,
                                               .questions = clearance.arguments().at("questions")});
  });
  if (!asked) {
    return {.content = "Error: " + asked.error().message,
            .error = CallError{.code = vocabulary::ErrorCode::tool_failed}};
  }
  const auto answered = questions_.ask(questions, context.agent.id, context.stop);
  event::QuestionAnswered record{.id = id};
  tool::Output output;
  if (answered) {
    record.by = answered->by;
    record.answers = to_json(answered->answers);
    output.content = json::write(json::Object{{"answers", *record.answers}});
  } else {
    record.by = "none";
    record.error = answered.error().code;
    output = {.content = "Error: " + answered.error().message,
              .error = CallError{.code = answered.error().code}};
  }
  const auto logged = context.session.submit(
      [&](session::Session& session) { return session.append(std::move(record)); });
  // An answer that the log does not hold never reaches the model.
  if (!logged) {
    return {.content = "Error: " + logged.error().message,
            .error = CallError{.code = vocabulary::ErrorCode::tool_failed}};
  }
  return output;
}

}  // namespace assent::builtin
