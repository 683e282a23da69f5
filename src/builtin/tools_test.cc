#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "base/file.h"
#include "base/limits.h"
#include "builtin/bash.h"
#include "builtin/file_tools.h"
#include "json/schema.h"

namespace assent::builtin {
namespace {

using vocabulary::SandboxMode;
namespace fs = std::filesystem;

struct Edit {
  const char* content;
  const char* old_text;
  const char* new_text;
  const char* after;  // null where it fails
};

TEST(ApplyEdit, ReplacesTextThatStandsExactlyOnce) {
  const std::vector<Edit> rows{
      {"a b c", "b", "x", "a x c"}, {"a\r\nb\r\n", "a\nb\n", "x\ny\n", "x\r\ny\r\n"},
      {"a a", "a", "x", nullptr},   {"abc", "d", "x", nullptr},
      {"abc", "", "x", nullptr},    {"abc", "b", "b", nullptr}};
  for (const auto& row : rows) {
    const auto after = apply_edit(row.content, row.old_text, row.new_text);
    EXPECT_EQ(after.value_or("(refused)"), row.after == nullptr ? "(refused)" : row.after);
  }
}

class FileWorkerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const sandbox::Body bodies[] = {file_worker};
    launcher_ = MUST(sandbox::Launcher::create(bodies));
  }
  static void TearDownTestSuite() { launcher_.reset(); }
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "builtin-test-XXXXXX";
    root_ = MUST(base::resolve_path(::mkdtemp(pattern.data())));
    fs::create_directories(root_ + "/work");
    fs::create_directories(root_ + "/outside");
  }
  void TearDown() override { fs::remove_all(root_); }

  [[nodiscard]] Sandboxed sandboxed() const {
    return {.launcher = *launcher_, .workspace = root_ + "/work"};
  }
  FileAnswer run(FileRequest request, SandboxMode mode = SandboxMode::workspace_write) {
    return MUST(run_file_request(sandboxed(), {.mode = mode}, request, {}));
  }
  std::string content(const std::string& path) {
    return base::read_file(path, 1 << 24).value_or("(none)");
  }

  static std::unique_ptr<sandbox::Launcher> launcher_;
  std::string root_;
};

std::unique_ptr<sandbox::Launcher> FileWorkerTest::launcher_;

TEST_F(FileWorkerTest, WritesReadsAndEditsBytesOfAnyKind) {
  const std::string path = root_ + "/work/new/folder/f";
  const std::string bytes("a\0\xff\n", 4);
  EXPECT_EQ(run({FileVerb::write, path, bytes}).error, std::nullopt);
  EXPECT_EQ(run({FileVerb::read, path}).content, bytes);
  EXPECT_EQ(run({FileVerb::edit, path, "a", "bb"}).error, std::nullopt);
  EXPECT_EQ(content(path), std::string("bb\0\xff\n", 5));
  const std::string large(3'000'000, 'x');
  EXPECT_EQ(run({FileVerb::write, path, large}).error, std::nullopt);
  EXPECT_EQ(run({FileVerb::read, path}).content, large);
}

TEST_F(FileWorkerTest, KeepsTheModeOfAFile) {
  const std::string path = root_ + "/work/script";
  MUST(base::write_file(path, "old"));
  fs::permissions(path, fs::perms(0750));
  EXPECT_EQ(run({FileVerb::write, path, "new"}).error, std::nullopt);
  EXPECT_EQ(content(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0750));
}

// covers: B-055
TEST_F(FileWorkerTest, ObeysTheSameSandboxAsCommands) {
  const std::string path = root_ + "/outside/f";
  MUST(base::write_file(path, "old"));
  const auto refused = run({FileVerb::write, path, "new"});
  ASSERT_TRUE(refused.error);
  EXPECT_EQ(content(path), "old");
  ASSERT_FALSE(refused.denials.empty());
  EXPECT_EQ(refused.denials[0].subject, path);
  EXPECT_EQ(run({FileVerb::write, path, "new"}, SandboxMode::danger_full_access).error,
            std::nullopt);
  EXPECT_EQ(content(path), "new");
}

TEST_F(FileWorkerTest, SaysWhatIsWrong) {
  EXPECT_EQ(run({FileVerb::read, root_ + "/work/none"}).error->kind, base::ErrorKind::not_found);
  EXPECT_TRUE(run({FileVerb::read, root_ + "/work"}).error);
  EXPECT_TRUE(run({FileVerb::edit, root_ + "/work/none", "a", "b"}).error);
  MUST(base::write_file(root_ + "/work/f", "a a"));
  EXPECT_EQ(run({FileVerb::edit, root_ + "/work/f", "a", "b"}).error->kind,
            base::ErrorKind::conflict);
  EXPECT_EQ(content(root_ + "/work/f"), "a a");
}

// covers, B-054
TEST_F(FileWorkerTest, ToolsDeclareTheirRiskAndCheckTheirArguments) {
  ReadFile read(sandboxed());
  WriteFile write(sandboxed());
  EditFile edit(sandboxed());
  Bash bash(sandboxed());
  EXPECT_EQ(read.risk_level(), vocabulary::Risk::safe);
  EXPECT_EQ(write.risk_level(), vocabulary::Risk::mutating);
  EXPECT_EQ(edit.risk_level(), vocabulary::Risk::mutating);
  EXPECT_EQ(bash.risk_level(), vocabulary::Risk::dangerous);
  EXPECT_FALSE(json::check(json::Object{{"path", 3}}, read.schema()));
  EXPECT_FALSE(json::check(json::Object{{"path", "a"}}, write.schema()));
  EXPECT_FALSE(json::check(json::Object{{"command", "a"}, {"timeoutMs", 0}}, bash.schema()));
  EXPECT_TRUE(json::check(json::Object{{"command", "a"}, {"sandbox_permissions", "anything"}},
                          bash.schema()));
}

// covers: B-170
TEST_F(FileWorkerTest, EscalationIsAdvertisedOnlyWhereItCanBeAskedFor) {
  const Bash bash(sandboxed());
  const auto has = [&](tool::Escalatable escalatable) {
    return bash.definition(escalatable)
        .parameters.at("properties")
        .as_object()
        .contains("sandbox_permissions");
  };
  EXPECT_TRUE(has(tool::Escalatable::yes));
  EXPECT_FALSE(has(tool::Escalatable::no));
}

struct Rendered {
  sandbox::Finished finished;
  tool::Escalatable escalatable;
  std::string text;
};

// covers: B-056, B-057
TEST(Render, PutsTheMarkersInTheOrderOfTheSource) {
  const sandbox::Denial write{.operation = sandbox::Operation::write, .subject = "/x\n"};
  const sandbox::Denial connect{.operation = sandbox::Operation::connect, .subject = "h:1"};
  const std::string marker = "[sandbox: file access denied under workspace-write mode]\n";
  const std::string hint =
      "[sandbox: escalation available — retry this exact command once with sandbox_permissions "
      "\"danger-full-access\" and a justification of one sentence, if it is needed; refused: write "
      "\"/x\\n\"]\n";
  const std::vector<Rendered> rows{
      {{.output = {"out", 3}}, tool::Escalatable::yes, "out\n"},
      {{}, tool::Escalatable::yes, "(no output)\n"},
      {{.exit_code = 2, .output = {"o\n", 2}, .errors = {"e\n", 2}, .denials = {write}},
       tool::Escalatable::yes,
       "o\n[stderr]\ne\n" + marker + hint + "[exit code: 2]\n"},
      {{.exit_code = 1, .denials = {write}},
       tool::Escalatable::no,
       "(no output)\n" + marker + "[exit code: 1]\n"},
      {{.exit_code = 1, .denials = {connect}},
       tool::Escalatable::no,
       "(no output)\n[sandbox: network access denied under workspace-write mode]\n[exit code: "
       "1]\n"},
      // A denial without a failure is a note: neither marker nor hint.
      {{.denials = {write}},
       tool::Escalatable::yes,
       "(no output)\n[note: the sandbox refused write \"/x\\n\"]\n"},
      {{.signal = 9, .timed_out = true},
       tool::Escalatable::yes,
       "(no output)\n[timed out after 50ms]\n[killed by signal: SIGKILL]\n"}};
  for (const auto& row : rows) {
    EXPECT_EQ(render(row.finished, {.mode = SandboxMode::workspace_write}, row.escalatable,
                     base::Milliseconds(50)),
              row.text);
  }
}

}  // namespace
}  // namespace assent::builtin
