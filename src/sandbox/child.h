#pragma once
// From the fork to the exec: restricts the calling process and becomes the command. Runs in a
// single-threaded process that shares no memory with the harness.

#include <span>

#include "sandbox/spawn_request.h"

namespace assent::sandbox {

struct ChildDescriptors {
  int input = -1;
  int output = -1;
  int errors = -1;
  int status = -1;  // a Unix socket to the supervisor
};

// On the status socket: 'L' with the listener once the filter is on (or 'N' where nothing
// confines), then nothing more if the exec succeeded; 'F' and a text in the socket's stream where
// anything failed, and the process ends. Never returns.
[[noreturn]] void become_command(const SpawnRequest& request, const ChildDescriptors& descriptors,
                                 std::span<const Body> bodies);

}  // namespace assent::sandbox
