#pragma once
// What the pipeline is made of and whom it works for. References: a pipeline without one of its
// parts cannot be written.

#include <functional>
#include <string>
#include <vector>

#include "approval/service.h"
#include "sandbox/command.h"
#include "scope/scope_path.h"
#include "session/session.h"
#include "tool/guards.h"
#include "tool/pre_execute.h"
#include "tool/texts.h"
#include "tool/tool_source.h"

namespace assent::tool {

// What the sandbox on this machine is worth (decisions.md, section 4, "Confined").
struct SandboxStanding {
  sandbox::Enforcement enforcement = sandbox::Enforcement::none;
  bool partial_accepted = false;       // by the user's or a managed file
  std::vector<std::string> missing{};  // promises not kept here, for the prompt
};

struct Parts {
  const ToolSource& tools;
  const PreExecute& pre_execute;
  const Guards& guards;
  // Looked up at each ask (B-022); null where no service is composed.
  std::function<approval::ApprovalService*()> approval;
  SandboxStanding sandbox{};
  Language language = Language::en;
  std::string search_path{};  // the PATH that commands get
  base::Milliseconds grant_ttl{};
  base::Milliseconds question_ttl{};  // how long a question waits; 0 as long as the turn (K-13)
};

// Hears bodies start and end, on the turn's thread; it changes nothing.
class CallObserver {
 public:
  virtual ~CallObserver() = default;
  virtual void call_started(const vocabulary::ToolCall& call) = 0;
  virtual void call_ended(const vocabulary::ToolCall& call, const event::ToolResult& result) = 0;
};

// The agent whose message is worked on. The calling thread must be the session's writer.
struct Caller {
  session::Session& session;
  vocabulary::AgentRef agent;
  scope::ScopePath path;
  std::string work_dir;
  CallObserver* observer = nullptr;
};

}  // namespace assent::tool
