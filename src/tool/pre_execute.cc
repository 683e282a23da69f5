#include "tool/pre_execute.h"

#include <exception>
#include <utility>

#include <fmt/format.h>

namespace assent::tool {

PreToolDecision stricter(PreToolDecision a, PreToolDecision b) {
  const auto rank = [](const PreToolDecision& d) {
    return std::holds_alternative<Deny>(d) ? 2 : std::holds_alternative<AskHuman>(d) ? 1 : 0;
  };
  return rank(b) > rank(a) ? std::move(b) : std::move(a);
}

PreToolDecision PreExecute::decide(const Execution& execution) const {
  try {
    PreToolDecision own = policy_ ? policy_(execution) : PreToolDecision(Allow{});
    if (std::holds_alternative<Deny>(own)) return own;
    PreToolDecision others =
        chain_.run(execution, execution.path, [] { return PreToolDecision(Allow{}); });
    // A moved-from or exception-torn value holds no alternative and is nobody's permission (B-169).
    if (others.valueless_by_exception()) return Deny{"a listener returned no decision"};
    return stricter(std::move(own), std::move(others));
  } catch (const std::exception& error) {
    return Deny{fmt::format("a listener failed: {}", error.what())};
  } catch (...) {
    return Deny{"a listener failed"};
  }
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
