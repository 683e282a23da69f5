#pragma once
// ask_user_question: the model asks the user for information. No relation to approval (B-091): it
// writes no approval event, and no approval policy affects it.

#include "json/value.h"
#include "question/questions.h"
#include "tool/tool.h"

namespace assent::builtin {

// {questions: [{question, id?, header?, options?, multi_select?}]} → {"answers": […]} (B-095,
// B-096).
class AskUserQuestion final : public tool::Tool, public tool::RiskedTool {
 public:
  // `questions` must outlive the tool. Without it there is no such tool (B-094).
  explicit AskUserQuestion(question::UserQuestions& questions);
  [[nodiscard]] std::string_view name() const override { return "ask_user_question"; }
  [[nodiscard]] tool::Definition definition(tool::Escalatable escalatable) const override;
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::no; }
  [[nodiscard]] vocabulary::Risk risk_level() const override { return vocabulary::Risk::safe; }
  [[nodiscard]] bool runs_alone() const override { return true; }
  [[nodiscard]] vocabulary::Effects effects(const json::Object& arguments,
                                            const tool::CallView& view) const override;
  tool::Output run(tool::Clearance clearance, const tool::RunContext& context) override;

 private:
  question::UserQuestions& questions_;
  json::Value schema_;
};

}  // namespace assent::builtin
