#include "question/questions.h"

#include <utility>

namespace assent::question {

using vocabulary::ErrorCode;

// One provider's time in office; `ended` stops the question that it is showing.
struct UserQuestions::Slot {
  Provider& provider;
  base::StopSource ended{};
};

struct UserQuestions::Office {
  std::mutex mutex;
  std::shared_ptr<Slot> slot;
};

UserQuestions::UserQuestions(const LiveAgents& agents)
    : agents_(agents), office_(std::make_shared<Office>()) {}

base::Result<scope::Registration> UserQuestions::provide(Provider& provider) {
  const std::lock_guard lock(office_->mutex);
  if (office_->slot != nullptr) {
    return base::failure(base::ErrorKind::conflict,
                         "DUPLICATE_PROVIDER: a question provider is registered already");
  }
  office_->slot = std::make_shared<Slot>(Slot{provider});
  return scope::Registration([weak = std::weak_ptr(office_)] {
    const auto office = weak.lock();
    if (office == nullptr) return;
    const std::lock_guard undo(office->mutex);
    office->slot->ended.request_stop();
    office->slot.reset();
  });
}

std::expected<Answered, QuestionError> UserQuestions::ask(
    const std::vector<Question>& questions, const std::optional<vocabulary::AgentId>& agent,
    const base::StopToken& stop) {
  const auto fail = [](ErrorCode code, std::string message) {
    return std::unexpected(QuestionError{code, std::move(message)});
  };
  if (stop.stop_requested()) return fail(ErrorCode::ask_aborted, "the question was cancelled");
  if (questions.empty()) return fail(ErrorCode::empty_questions, "no question was given");
  if (!agent || !agents_.is_live(*agent)) {
    return fail(ErrorCode::caller_not_live, "the calling agent is not live");
  }
  if (!agents_.is_root(*agent)) {
    return fail(
        ErrorCode::delegated_caller,
        "human interaction is unavailable while the calling agent is owned by another live "
        "agent; include the unresolved question or decision in the child agent's final result");
  }
  std::shared_ptr<Slot> slot;
  {
    const std::lock_guard lock(office_->mutex);
    slot = office_->slot;
  }
  if (slot == nullptr) {
    return fail(ErrorCode::no_provider, "no channel is registered that could show a question");
  }
  base::StopSource either(stop);
  const std::stop_callback on_end(slot->ended.token().std_token(),
                                  [&either] { either.request_stop(); });
  auto answered = slot->provider.ask(questions, either.token());
  if (!answered) return fail(ErrorCode::ask_aborted, answered.error().message);
  return std::move(*answered);
}

}  // namespace assent::question
