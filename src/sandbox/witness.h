#pragma once
// Looks at what a confined command tries and keeps the ledger of what its confinement refuses.
// Kernel layers decide; the witness decides itself only where they cannot (attributes, sockets by
// path, datagrams), and says so in the self-test's list of what is missing.

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sandbox/child_path.h"
#include "sandbox/command.h"

struct seccomp_notif;

namespace assent::sandbox {

struct WritableRoots {
  std::vector<std::string> roots;              // with everything below them
  std::vector<std::string> protected_paths{};  // below the roots, yet not to be changed
  [[nodiscard]] bool permits(const std::string& path) const;
};

// One thread: the supervisor's.
class Witness {
 public:
  // `listener` stays the caller's.
  Witness(int listener, WritableRoots roots) : listener_(listener), roots_(std::move(roots)) {}

  // Takes one notification and answers it. False when the listener has nothing more to say.
  bool serve_one();

  // At most `ledger_limit` entries, without immediate repeats.
  [[nodiscard]] const std::vector<Denial>& ledger() const { return ledger_; }
  static constexpr std::size_t ledger_limit = 64;

 private:
  // 0 goes on in the kernel, an errno is what the command gets.
  int judge(const seccomp_notif& notice);
  int judge_paths(const seccomp_notif& notice);
  int judge_attributes(const seccomp_notif& notice);
  int judge_socket(const seccomp_notif& notice);
  int judge_descriptor(const seccomp_notif& notice);
  void changes(pid_t pid, Operation operation, int dirfd, std::uint64_t address, LastLink last);
  int attribute(pid_t pid, int dirfd, std::uint64_t address, LastLink last);
  void record(Operation operation, const std::string& subject, pid_t pid);

  int listener_;
  WritableRoots roots_;
  std::vector<Denial> ledger_;
};

}  // namespace assent::sandbox
