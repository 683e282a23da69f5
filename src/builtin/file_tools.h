#pragma once
// read_file, write_file, edit_file. All of them act through the sandbox's file worker.

#include "builtin/file_worker.h"
#include "builtin/sandboxed.h"
#include "tool/tool.h"

namespace assent::builtin {

// {path, offset?, limit?}: the text of a file, or `limit` lines of it from line `offset` (from 1)
// on. Bytes that are no UTF-8 are shown as U+FFFD; a long text is cut in the middle, which is said.
class ReadFile final : public tool::Tool, public tool::RiskedTool {
 public:
  explicit ReadFile(Sandboxed sandboxed);
  [[nodiscard]] std::string_view name() const override { return "read_file"; }
  [[nodiscard]] tool::Definition definition(tool::Escalatable escalatable) const override;
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::yes; }
  [[nodiscard]] vocabulary::Risk risk_level() const override { return vocabulary::Risk::safe; }
  [[nodiscard]] vocabulary::Effects effects(const json::Object& arguments,
                                            const tool::CallView& view) const override;
  tool::Output run(tool::Clearance clearance, const tool::RunContext& context) override;

 private:
  Sandboxed sandboxed_;
  json::Value schema_;
};

// What write_file and edit_file share: escalation, effects and the words of a refusal.
class ChangingTool : public tool::Tool, public tool::RiskedTool {
 public:
  ChangingTool(Sandboxed sandboxed, json::Object properties,
               std::initializer_list<std::string_view> required);
  [[nodiscard]] tool::Definition definition(tool::Escalatable escalatable) const override;
  [[nodiscard]] const json::Value& schema() const override { return schema_; }
  [[nodiscard]] tool::Confinable confinable() const override { return tool::Confinable::yes; }
  [[nodiscard]] vocabulary::Risk risk_level() const override { return vocabulary::Risk::mutating; }
  [[nodiscard]] vocabulary::Effects effects(const json::Object& arguments,
                                            const tool::CallView& view) const override;
  [[nodiscard]] approval::EscalationArgs escalation(const json::Object& arguments) const override;
  tool::Output run(tool::Clearance clearance, const tool::RunContext& context) override;

 protected:
  [[nodiscard]] virtual std::string_view description() const = 0;
  [[nodiscard]] virtual FileRequest request(const json::Object& arguments) const = 0;

 private:
  Sandboxed sandboxed_;
  json::Object properties_;
  json::Value advertised_;  // without the escalation fields
  json::Value schema_;      // what is checked: accepts them as any text
};

// {path, content}: writes the whole file, makes missing folders.
class WriteFile final : public ChangingTool {
 public:
  explicit WriteFile(Sandboxed sandboxed);
  [[nodiscard]] std::string_view name() const override { return "write_file"; }
  [[nodiscard]] std::optional<tool::FileChange> preview(const json::Object& arguments,
                                                        const tool::CallView& view) const override;

 private:
  [[nodiscard]] std::string_view description() const override;
  [[nodiscard]] FileRequest request(const json::Object& arguments) const override;
};

// {path, old_text, new_text}: replaces text that stands exactly once.
class EditFile final : public ChangingTool {
 public:
  explicit EditFile(Sandboxed sandboxed);
  [[nodiscard]] std::string_view name() const override { return "edit_file"; }
  [[nodiscard]] std::optional<tool::FileChange> preview(const json::Object& arguments,
                                                        const tool::CallView& view) const override;

 private:
  [[nodiscard]] std::string_view description() const override;
  [[nodiscard]] FileRequest request(const json::Object& arguments) const override;
};

}  // namespace assent::builtin
