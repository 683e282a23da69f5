#include "tool/texts.h"

#include <fmt/format.h>

#include "vocabulary/decider.h"

namespace assent::tool {

using vocabulary::ApprovalOutcome;

std::string no_service_text(std::string_view tool, const std::optional<std::string>& reason) {
  std::string text = fmt::format("tool \"{}\" requires approval (not yet supported)", tool);
  if (reason && !reason->empty()) text += ": " + *reason;
  return text;
}

std::string no_agent_text(std::string_view tool) {
  return fmt::format("tool \"{}\" requires approval, but the call has no agent to route it through",
                     tool);
}

namespace {

std::string english(std::string_view tool, const approval::Decided& decided) {
  switch (decided.outcome) {
    case ApprovalOutcome::allowed_once: return {};
    case ApprovalOutcome::rejected:
      if (decided.by == vocabulary::by_never) {
        return fmt::format(
            "tool \"{}\" requires approval, and approval prompts are disabled in this session",
            tool);
      }
      if (decided.by == vocabulary::by_repeat) {
        return fmt::format("tool \"{}\" was already rejected in this turn", tool);
      }
      return fmt::format("the user rejected tool \"{}\"", tool);
    case ApprovalOutcome::cancelled:
      return fmt::format("approval for tool \"{}\" was cancelled", tool);
    case ApprovalOutcome::unavailable: break;
  }
  return fmt::format("tool \"{}\" requires approval, but no approval channel is available", tool);
}

std::string chinese(std::string_view tool, const approval::Decided& decided) {
  switch (decided.outcome) {
    case ApprovalOutcome::allowed_once: return {};
    case ApprovalOutcome::rejected:
      if (decided.by == vocabulary::by_never) {
        return fmt::format("工具调用被拒绝: {} (本会话已关闭审批)", tool);
      }
      if (decided.by == vocabulary::by_repeat) {
        return fmt::format("工具调用被拒绝: {} (本轮已拒绝过)", tool);
      }
      return fmt::format("工具调用被拒绝: {}", tool);
    case ApprovalOutcome::cancelled: return fmt::format("工具审批已取消: {}", tool);
    case ApprovalOutcome::unavailable: break;
  }
  return fmt::format("工具调用需要审批, 但没有可用的审批渠道: {}", tool);
}

}  // namespace

std::string refusal_text(std::string_view tool, const approval::Decided& decided,
                         Language language) {
  std::string text = language == Language::zh ? chinese(tool, decided) : english(tool, decided);
  if (decided.feedback && !text.empty()) text += ": " + *decided.feedback;
  return text;
}

}  // namespace assent::tool
