#include "tool/tool.h"

namespace assent::tool {

vocabulary::Effects Tool::effects(const json::Object&, const CallView&) const {
  return {vocabulary::CallEffect{std::string(name())}};
}

approval::EscalationArgs Tool::escalation(const json::Object&) const { return {}; }

std::optional<FileChange> Tool::preview(const json::Object&, const CallView&) const {
  return std::nullopt;
}

}  // namespace assent::tool
