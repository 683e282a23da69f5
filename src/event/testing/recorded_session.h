#pragma once
// A session in which everything happens once: every alternative of Data occurs, every member is
// filled somewhere, and each event may follow the one before it.

#include <vector>

#include "event/events.h"

namespace assent::event::testing {

std::vector<Data> recorded_session();

}  // namespace assent::event::testing
