#pragma once
// The first line of a prompt, in our own words and derived from the effects (channels.md).

#include <string>

#include "tool/planned.h"
#include "vocabulary/confinement.h"

namespace assent::tool {

// "gives this one command all files and the network", "changes /w/a.c" …
std::string headline(const Planned& plan, const vocabulary::Confinement& confinement);

// The call in one line for the list of a batch: "bash make test", "write_file a.c".
std::string one_line(const Planned& plan);

}  // namespace assent::tool
