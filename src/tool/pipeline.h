#pragma once
// Everything between the model's answer and the next request: prepare, dispatch, finalize
// (decisions.md, section 1). Every call of a message ends with exactly one tool/result.

#include <vector>

#include "tool/parts.h"

namespace assent::tool {

// What became of the calls of one message.
struct BatchEnd {
  std::size_t refused = 0;  // by rule, hook, guard, human or `never`; the sandbox does not count
};

// Stateless but for its parts; used on the thread of the session's writer.
class Pipeline {
 public:
  // `parts` and what it refers to must outlive the pipeline.
  explicit Pipeline(const Parts& parts) : parts_(parts) {}

  // The calls of one assistant message, in the model's order; the results are appended in one
  // batch, in that order. An error is a failed append: what ran is in the log up to its
  // tool/started, and repair answers the rest at the next open.
  base::Result<BatchEnd> run(const std::vector<vocabulary::ToolCall>& calls, const Caller& caller,
                             const base::StopToken& stop) const;

 private:
  const Parts& parts_;
};

}  // namespace assent::tool
