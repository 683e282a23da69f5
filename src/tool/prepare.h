#pragma once
// Phase one: every call of a message decided, serially and in the model's order, before any body
// runs (A-066, A-072; decisions.md, steps 1 to 7).

#include <map>
#include <string>
#include <vector>

#include "tool/parts.h"
#include "tool/planned.h"

namespace assent::tool {

class Prepare {
 public:
  Prepare(const Parts& parts, const Caller& caller, const base::StopToken& stop)
      : parts_(parts), caller_(caller), stop_(stop) {}

  // Afterwards each planned call has either a clearance or a finished result. An error is a failed
  // audit append.
  base::Result<std::vector<Planned>> run(const std::vector<vocabulary::ToolCall>& calls);

 private:
  Planned freeze(const vocabulary::ToolCall& call) const;
  void reduce(Planned& plan, const CallView& view) const;
  base::Result<void> decide(Planned& plan, std::size_t index, const std::vector<Planned>& batch);
  base::Result<void> judge(Planned& plan, std::size_t index, const std::vector<Planned>& batch);
  base::Result<void> replace(Planned& plan);
  base::Result<void> ask(Planned& plan, approval::Request draft, const AskHuman& why, Terms& terms);
  base::Result<void> escalate(Planned& plan, approval::Request draft, Terms& terms);
  void refuse(Planned& plan, const std::optional<approval::Decided>& decided,
              const std::string& text) const;
  base::Result<void> clear(Planned& plan, Terms terms);
  [[nodiscard]] approval::Request draft(const Planned& plan, std::size_t index,
                                        const std::vector<Planned>& batch,
                                        const Terms& terms) const;
  [[nodiscard]] CallView fresh_view() const;

  const Parts& parts_;
  const Caller& caller_;
  const base::StopToken& stop_;
  std::map<std::string, std::string> will_hold_;  // path → content behind the calls cleared so far
};

// Whether this very call would run under a sandbox that enforces its mode.
policy::Confined confined(const SandboxStanding& standing, const Tool& tool,
                          vocabulary::SandboxMode mode);

// The view of listeners and guards on a planned call.
Execution view_of(const Planned& plan, const Parts& parts, const Caller& caller,
                  const base::StopToken& stop);

}  // namespace assent::tool
