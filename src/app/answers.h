#pragma once
// Prepared answers for the script model, approvals and questions alike in order of appearance
// (channels.md, --answers). Recorded as given by "answers".

#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "approval/types.h"
#include "base/clock.h"
#include "question/questions.h"

namespace assent::app {

// Any thread.
class Answers final : public approval::Handler, public question::Provider {
 public:
  // "y,n,…": for an approval y allows and everything else denies; for a question the word is the
  // text. `clock` must outlive this.
  Answers(std::string_view list, const base::Clock& clock);

  // Exhausted: deny.
  base::Result<approval::Answer> approve(const approval::Request& request,
                                         const base::StopToken& stop) override;
  // Exhausted: an error, which the asker reads as ASK_ABORTED.
  base::Result<question::Answered> ask(const std::vector<question::Question>& questions,
                                       const base::StopToken& stop) override;

 private:
  std::optional<std::string> next();

  const base::Clock& clock_;
  std::mutex mutex_;
  std::deque<std::string> answers_;
};

}  // namespace assent::app
