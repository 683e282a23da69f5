#pragma once
// A question with its pair in the session's log.

#include <expected>
#include <optional>
#include <vector>

#include "json/value.h"
#include "question/questions.h"
#include "session/session.h"

namespace assent::question {

// Who asks: a live agent, by a tool call of its own or without one.
struct Asker {
  vocabulary::AgentId agent;
  std::optional<vocabulary::CallId> call{};
};

// question/asked stands before anybody is asked, question/answered before the answer is used: one
// that the log does not hold is ErrorCode::tool_failed. Any thread but that of the session's
// writer, which must serve meanwhile.
std::expected<Answered, QuestionError> ask_on_record(session::Session& session,
                                                     UserQuestions& service, const Asker& asker,
                                                     const std::vector<Question>& questions,
                                                     const base::StopToken& stop);

json::Value to_json(const std::vector<Question>& questions);
json::Value to_json(const std::vector<Answer>& answers);

}  // namespace assent::question
