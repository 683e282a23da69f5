#pragma once
// Which calls a grant covers, and which grants a call can be given. Pure.

#include <vector>

#include "approval/types.h"

namespace assent::approval {

// Same session, tool and working directory, and the call lies in the grant's scope. Says nothing of
// the grant's life. A path range covers calls that only read and write files under its folder, none
// of them hidden (below the folder) or in a hidden folder: those often execute later.
bool covers(const Grant& grant, const Request& request);

// What may be offered beside the exact call: the folder of the one file that a call writes,
// where that lies within the working directory. Each of them covers `request`.
std::vector<vocabulary::GrantScope> wider_scopes(const Request& request);

}  // namespace assent::approval
