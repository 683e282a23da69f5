#pragma once
// What must hold of every log, whoever wrote it: checked on the events alone.

#include <set>
#include <string>
#include <vector>

#include "event/codec.h"

namespace assent::tool::testing {

// One line for each rule that the log of one session breaks; empty for a sound one. The log is
// replayed, so that its order is checked too (event::State::check). Where it `ended` in
// peace, every call has its result and every question its decision.
// `grants`: ids that count from the start.
enum class Ended : std::uint8_t { in_peace, in_a_crash };
std::vector<std::string> broken_rules(const vocabulary::SessionId& session,
                                      const std::vector<event::Record>& log, Ended ended,
                                      const std::set<std::string>& grants = {});

}  // namespace assent::tool::testing
