#include "builtin/ask_user_question.h"

#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "builtin/sandboxed.h"
#include "question/on_record.h"

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
  const auto answered = question::ask_on_record(
      context.session, questions_, {.agent = context.agent.id, .call = clearance.call().id},
      questions, context.stop);
  if (!answered) {
    return {.content = "Error: " + answered.error().message,
            .error = CallError{.code = answered.error().code}};
  }
  return {.content = json::write(json::Object{{"answers", question::to_json(answered->answers)}})};
}

}  // namespace assent::builtin
