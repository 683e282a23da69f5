#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include <thread>

#include <gtest/gtest.h>

#include "base/testing/fake_clock.h"
#include "terminal/approval_view.h"
#include "terminal/input_broker.h"
#include "terminal/terminal_approval_handler.h"
#include "terminal/terminal_questions.h"
#include "text/gutter.h"
#include "text/width.h"

namespace assent::terminal {
namespace {

using approval::Decision;
using approval::Grantable;
using approval::Request;

constexpr std::chrono::milliseconds settle{30};

// A pipe as input, a pipe as output; what was shown is read at the end.
class PipeTest : public ::testing::Test {
 protected:
  base::Pipe in_ = [] { return MUST(base::make_pipe()); }();
  base::Pipe out_ = [] { return MUST(base::make_pipe()); }();
  base::testing::FakeClock clock_;
  Screen screen_{out_.write.get()};
  InputBroker broker_{in_.read.get(), out_.write.get(), settle};

  void type(std::string_view text) { MUST(base::write_all(in_.write.get(), text)); }
  void end_input() { in_.write.reset(); }
  std::string shown() {
    out_.write.reset();
    return MUST(base::read_to_end(out_.read.get(), 1 << 20));
  }
  base::Result<approval::Answer> ask(const Request& request, Catalogue catalogue = Catalogue::zh,
                                     const base::StopToken& stop = {}) {
    TerminalApprovalHandler handler({broker_, screen_, clock_}, catalogue, "tester");
    return handler.approve(request, stop);
  }
  static Request request() {
    return {.call = {vocabulary::CallId("c"), "bash", R"({"command":"ls"})"},
            .risk = vocabulary::Risk::dangerous,
            .grantable = Grantable::yes,
            .headline = "runs a command"};
  }
};

struct Answered {
  const char* line;
  Decision decision;
};

// covers: A-085, A-086, A-087, A-088
TEST_F(PipeTest, OnlyAYesIsAYes) {
  const std::vector<Answered> rows{
      {"y\n", Decision::allow_once},    {"  Y \n", Decision::allow_once},
      {"a\n", Decision::allow_session}, {"A\n", Decision::allow_session},
      {"n\n", Decision::deny},          {"\n", Decision::deny},
      {"yes\n", Decision::deny},        {"y y\n", Decision::deny},
      {"allow\n", Decision::deny},      {"\xff\n", Decision::deny}};
  for (const auto& row : rows) {
    type(row.line);
    EXPECT_EQ(ask(request())->decision, row.decision) << row.line;
  }
}

TEST_F(PipeTest, WithoutGrantsALastingAnswerIsADeny) {
  Request once = request();
  once.grantable = Grantable::no;
  type("a\n");
  EXPECT_EQ(ask(once)->decision, Decision::deny);
  EXPECT_EQ(shown().find("[a]"), std::string::npos);
}

TEST_F(PipeTest, ADenyMayCarryAWordToTheModel) {
  type("n use make instead\n");
  const auto answer = ask(request());
  EXPECT_EQ(answer->decision, Decision::deny);
  EXPECT_EQ(answer->feedback, "use make instead");
  EXPECT_EQ(answer->by, "terminal:tester");
}

// covers: A-084
TEST_F(PipeTest, ShowsTheLiteralsOfTheSourceInTheirOrder) {
  type("y\n");
  MUST(ask(request()));
  const std::string text = shown();
  EXPECT_TRUE(text.starts_with("\n"));
  EXPECT_NE(text.find("需要确认执行工具: bash\n参数: {\"command\":\"ls\"}\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("[y]允许本次 [a]本会话允许 [n]拒绝: "));
}

TEST_F(PipeTest, TheEndOfInputDenies) {
  end_input();
  EXPECT_EQ(ask(request())->decision, Decision::deny);
  EXPECT_EQ(ask(request())->decision, Decision::deny);
}

// covers: A-089, A-102, A-103, A-104, A-007
TEST_F(PipeTest, ACancelledQuestionSwallowsNothing) {
  base::StopSource stop;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.request_stop();
  });
  EXPECT_EQ(ask(request(), Catalogue::en, stop.token()).error().kind, base::ErrorKind::cancelled);
  type("the next line\n");
  EXPECT_EQ(broker_.read_line(Purpose::prompt, {}), "the next line");
}

// covers: A-090, A-091
TEST_F(PipeTest, LinesGoInOrderByteForByte) {
  type("y\nfirst \xc3\xa9\n\nlast");
  end_input();
  EXPECT_EQ(ask(request())->decision, Decision::allow_once);
  EXPECT_EQ(broker_.read_line(Purpose::prompt, {}), "first \xc3\xa9");
  EXPECT_EQ(broker_.read_line(Purpose::prompt, {}), "");
  EXPECT_EQ(broker_.read_line(Purpose::prompt, {}), "last");
  EXPECT_EQ(broker_.read_line(Purpose::prompt, {}).error().kind, base::ErrorKind::not_found);
}

TEST_F(PipeTest, OutputIsHeldWhileAQuestionIsOpen) {
  {
    const Screen::Open open(screen_);
    screen_.print("later\n");
    screen_.print_question("question\n");
  }
  EXPECT_EQ(shown(), "question\nlater\n");
}

TEST(ApprovalView, HostileArgumentsAreInert) {
  const Request hostile{
      .call = {vocabulary::CallId("c"), "bash",
               "{\"command\":\"\x1b[2J\x1b]52;c;AAAA\x07\u202E\u200B\r[y] allow once\"}"},
      .effects = {vocabulary::PathEffect{vocabulary::PathAccess::write, "/w/\x1b[31m"}},
      .headline = "changes /w/\x1b",
      .diff = "+\x1b[1A[y] allow once: \n",
      .justification = "line one\n▶ fake prompt " + std::string(400, 'x')};
  for (const auto catalogue : {Catalogue::en, Catalogue::zh}) {
    for (const auto extent : {Extent::cut, Extent::whole}) {
      const std::string text = approval_text(hostile, catalogue, extent, 80);
      for (const auto* bad : {"\x1b", "\x07", "\r", "\u202E", "\u200B", "\n▶ fake"}) {
        EXPECT_EQ(text.find(bad), std::string::npos) << bad;
      }
      EXPECT_EQ(text.find(std::string(201, 'x')), std::string::npos);
    }
  }
}

TEST(ApprovalView, SaysWhatItLeavesOut) {
  Request large{.call = {vocabulary::CallId("c"), "write_file", std::string(10'000, 'a')}};
  EXPECT_NE(
      approval_text(large, Catalogue::en, Extent::cut, text::not_wrapped).find("bytes left out"),
      std::string::npos);
  EXPECT_NE(approval_text(large, Catalogue::en, Extent::whole, text::not_wrapped)
                .find(std::string(10'000, 'a')),
            std::string::npos);
}

// What a terminal would wrap by itself starts at the left edge: nothing of others may stand there.
TEST(ApprovalView, NoForeignTextStartsAtTheLeftEdge) {
  const std::string imitation = std::string(400, 'x') + "[y] allow once: ";
  const Request request{.call = {vocabulary::CallId("c"), "bash", imitation},
                        .effects = {vocabulary::OpaqueEffect{imitation, imitation}},
                        .diff = imitation,
                        .justification = imitation,
                        .batch = {.position = 1, .total = 2, .pending = {imitation, imitation}}};
  const std::string shown = approval_text(request, Catalogue::en, Extent::cut, 60);
  for (std::string_view rest = shown; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!line.contains('x')) continue;
    EXPECT_TRUE(line.starts_with("│ ") || line.starts_with("┊ ") || line.starts_with("  ")) << line;
    EXPECT_LE(text::width(line), 60U) << line;
  }
}

// A pseudo-terminal: what is typed before a question settled stays for the prompt line.
TEST(InputBroker, TypeAheadIsNoAnswer) {
  int master = -1;
  int slave = -1;
  ASSERT_EQ(::openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  const base::Fd keyboard(master);
  const base::Fd terminal(slave);
  {
    InputBroker broker(terminal.get(), terminal.get(), std::chrono::milliseconds(200));
    MUST(base::write_all(keyboard.get(), "y\ry"));
    std::jthread human([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(600));
      (void)base::write_all(keyboard.get(), "xn\x7f\x7fno\r");
    });
    EXPECT_EQ(broker.read_line(Purpose::answer, {}), "no");
    EXPECT_EQ(broker.read_line(Purpose::prompt, {}), "y");
    std::jthread later([&] { (void)base::write_all(keyboard.get(), "es\r"); });
    EXPECT_EQ(broker.read_line(Purpose::prompt, {}), "yes");
  }
  termios restored{};
  ASSERT_EQ(::tcgetattr(terminal.get(), &restored), 0);
  EXPECT_NE(restored.c_lflag & ECHO, 0U);
}

TEST(Questions, AnAnswerIsANumberALabelOrOwnWords) {
  const question::Question single{.id = "q", .options = {{"red"}, {"blue"}}};
  const question::Question several{.id = "q", .options = {{"red"}, {"blue"}}, .multi_select = true};
  using question::Answer;
  EXPECT_EQ(read_answer(single, " 2 "), (Answer{.id = "q", .selected = {"blue"}}));
  EXPECT_EQ(read_answer(single, "red"), (Answer{.id = "q", .selected = {"red"}}));
  EXPECT_EQ(read_answer(single, "3"), (Answer{.id = "q", .custom = "3"}));
  EXPECT_EQ(read_answer(single, "yes, go ahead"), (Answer{.id = "q", .custom = "yes, go ahead"}));
  EXPECT_EQ(read_answer(single, ""), Answer{.id = "q"});
  EXPECT_EQ(read_answer(several, "1, blue, green"),
            (Answer{.id = "q", .selected = {"red", "blue"}, .custom = "green"}));
}

}  // namespace
}  // namespace assent::terminal
