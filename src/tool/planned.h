#pragma once
// One call of a message on its way through the pipeline: a value that each phase fills further.

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "approval/escalation.h"
#include "sandbox/command.h"
#include "tool/clearance.h"
#include "tool/tool.h"
#include "vocabulary/outcome.h"

namespace assent::tool {

// A finished result, whether the body ran or not.
struct Finished {
  std::string content;
  std::optional<vocabulary::CallError> error{};
  std::vector<sandbox::Denial> denials{};
};

struct Planned {
  vocabulary::ToolCall call;     // with the model's id, and the arguments that are judged
  std::shared_ptr<Tool> tool{};  // null for an unknown name
  json::Object arguments{};
  vocabulary::Risk risk = vocabulary::Risk::dangerous;
  vocabulary::Effects effects{};
  std::optional<approval::Escalation> escalation{};
  std::optional<FileChange> change{};
  // What a human wants judged in its place, until it is; and the log's id of what is judged now.
  std::optional<vocabulary::ToolCall> replacement{};
  vocabulary::CallId logged_as{};
  std::string context{};                 // of listeners, for the model
  std::optional<Clearance> clearance{};  // until its body takes it
  std::optional<Finished> finished{};
};

// "Error: <message>" with its code (P-034).
Finished failed(vocabulary::ErrorCode code, std::string_view message, std::string by = {});

}  // namespace assent::tool
