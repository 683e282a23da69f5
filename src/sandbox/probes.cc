#include "sandbox/probes.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>

#include <fmt/format.h>

#include "base/fd.h"
#include "sandbox/landlock.h"

namespace assent::sandbox {
namespace {

// What the layers of the partial tier do not keep (sandbox.md, Tiers).
std::vector<std::string> partial_missing(int abi) {
  std::vector<std::string> missing{
      "no private process list: other processes can be seen, not changed",
      "no private network: unused loopback ports can be listened on by name only, never connected "
      "to",
      "no private /tmp: a temporary folder stands in for it",
      "file attributes (chmod, chown, times) outside are refused by a check that a race could pass",
      "names in hidden folders can be listed, their contents not read",
      ".git/config and .git/hooks of the workspace can be changed"};
  if (abi < 3)
    missing.emplace_back("files outside can be truncated (this kernel's Landlock is old)");
  if (abi < 4) missing.emplace_back("programs cannot make network sockets at all");
  if (abi < 6) missing.emplace_back("signals to other processes of yours are not stopped");
  return missing;
}

}  // namespace

int self_test_body() {
  const char* folder = std::getenv("TMPDIR");
  const std::string path = std::string(folder == nullptr ? "/nonexistent" : folder) + "/self-test";
  const base::Fd made(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ::unlink(path.c_str());
  return made.valid() ? 0 : 1;
}

SelfTest run_self_test(Launcher& launcher, const std::string& writable) {
  SelfTest test;
  const int abi = landlock_abi();
  test.probes.push_back(
      {.name = "Landlock",
       .works = abi > 0,
       .detail = abi > 0 ? fmt::format("ABI {}", abi) : "landlock_create_ruleset is refused",
       .remedy = abi > 0 ? "" : "boot with lsm=landlock,… or a kernel from 5.13 on"});
  const Command command{.what = Body(self_test_body),
                        .cwd = writable,
                        .timeout = std::chrono::seconds(20),
                        .output_limit = 1024};
  const Policy policy{.confinement = {.mode = vocabulary::SandboxMode::read_only},
                      .workspace = writable};
  const auto ran = launcher.run(command, policy, {});
  const bool works = ran && ran->exit_code == 0 && ran->signal == 0;
  test.probes.push_back(
      {.name = "confined child",
       .works = works,
       .detail = works  ? "a write outside was refused, one inside worked, the witness listened"
                 : !ran ? ran.error().message
                        : "the temporary folder could not be written",
       .remedy =
           works ? ""
                 : "the container or kernel must permit the landlock and seccomp system calls"});
  if (works) {
    test.enforcement = Enforcement::partial;
    test.missing = partial_missing(abi);
  } else {
    test.missing = {"commands under read-only and workspace-write mode do not run at all"};
  }
  return test;
}

}  // namespace assent::sandbox
