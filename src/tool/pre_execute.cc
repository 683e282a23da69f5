#include "tool/pre_execute.h"

#include <exception>
#include <utility>

#include <fmt/format.h>

#include "base/foreign_call.h"

namespace assent::tool {

std::string* context_of(PreToolDecision& decision) {
  if (auto* allow = std::get_if<Allow>(&decision)) return &allow->context;
  if (auto* human = std::get_if<AskHuman>(&decision)) return &human->context;
  return nullptr;
}

PreToolDecision stricter(PreToolDecision a, PreToolDecision b) {
  const auto rank = [](const PreToolDecision& d) {
    return std::holds_alternative<Deny>(d) ? 2 : std::holds_alternative<AskHuman>(d) ? 1 : 0;
  };
  PreToolDecision& winner = rank(b) > rank(a) ? b : a;
  PreToolDecision& other = &winner == &a ? b : a;
  std::string* kept = context_of(winner);
  const std::string* more = context_of(other);
  if (kept != nullptr && more != nullptr && !more->empty()) {
    if (!kept->empty()) *kept += '\n';
    *kept += *more;
  }
  return std::move(winner);
}

PreToolDecision PreExecute::decide(const Execution& execution, session::Session& session) const {
  try {
    PreToolDecision own = policy_ ? policy_(execution) : PreToolDecision(Allow{});
    if (std::holds_alternative<Deny>(own)) return own;
    return stricter(std::move(own), others(execution, session));
  } catch (const std::exception& error) {
    return Deny{fmt::format("a listener failed: {}", error.what())};
  } catch (...) {
    return Deny{"a listener failed"};
  }
}

PreToolDecision PreExecute::others(Execution execution, session::Session& session) const {
  auto chain = chain_.chain(execution.path);
  if (chain.empty()) return Allow{};
  const base::StopToken stop = execution.stop;
  const session::LogPass log(session);
  execution.log = log;
  const std::stop_callback wake(stop.std_token(), session.waker());
  base::ForeignCall<PreToolDecision> call(
      [chain = std::move(chain), execution = std::move(execution)] {
        return chain.run(execution, [] { return PreToolDecision(Allow{}); });
      },
      session.waker());
  session.serve_until([&] { return call.ended() || stop.stop_requested(); });
  if (!call.ended()) {
    // What was told to stop may still have something to log.
    const auto patience = session.clock().now_ms() + base::limits::foreign_grace.count();
    session.serve_until([&] { return call.ended(); }, patience);
  }
  session.serve_until([&] { return log.take_back(); });
  auto decision = call.take();
  if (!decision) return Deny{"a listener did not return when the call was cancelled"};
  // A moved-from or exception-torn value holds no alternative and is nobody's permission (B-169).
  if (decision->valueless_by_exception()) return Deny{"a listener returned no decision"};
  return std::move(*decision);
}

PreToolDecision policy_listener(const Execution& execution) {
  auto judged = policy::review(execution.review, {.risk = execution.risk,
                                                  .effects = execution.effects,
                                                  .mode = execution.mode,
                                                  .confined = execution.confined});
  switch (judged.verdict) {
    case policy::Verdict::allow: return Allow{};
    case policy::Verdict::ask: return AskHuman{std::move(judged.text), std::move(judged.by)};
    case policy::Verdict::deny: break;
  }
  return Deny{std::move(judged.text), std::move(judged.by)};
}

}  // namespace assent::tool
