#pragma once
// The model asks the user for information: the third of the three systems, without arrows to the
// other two (B-001, B-091). An answer here is never an approval (K-15).

#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "scope/registration.h"
#include "vocabulary/ids.h"
#include "vocabulary/outcome.h"

namespace assent::question {

struct Option {
  std::string label;
  std::string description{};
  bool operator==(const Option&) const = default;
};

// P-086. Without options the answer is free text.
struct Question {
  std::string id;
  std::string question;
  std::string header{};
  std::vector<Option> options{};
  bool multi_select = false;
  bool operator==(const Question&) const = default;
};

// A skipped question has neither selection nor text. `custom` overrides the selection of a single
// choice and supplements that of a multiple one.
struct Answer {
  std::string id;
  std::vector<std::string> selected{};
  std::optional<std::string> custom{};
  bool operator==(const Answer&) const = default;
};

// NO_PROVIDER, ASK_ABORTED, EMPTY_QUESTIONS, CALLER_NOT_LIVE, DELEGATED_CALLER.
struct QuestionError {
  vocabulary::ErrorCode code;
  std::string message;
  bool operator==(const QuestionError&) const = default;
};

struct Answered {
  std::vector<Answer> answers;
  std::string by;  // channel and user
  bool operator==(const Answered&) const = default;
};

// A channel that can show questions. Blocks until all are answered; an error of any kind, the user
// closing the form and `stop` included, is ASK_ABORTED to the caller. Called on a body's thread.
class Provider {
 public:
  virtual ~Provider() = default;
  virtual base::Result<Answered> ask(const std::vector<Question>& questions,
                                     const base::StopToken& stop) = 0;
};

// What `agent` knows and this room has to ask (B-098, B-099). Any thread.
class LiveAgents {
 public:
  virtual ~LiveAgents() = default;
  [[nodiscard]] virtual bool is_live(const vocabulary::AgentId& agent) const = 0;
  // True for an agent that no other live agent owns.
  [[nodiscard]] virtual bool is_root(const vocabulary::AgentId& agent) const = 0;
};

// Any thread.
class UserQuestions {
 public:
  // `agents` must outlive this.
  explicit UserQuestions(const LiveAgents& agents);

  // One provider at a time: a second is ErrorKind::conflict (DUPLICATE_PROVIDER). `provider` must
  // outlive the registration; when that goes, an open question ends as ASK_ABORTED.
  [[nodiscard]] base::Result<scope::Registration> provide(Provider& provider);

  // Checks in the order of P-087: aborted, empty, live, root, provider.
  std::expected<Answered, QuestionError> ask(const std::vector<Question>& questions,
                                             const std::optional<vocabulary::AgentId>& agent,
                                             const base::StopToken& stop);

 private:
  struct Slot;
  struct Office;
  const LiveAgents& agents_;
  std::shared_ptr<Office> office_;
};

}  // namespace assent::question
