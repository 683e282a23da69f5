// Times whole processes, interleaved (A B A B …): what disturbs one disturbs the other too.
//
//   process_bench RUNS LABEL COMMAND [ARGUMENT…] [:: LABEL COMMAND [ARGUMENT…]]…
//
// Prints one JSON object a line for each label: median, 90th percentile, least wall time and median
// CPU time in milliseconds, peak resident memory in MiB. Each command runs once beforehand,
// uncounted. A command that cannot start or ends with another code than 0 ends the whole with exit
// code 1 and shows what it wrote to standard error.
//
// A program of its own, and a small one: the kernel counts what a process had resident before it
// called execve among its peak, so the figure of a small program says how big its starter is.
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

namespace {

struct Subject {
  const char* label = nullptr;
  std::vector<char*> argv;
  std::vector<double> wall_ms;
  std::vector<double> cpu_ms;
  double peak_mib = 0;
};

double milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

// The value below which `share` of the values lie.
double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(static_cast<double>(values.size() - 1) * share + 0.5)];
}

// The streams of every command: nothing to read, nothing shown, errors kept until the next run.
class Streams {
 public:
  Streams() : errors_(::memfd_create("errors", MFD_CLOEXEC)) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions_, 1, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions_, errors_, 2);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::close(errors_);
  }

  void forget() const {
    if (::ftruncate(errors_, 0) == 0) ::lseek(errors_, 0, SEEK_SET);
  }
  void show() const {
    char buffer[4096];
    ::lseek(errors_, 0, SEEK_SET);
    for (ssize_t size = 0; (size = ::read(errors_, buffer, sizeof buffer)) > 0;) {
      std::fwrite(buffer, 1, static_cast<std::size_t>(size), stderr);
    }
  }
  [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  int errors_;
  posix_spawn_file_actions_t actions_{};
};

enum class Count { no, yes };

bool run_once(Subject& subject, const Streams& streams, Count count) {
  streams.forget();
  const auto start = std::chrono::steady_clock::now();
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, subject.argv.front(), streams.actions(), nullptr,
                                   subject.argv.data(), environ);
  if (error != 0) {
    std::fprintf(stderr, "%s: cannot start %s: %s\n", subject.label, subject.argv.front(),
                 std::strerror(error));
    return false;
  }
  int status = 0;
  rusage usage{};
  ::wait4(pid, &status, 0, &usage);
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    streams.show();
    std::fprintf(stderr, "%s: %s ended with %s %d\n", subject.label, subject.argv.front(),
                 WIFEXITED(status) ? "exit code" : "signal",
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return false;
  }
  if (count == Count::yes) {
    subject.wall_ms.push_back(wall.count());
    subject.cpu_ms.push_back(milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime));
    subject.peak_mib = std::max(subject.peak_mib, static_cast<double>(usage.ru_maxrss) / 1024);
  }
  return true;
}

std::vector<Subject> subjects_of(char** first, char** last) {
  std::vector<Subject> subjects;
  while (first < last) {
    char** const end =
        std::find_if(first, last, [](char* word) { return word == std::string_view("::"); });
    if (end - first < 2) return {};
    Subject subject;
    subject.label = *first;
    subject.argv.assign(first + 1, end);
    subject.argv.push_back(nullptr);
    subjects.push_back(std::move(subject));
    first = end == last ? last : end + 1;
  }
  return subjects;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned runs = 0;
  std::vector<Subject> subjects;
  if (argc > 3) {
    std::from_chars(argv[1], argv[1] + std::strlen(argv[1]), runs);
    subjects = subjects_of(argv + 2, argv + argc);
  }
  if (runs == 0 || subjects.empty()) {
    std::fputs("usage: process_bench RUNS LABEL COMMAND [ARGUMENT...] [:: LABEL COMMAND ...]\n",
               stderr);
    return 2;
  }

  const Streams streams;
  for (unsigned run = 0; run <= runs; ++run) {
    for (Subject& subject : subjects) {
      if (!run_once(subject, streams, run == 0 ? Count::no : Count::yes)) return 1;
    }
  }

  for (const Subject& subject : subjects) {
    std::printf(
        R"({"label": "%s", "median_ms": %.3f, "p90_ms": %.3f, "least_ms": %.3f, "cpu_ms": %.3f, )"
        R"("peak_mib": %.2f})"
        "\n",
        subject.label, quantile(subject.wall_ms, 0.5), quantile(subject.wall_ms, 0.9),
        quantile(subject.wall_ms, 0), quantile(subject.cpu_ms, 0.5), subject.peak_mib);
  }
}
