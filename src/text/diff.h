#pragma once
// What changes between two texts, by lines. Any thread.

#include <string>
#include <string_view>

namespace assent::text {

// A unified diff with three lines of context, as `diff -u` prints it; empty for equal texts. The
// shortest edit is searched (Myers, 1986) up to a bound on its length; beyond it the lines between
// the common start and end are shown as replaced as a whole.
std::string unified_diff(std::string_view path, std::string_view before, std::string_view after);

}  // namespace assent::text
