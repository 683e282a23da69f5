#include "sandbox/launcher.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/fd.h"
#include "base/file.h"
#include "sandbox/environment.h"
#include "sandbox/output_collector.h"
#include "sandbox/probes.h"
#include "sandbox/spawn_request.h"
#include "sandbox/spawner.h"

namespace assent::sandbox {
namespace {

using base::ErrorKind;
using base::Fd;
using base::Result;
using Steady = std::chrono::steady_clock;

// How long a supervisor may take to end a killed process tree and to report.
constexpr std::chrono::seconds report_patience{10};

// The session's private place: a folder that commands may write, and a file beside it that they
// must not.
class TempFolder {
 public:
  static Result<TempFolder> create() {
    const char* base = std::getenv("TMPDIR");
    std::string pattern =
        fmt::format("{}/assent-XXXXXX", base != nullptr && *base == '/' ? base : "/tmp");
    if (::mkdtemp(pattern.data()) == nullptr) {
      return base::failure(base::system_error("mkdtemp", errno).in(pattern));
    }
    TempFolder folder(TRY(base::resolve_path(pattern)));
    TRY(base::make_folders(folder.writable(), 0700));
    TRY(base::write_file(folder.canary(), "", 0600));
    return folder;
  }
  TempFolder(TempFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  TempFolder& operator=(TempFolder&&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string writable() const { return path_ + "/tmp"; }
  [[nodiscard]] std::string canary() const { return path_ + "/canary"; }

 private:
  explicit TempFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// One running call as the harness sees it.
class Call {
 public:
  Call(const Command& command, const base::StopToken& stop)
      : command_(command),
        stop_(stop),
        deadline_(Steady::now() + command.timeout),
        output_(command.output_limit),
        errors_(command.output_limit) {}

  Result<void> open() {
    std::array<int, 2> pair{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
      return base::failure(base::system_error("socketpair", errno));
    }
    control_ = Fd(pair[0]);
    remote_control_ = Fd(pair[1]);
    input_pipe_ = TRY(base::make_pipe());
    output_pipe_ = TRY(base::make_pipe());
    errors_pipe_ = TRY(base::make_pipe());
    for (const int fd :
         {input_pipe_.write.get(), output_pipe_.read.get(), errors_pipe_.read.get()}) {
      ::fcntl(fd, F_SETFL, O_NONBLOCK);
    }
    return {};
  }

  [[nodiscard]] std::array<int, 4> remote() const {
    return {remote_control_.get(), input_pipe_.read.get(), output_pipe_.write.get(),
            errors_pipe_.write.get()};
  }
  void close_remote() {
    remote_control_.reset();
    input_pipe_.read.reset();
    output_pipe_.write.reset();
    errors_pipe_.write.reset();
  }
  [[nodiscard]] int control() const { return control_.get(); }

  // Until the supervisor's report is there; then what is left in the pipes.
  Result<Finished> wait() {
    while (true) {
      std::array<pollfd, 5> fds{{{control_.get(), POLLIN, 0},
                                 {output_pipe_.read.get(), POLLIN, 0},
                                 {errors_pipe_.read.get(), POLLIN, 0},
                                 {input_pipe_.write.get(), POLLOUT, 0},
                                 {ending_ ? -1 : stop_.fd(), POLLIN, 0}}};
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Steady::now());
      (void)::poll(fds.data(), fds.size(),
                   static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000)));
      if (fds[1].revents != 0) drain(output_pipe_.read, output_);
      if (fds[2].revents != 0) drain(errors_pipe_.read, errors_);
      if (fds[3].revents != 0) feed();
      if (fds[0].revents != 0) break;
      if (fds[4].revents != 0) end(stopped_);
      if (Steady::now() >= deadline_) {
        if (ending_) {
          return base::failure(ErrorKind::internal, "the command's processes could not be ended");
        }
        end(timed_out_);
      }
    }
    const auto report = TRY(receive_report());
    drain(output_pipe_.read, output_);
    drain(errors_pipe_.read, errors_);
    return Finished{.exit_code = static_cast<int>(report.exit_code),
                    .signal = static_cast<int>(report.signal),
                    .timed_out = timed_out_,
                    .stopped = stopped_,
                    .output = output_.finish(),
                    .errors = errors_.finish(),
                    .denials = report.denials};
  }

 private:
  void end(bool& why) {
    why = true;
    ending_ = true;
    deadline_ = Steady::now() + report_patience;
    (void)base::write_all(control_.get(), "K");
  }

  Result<SpawnReport> receive_report() {
    const auto bytes = receive_message(control_.get());
    if (!bytes) {
      return base::failure(ErrorKind::unavailable, "the process that starts commands has failed");
    }
    auto report = TRY(decode_report(*bytes));
    if (!report.failure.empty()) return base::failure(ErrorKind::unavailable, report.failure);
    return report;
  }

  static void drain(Fd& pipe, OutputCollector& collector) {
    std::array<std::byte, 65536> chunk;
    while (pipe.valid()) {
      const ssize_t got = ::read(pipe.get(), chunk.data(), chunk.size());
      if (got > 0) {
        collector.add({reinterpret_cast<const char*>(chunk.data()), static_cast<std::size_t>(got)});
        continue;
      }
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
      pipe.reset();
    }
  }

  void feed() {
    const std::string_view rest = std::string_view(command_.input).substr(fed_);
    const ssize_t put =
        rest.empty() ? 0 : ::write(input_pipe_.write.get(), rest.data(), rest.size());
    if (put > 0) fed_ += static_cast<std::size_t>(put);
    const bool broken = put < 0 && errno != EAGAIN && errno != EINTR;
    if (broken || fed_ == command_.input.size()) input_pipe_.write.reset();
  }

  const Command& command_;
  const base::StopToken& stop_;
  Steady::time_point deadline_;
  OutputCollector output_;
  OutputCollector errors_;
  Fd control_;
  Fd remote_control_;
  base::Pipe input_pipe_;
  base::Pipe output_pipe_;
  base::Pipe errors_pipe_;
  std::size_t fed_ = 0;
  bool ending_ = false;
  bool timed_out_ = false;
  bool stopped_ = false;
};

class ForkingLauncher final : public Launcher {
 public:
  ForkingLauncher(Spawner spawner, TempFolder temp, std::vector<Body> bodies)
      : spawner_(std::move(spawner)), temp_(std::move(temp)), bodies_(std::move(bodies)) {}

  const SelfTest& self_test() override {
    const std::lock_guard lock(test_mutex_);
    if (!tested_) tested_ = run_self_test(*this, temp_.writable());
    return *tested_;
  }

  Result<Finished> run(const Command& command, const Policy& policy,
                       const base::StopToken& stop) override {
    if (stop.stop_requested()) return base::failure(ErrorKind::cancelled, "stopped");
    const SpawnRequest request = TRY(request_for(command, policy));
    Call call(command, stop);
    TRY(call.open());
    {
      const std::lock_guard lock(spawn_mutex_);
      TRY(spawner_.spawn(call.remote()));
    }
    call.close_remote();
    TRY(send_message(call.control(), encode(request)));
    Finished finished = TRY(call.wait());
    finished.enforcement =
        request.confine == Confine::yes ? Enforcement::partial : Enforcement::none;
    return finished;
  }

 private:
  [[nodiscard]] Result<SpawnRequest> request_for(const Command& command,
                                                 const Policy& policy) const {
    using vocabulary::SandboxMode;
    SpawnRequest request{
        .cwd = command.cwd,
        .environment = command_environment(::environ, temp_.writable(), command.environment),
        .confine =
            policy.confinement.mode == SandboxMode::danger_full_access ? Confine::no : Confine::yes,
        .writable = policy.confinement.extra.write,
        .protected_paths = policy.read_only,
        .masked = policy.masked,
        .canary = temp_.canary()};
    request.writable.push_back(temp_.writable());
    if (policy.confinement.mode == SandboxMode::workspace_write) {
      request.writable.push_back(policy.workspace);
    }
    if (const auto* program = std::get_if<Program>(&command.what)) {
      if (program->argv.empty()) return base::failure(ErrorKind::invalid, "an empty command");
      request.argv = program->argv;
      return request;
    }
    const auto found = std::ranges::find(bodies_, std::get<Body>(command.what));
    if (found == bodies_.end()) {
      return base::failure(ErrorKind::internal, "a body that the launcher was not made with");
    }
    request.body = found - bodies_.begin();
    return request;
  }

  Spawner spawner_;
  TempFolder temp_;
  std::vector<Body> bodies_;
  std::mutex spawn_mutex_;
  std::mutex test_mutex_;
  std::optional<SelfTest> tested_;
};

}  // namespace

Result<std::unique_ptr<Launcher>> Launcher::create(std::span<const Body> bodies) {
  // A harness that can be read or traced by what it starts is no boundary; and a reader of the
  // control socket that has gone must not end it.
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  ::signal(SIGPIPE, SIG_IGN);
  std::vector<Body> all(bodies.begin(), bodies.end());
  all.push_back(self_test_body);
  auto temp = TRY(TempFolder::create());
  auto spawner = TRY(Spawner::start(all));
  return std::make_unique<ForkingLauncher>(std::move(spawner), std::move(temp), std::move(all));
}

}  // namespace assent::sandbox
