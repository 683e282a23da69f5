#pragma once
// Approvals at the terminal: an adapter, nothing more. Any thread; requests wait for each
// other in the broker's queue.

#include <string>

#include "approval/types.h"
#include "base/clock.h"
#include "terminal/agent_labels.h"
#include "terminal/approval_view.h"
#include "terminal/input_broker.h"

namespace assent::terminal {

class TerminalApprovalHandler final : public approval::Handler {
 public:
  struct Parts {
    InputBroker& broker;
    const base::Clock& clock;
  };
  TerminalApprovalHandler(Parts parts, Catalogue catalogue, std::string user)
      : parts_(parts), catalogue_(catalogue), by_("terminal:" + std::move(user)) {}

  // y allows once, a for a while where that may be, with a number for one of the wider scopes; n,
  // an empty line, the end of input and any other word deny (A-085 … A-088); what follows an n is
  // told to the model; v shows everything and asks again; e (not in `zh`, whose answers are source
  // 1's) denies with other arguments, which are judged instead.
  base::Result<approval::Answer> approve(const approval::Request& request,
                                         const base::StopToken& stop) override;

 private:
  base::Result<approval::Answer> edited(InputBroker::Interaction& interaction,
                                        const approval::Request& request,
                                        const base::StopToken& stop) const;
  [[nodiscard]] approval::Answer deny() const;

  Parts parts_;
  AgentLabels labels_;
  Catalogue catalogue_;
  std::string by_;
};

}  // namespace assent::terminal
