#pragma once
// Descriptors over a Unix socket (SCM_RIGHTS).

#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace assent::sandbox {

// One byte `tag` and the descriptors, at most four.
base::Result<void> send_descriptors(int socket, char tag, std::span<const int> descriptors);

struct Received {
  char tag = '\0';  // '\0' where the other side closed
  std::vector<base::Fd> descriptors{};
};
base::Result<Received> receive_descriptors(int socket);

}  // namespace assent::sandbox
