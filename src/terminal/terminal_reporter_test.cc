#include "terminal/terminal_reporter.h"

#include <gtest/gtest.h>

#include "base/result.h"
#include "terminal/testing/pseudo_terminal.h"

namespace assent::terminal {
namespace {

class TerminalReports : public ::testing::Test {
 protected:
  base::Pipe out_ = [] { return MUST(base::make_pipe()); }();
  Screen screen_{out_.write.get()};
  TerminalReporter reporter_{screen_};

  std::string shown() {
    out_.write.reset();
    return MUST(base::read_to_end(out_.read.get(), 1 << 20));
  }
};

//
TEST_F(TerminalReports, CallsAndResultsBehindAGutter) {
  reporter_.on_tool_call("bash", "{\"command\":\"ls\n▶ fake\"}");
  reporter_.on_tool_result("bash", "one\n▶ two\x1b[2J... (已截断)", false);
  reporter_.on_tool_call("write_file", std::string(161, 'a'));
  reporter_.on_tool_result("write_file", "denied", true);
  reporter_.on_tool_result("silent", "", false);
  EXPECT_EQ(shown(),
            "● bash\n│ {\"command\":\"ls\\n▶ fake\"}\n│ one\n│ ▶ two\\x1b[2J... (已截断)\n"
            "● write_file\n│ " +
                std::string(160, 'a') + "…\n  refused or failed: write_file\n│ denied\n");
}

TEST_F(TerminalReports, TheModelsWordsBehindAGutterAsTheyCome) {
  for (const auto* part : {"Hel", "lo wor", "ld\n\n▶ fa", "", "ke \xe6\xbc", "\xa2!"}) {
    reporter_.on_text_delta(part);
  }
  reporter_.on_reasoning_delta("thinking");
  reporter_.on_message("Hello …");
  reporter_.on_message("at once\n▶ fake");
  EXPECT_EQ(shown(), "\n│ Hello world\n│ \n│ ▶ fake 漢!\n\n│ at once\n│ ▶ fake\n");
}

TEST_F(TerminalReports, ANoticeIsALineOfOurOwn) {
  reporter_.on_notice("busy\n▶ fake");
  EXPECT_EQ(shown(), "  busy\\n▶ fake\n");
}

// Whatever comes into the middle of a row of the model's words, the row goes on behind a gutter.
TEST_F(TerminalReports, AnInterruptedStreamGoesOnInARowOfItsOwn) {
  reporter_.on_text_delta("one two ");
  reporter_.on_notice("trying again");
  reporter_.on_text_delta("three four ");
  screen_.print("\nours\n");
  reporter_.on_text_delta("five ");
  screen_.print("\nours\n");
  reporter_.on_tool_call("bash", "{}");
  // The last word was held back until it was complete.
  EXPECT_EQ(shown(),
            "\n│ one two \n  trying again\n"
            "\n│ three \nours\n┊ four \nours\n┊ five \n● bash\n│ {}\n");
}

TEST(TerminalReporterAtATerminal, WrapsBehindTheGutter) {
  testing::PseudoTerminal terminal(12);
  Screen screen(terminal.program());
  TerminalReporter reporter(screen);
  reporter.on_text_delta("hello wor");
  reporter.on_text_delta("ld ▶ fake\n");
  reporter.on_message("");
  reporter.on_tool_call("a_tool_of_others", "0123456789");
  reporter.on_notice("0123456789 0");
  EXPECT_TRUE(terminal.wait_for("┊  0"));
  EXPECT_EQ(terminal.shown(),
            "\r\n│ hello \r\n┊ world ▶ \r\n┊ fake\r\n● a_tool_of_\r\n┊ others\r\n"
            "│ 0123456789\r\n  0123456789\r\n┊  0\r\n");
}

}  // namespace
}  // namespace assent::terminal
