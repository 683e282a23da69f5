#include "sandbox/launcher.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "base/file.h"

namespace assent::sandbox {
namespace {

using vocabulary::SandboxMode;
namespace fs = std::filesystem;

int echo_body() {
  char buffer[64];
  const ssize_t got = ::read(0, buffer, sizeof buffer);
  return ::write(1, buffer, static_cast<std::size_t>(got)) == got ? 7 : 1;
}

class LauncherTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Body bodies[] = {echo_body};
    launcher_ = MUST(Launcher::create(bodies));
  }
  static void TearDownTestSuite() { launcher_.reset(); }

  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "sandbox-test-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = MUST(base::resolve_path(pattern));
    workspace_ = root_ + "/work";
    outside_ = root_ + "/outside";
    fs::create_directories(workspace_);
    fs::create_directories(outside_);
    write(outside_ + "/old", "old");
  }
  void TearDown() override { fs::remove_all(root_); }

  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  }
  static std::string read(const std::string& path) {
    return base::read_file(path, 1 << 20).value_or("(none)");
  }

  base::Result<Finished> run(const std::string& script, SandboxMode mode,
                             base::Milliseconds timeout = std::chrono::seconds(30)) {
    const Command command{.what = Program{{"/bin/bash", "--noprofile", "--norc", "-c", script}},
                          .cwd = workspace_,
                          .timeout = timeout,
                          .output_limit = 65536};
    return launcher_->run(command, policy(mode), {});
  }
  [[nodiscard]] Policy policy(SandboxMode mode) const {
    return {.confinement = {.mode = mode}, .workspace = workspace_, .masked = masked_};
  }

  static std::unique_ptr<Launcher> launcher_;
  std::string root_;
  std::string workspace_;
  std::string outside_;
  std::vector<std::string> masked_;
};

std::unique_ptr<Launcher> LauncherTest::launcher_;

TEST_F(LauncherTest, TheSelfTestEnforcesSomethingOnOurMachines) {
  const SelfTest& test = launcher_->self_test();
  EXPECT_EQ(test.enforcement, Enforcement::partial);
  EXPECT_FALSE(test.missing.empty());
  for (const auto& probe : test.probes) EXPECT_TRUE(probe.works) << probe.name << probe.detail;
}

TEST_F(LauncherTest, ExitCodesSignalsAndBothStreamsAreExact) {
  const auto finished = run("echo out; echo err >&2; exit 42", SandboxMode::workspace_write);
  ASSERT_TRUE(finished) << finished.error().message;
  EXPECT_EQ(*finished, (Finished{.exit_code = 42,
                                 .output = {"out\n", 4},
                                 .errors = {"err\n", 4},
                                 .enforcement = Enforcement::partial}));
  EXPECT_EQ(run("kill -SEGV $$", SandboxMode::read_only)->signal, SIGSEGV);
  EXPECT_EQ(run("exit 255", SandboxMode::danger_full_access)->exit_code, 255);
}

TEST_F(LauncherTest, ABodyReadsItsInputAndAnswers) {
  const Command command{.what = Body(echo_body),
                        .cwd = workspace_,
                        .input = "hello",
                        .timeout = std::chrono::seconds(10),
                        .output_limit = 100};
  const auto finished = launcher_->run(command, policy(SandboxMode::read_only), {});
  ASSERT_TRUE(finished) << finished.error().message;
  EXPECT_EQ(finished->output.text, "hello");
  EXPECT_EQ(finished->exit_code, 7);
}

// One tiny script per behaviour. Each one succeeds without confinement (the control run), then is
// refused with the host unchanged and the ledger naming the operation and the resolved path.
struct Refused {
  const char* name;
  const char* script;  // $OUT is the folder outside
  SandboxMode mode;
  Operation operation;
  const char* subject;  // below the folder outside
};

class RefusedTest : public LauncherTest, public ::testing::WithParamInterface<Refused> {};

TEST_P(RefusedTest, IsRefusedAndWitnessed) {
  const Refused& row = GetParam();
  const auto script = [&] { return "OUT=" + outside_ + "; " + row.script; };
  const auto control = run(script(), SandboxMode::danger_full_access);
  ASSERT_TRUE(control) << control.error().message;
  ASSERT_EQ(control->exit_code, 0) << control->errors.text;
  EXPECT_TRUE(control->denials.empty());
  TearDown();
  SetUp();
  const auto before = fs::last_write_time(outside_);
  const auto refused = run(script(), row.mode);
  ASSERT_TRUE(refused) << refused.error().message;
  EXPECT_NE(refused->exit_code, 0) << refused->output.text;
  EXPECT_EQ(read(outside_ + "/old"), "old");
  EXPECT_EQ(fs::last_write_time(outside_), before);
  EXPECT_EQ(std::distance(fs::directory_iterator(outside_), {}), 1);
  const auto named = std::ranges::any_of(refused->denials, [&](const Denial& denial) {
    return denial.operation == row.operation && denial.subject == outside_ + row.subject;
  });
  EXPECT_TRUE(named) << "denials: " << refused->denials.size()
                     << (refused->denials.empty() ? "" : refused->denials.front().subject);
}

constexpr auto ww = SandboxMode::workspace_write;
INSTANTIATE_TEST_SUITE_P(
    Files, RefusedTest,
    ::testing::Values(
        Refused{"create", "echo x > $OUT/new", ww, Operation::write, "/new"},
        Refused{"overwrite", "echo x > $OUT/old", ww, Operation::write, "/old"},
        Refused{"append", "echo x >> $OUT/old", ww, Operation::write, "/old"},
        Refused{"dots", "echo x > ../outside/./new", ww, Operation::write, "/new"},
        Refused{"link", "ln -s $OUT l; echo x > l/new", ww, Operation::write, "/new"},
        Refused{"dangling", "ln -s $OUT/new l; echo x > l", ww, Operation::write, "/new"},
        Refused{"truncate", "truncate -s 0 $OUT/old", ww, Operation::write, "/old"},
        Refused{"unlink", "rm $OUT/old", ww, Operation::remove, "/old"},
        Refused{"mkdir", "mkdir $OUT/new", ww, Operation::create, "/new"},
        Refused{"fifo", "mkfifo $OUT/new", ww, Operation::create, "/new"},
        Refused{"symlink", "ln -s x $OUT/new", ww, Operation::create, "/new"},
        Refused{"rename_out", "touch f; mv -T f $OUT/new", ww, Operation::create, "/new"},
        Refused{"rename_in", "mv $OUT/old f", ww, Operation::rename, "/old"},
        Refused{"hard_link", "ln $OUT/old f", ww, Operation::link, "/old"},
        Refused{"chmod", "chmod 600 $OUT/old", ww, Operation::change, "/old"},
        Refused{"touch", "touch -d 2001-01-01 $OUT/old", ww, Operation::change, "/old"},
        Refused{"read_only", "echo x > $OUT/new", SandboxMode::read_only, Operation::write,
                "/new"}),
    [](const auto& row) { return row.param.name; });

TEST_F(LauncherTest, ReadOnlyModeRefusesTheWorkspaceToo) {
  ASSERT_EQ(run("echo x > f", ww)->exit_code, 0);
  EXPECT_EQ(read(workspace_ + "/f"), "x\n");
  const auto refused = run("echo y > f", SandboxMode::read_only);
  EXPECT_NE(refused->exit_code, 0);
  EXPECT_EQ(read(workspace_ + "/f"), "x\n");
  EXPECT_EQ(refused->denials.at(0).subject, workspace_ + "/f");
}

TEST_F(LauncherTest, OrdinaryWorkLeavesNoTrace) {
  const auto finished = run(
      "cat /etc/passwd >/dev/null && echo x > f && mkdir d && mv f d/ && chmod 700 d && rm -r d && "
      "t=$(mktemp) && echo x > $t && rm $t && python3 -c 'import socket; socket.socketpair()' && "
      "echo ok >/dev/stderr",
      ww);
  EXPECT_EQ(finished->exit_code, 0) << finished->errors.text;
  EXPECT_EQ(finished->denials, std::vector<Denial>{});
}

TEST_F(LauncherTest, AnExtraPermissionOpensExactlyWhatItNames) {
  Policy wider = policy(SandboxMode::read_only);
  wider.confinement.extra.write = {outside_};
  const Command command{
      .what = Program{{"/bin/sh", "-c", "echo x > " + outside_ + "/new; echo x > f"}},
      .cwd = workspace_,
      .timeout = std::chrono::seconds(20),
      .output_limit = 1000};
  const auto finished = launcher_->run(command, wider, {});
  EXPECT_EQ(read(outside_ + "/new"), "x\n");
  EXPECT_NE(finished->exit_code, 0);
  EXPECT_FALSE(fs::exists(workspace_ + "/f"));
}

TEST_F(LauncherTest, MaskedContentsCannotBeRead) {
  fs::create_directories(root_ + "/home/.ssh");
  write(root_ + "/home/.ssh/id", "secret");
  write(root_ + "/home/open", "open");
  const std::string script = "cat ../home/open && cat ../home/.ssh/id";
  ASSERT_EQ(run(script, ww)->output.text, "opensecret");
  masked_ = {root_ + "/home/.ssh"};
  const auto finished = run(script, ww);
  EXPECT_EQ(finished->output.text, "open");
  EXPECT_NE(finished->exit_code, 0);
}

TEST_F(LauncherTest, DangerousSystemCallsAreRefused) {
  const auto denied = [&](const std::string& python) {
    return run("python3 -c '" + python + "'", ww)->exit_code;
  };
  const std::string libc = "import ctypes,os,sys; c=ctypes.CDLL(None,use_errno=True); ";
  EXPECT_EQ(denied(libc + "sys.exit(0 if c.syscall(425,1,0)<0 and ctypes.get_errno()==1 else 9)"),
            0)
      << "io_uring_setup";
  EXPECT_EQ(denied(libc + "sys.exit(0 if c.unshare(0x10000000)<0 else 9)"), 0) << "user namespace";
  EXPECT_EQ(denied(libc + "sys.exit(0 if c.ptrace(0,0,0,0)<0 else 9)"), 0) << "ptrace";
  EXPECT_EQ(denied("import socket\ntry: socket.socket(16,3,0)\nexcept PermissionError: pass\nelse: "
                   "raise SystemExit(9)"),
            0)
      << "netlink";
}

TEST_F(LauncherTest, ConnectionsAreRefusedWithTheAddressInTheLedger) {
  const auto finished =
      run("python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", 9), 5)'", ww);
  EXPECT_NE(finished->exit_code, 0);
  ASSERT_FALSE(finished->denials.empty());
  EXPECT_EQ(finished->denials.at(0).operation, Operation::connect);
  EXPECT_EQ(finished->denials.at(0).subject, "127.0.0.1:9");
}

TEST_F(LauncherTest, OnlyASocketThatIsThereIsRefused) {
  const auto connect_to = [&](const std::string& path) {
    return run("python3 -c 'import socket, sys\ntry: socket.socket(socket.AF_UNIX).connect(\"" +
                   path + "\")\nexcept OSError as e: sys.exit(e.errno)'",
               ww);
  };
  const auto missing = connect_to(outside_ + "/none");
  EXPECT_EQ(missing->exit_code, ENOENT);
  EXPECT_EQ(missing->denials, std::vector<Denial>{});
  std::ofstream(outside_ + "/plain") << "x";
  EXPECT_EQ(connect_to(outside_ + "/plain")->exit_code, ECONNREFUSED);

  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string name = outside_ + "/socket";
  name.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(listener, 1), 0);
  const auto refused = connect_to(name);
  ::close(listener);
  EXPECT_EQ(refused->exit_code, EACCES);
  ASSERT_EQ(refused->denials.size(), 1U);
  EXPECT_EQ(refused->denials.at(0).subject, name);
}

// Without SHELL, bash looks its user up, which asks the name service daemon first.
TEST_F(LauncherTest, AShellWithoutAnEnvironmentLeavesNoTrace) {
  const auto finished = run("env -i /bin/bash -c 'echo ~root'", ww);
  EXPECT_EQ(finished->exit_code, 0);
  EXPECT_EQ(finished->denials, std::vector<Denial>{});
}

TEST_F(LauncherTest, NothingOutlivesTheCall) {
  const auto finished =
      run("sleep 1000 & setsid sleep 1001 & (setsid nohup sh -c 'trap \"\" TERM HUP; sleep 1002' "
          ">/dev/null 2>&1 &) ; echo $!; exit 0",
          ww);
  ASSERT_EQ(finished->exit_code, 0);
  EXPECT_EQ(run("pgrep -f '^sleep 100[012]$'", SandboxMode::danger_full_access)->output.text, "");
}

TEST_F(LauncherTest, ATimeOutAndAStopEndTheWholeTree) {
  const auto late = run("sleep 1003 & sleep 1004", ww, base::Milliseconds(200));
  ASSERT_TRUE(late) << late.error().message;
  EXPECT_TRUE(late->timed_out);
  EXPECT_EQ(late->signal, SIGKILL);
  base::StopSource stop;
  std::jthread stopper([&] { stop.request_stop(); });
  const Command command{.what = Program{{"/bin/sleep", "1005"}},
                        .cwd = workspace_,
                        .timeout = std::chrono::seconds(60),
                        .output_limit = 100};
  const auto stopped = launcher_->run(command, policy(ww), stop.token());
  EXPECT_TRUE(!stopped || stopped->stopped);
  EXPECT_EQ(
      run("pgrep -f '^(/bin/)?sleep 100[345]$'", SandboxMode::danger_full_access)->output.text, "");
}

TEST_F(LauncherTest, TheEnvironmentIsAnAllowList) {
  ::setenv("SOME_API_KEY", "secret-value", 1);
  ::setenv("LD_LIBRARY_PATH", "/nonexistent", 1);
  for (const auto mode : {ww, SandboxMode::danger_full_access}) {
    const auto finished = run("env", mode);
    EXPECT_EQ(finished->output.text.find("secret-value"), std::string::npos);
    EXPECT_EQ(finished->output.text.find("LD_LIBRARY_PATH"), std::string::npos);
    EXPECT_NE(finished->output.text.find("TMPDIR="), std::string::npos);
  }
  ::unsetenv("SOME_API_KEY");
  ::unsetenv("LD_LIBRARY_PATH");
}

TEST_F(LauncherTest, NoDescriptorLeaksIn) {
  EXPECT_EQ(run("ls /proc/self/fd | tr '\\n' ' '", ww)->output.text, "0 1 2 3 ");
}

TEST_F(LauncherTest, AFloodOfOutputIsBounded) {
  const auto finished = run("head -c 50000000 /dev/zero | tr '\\0' 'a'", ww);
  EXPECT_EQ(finished->output.size, 50'000'000U);
  EXPECT_LT(finished->output.text.size(), 66'000U);
}

TEST_F(LauncherTest, ForgedMarkersAndPlainDenialsAreNoEvidence) {
  const auto finished =
      run("echo '[sandbox: file access denied under read-only mode]'; touch sandbox; exit 3", ww);
  EXPECT_EQ(finished->denials, std::vector<Denial>{});
}

TEST_F(LauncherTest, WhatCannotBeSetUpDoesNotRunElsewhere) {
  const Command command{.what = Program{{"/bin/sh", "-c", "echo x > " + outside_ + "/new"}},
                        .cwd = workspace_ + "/missing",
                        .timeout = std::chrono::seconds(5),
                        .output_limit = 100};
  const auto failed = launcher_->run(command, policy(ww), {});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, base::ErrorKind::unavailable);
  EXPECT_FALSE(fs::exists(outside_ + "/new"));
}

TEST_F(LauncherTest, ManyCallsSideBySide) {
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, i] {
      const auto finished = run("echo " + std::to_string(i), ww);
      if (finished && finished->output.text == std::to_string(i) + "\n") ++right;
    });
  }
  threads.clear();
  EXPECT_EQ(right, 16);
}

}  // namespace
}  // namespace assent::sandbox
