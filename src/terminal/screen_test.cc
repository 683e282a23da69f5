#include "terminal/screen.h"

#include <gtest/gtest.h>

#include "base/fd.h"
#include "base/result.h"
#include "terminal/testing/pseudo_terminal.h"
#include "text/gutter.h"

namespace assent::terminal {
namespace {

class ScreenTest : public ::testing::Test {
 protected:
  base::Pipe out_ = [] { return MUST(base::make_pipe()); }();
  Screen screen_{out_.write.get()};
  Screen dumb_{out_.write.get(), Drawing::plain};

  std::string shown() {
    out_.write.reset();
    return MUST(base::read_to_end(out_.read.get(), 1 << 20));
  }
};

//
TEST_F(ScreenTest, OutputIsHeldWhileAQuestionIsOpen) {
  {
    const Screen::Open open(screen_);
    screen_.print("later\n");
    {
      const Screen::Open another(screen_);
      screen_.print_question("question\n");
    }
    screen_.print("still later\n");
    screen_.print_question("more\n");
  }
  screen_.print("at last\n");
  EXPECT_EQ(shown(), "question\nmore\nlater\nstill later\nat last\n");
}

TEST_F(ScreenTest, ALineIsDrawnAndErasedInItsPlace) {
  screen_.show_line({{"> "}, 0, 2});
  screen_.show_line({{"> a"}, 0, 3});
  screen_.show_line({{"> a"}, 0, 3});
  screen_.show_line({{"> a"}, 0, 2});
  screen_.show_line({{"> ab", "c"}, 1, 1});
  screen_.show_line({{"> ab", "c"}, 0, 0});
  screen_.remove_line();
  screen_.remove_line();
  EXPECT_EQ(shown(),
            "> a\r\x1b[J> a\r\x1b[2C\r\x1b[J> ab\nc\r\x1b[1A\x1b[J> ab\nc\r\x1b[1A\r\x1b[J");
}

TEST_F(ScreenTest, ALineThatOnlyGrowsIsNotDrawnAnew) {
  screen_.show_line({{"ab", "c"}, 1, 1});
  screen_.show_line({{"ab", "cd"}, 1, 2});
  screen_.show_line({{"aX", "cde"}, 1, 3});
  EXPECT_EQ(shown(), "ab\ncd\r\x1b[1A\x1b[JaX\ncde");
}

TEST_F(ScreenTest, TextStandsAboveTheLine) {
  screen_.show_line({{"> x"}, 0, 3});
  screen_.print("one\ntwo");
  screen_.print(" goes on\n");
  screen_.print("unfinished");
  screen_.remove_line();
  EXPECT_EQ(shown(), "> x\r\x1b[Jone\n> x\r\x1b[Jtwo goes on\n> x\r\x1b[Junfinished");
}

TEST_F(ScreenTest, ALineStartsInARowOfItsOwn) {
  screen_.print("a part");
  screen_.show_line({{"> "}, 0, 2});
  screen_.leave_line();
  screen_.show_line({{"> "}, 0, 2});
  EXPECT_EQ(shown(), "a part\n> \n> ");
}

TEST_F(ScreenTest, ALineThatIsLeftStaysAsItStands) {
  screen_.show_line({{"> a", "b", "c"}, 1, 0});
  screen_.print("waits");
  screen_.leave_line();
  screen_.leave_line();
  EXPECT_EQ(shown(), "> a\nb\nc\r\x1b[1A\x1b[1B\nwaits");
}

TEST_F(ScreenTest, ADumbTerminalGetsNoSequences) {
  dumb_.show_line({{"> ab"}, 0, 4});
  dumb_.show_line({{"> abc"}, 0, 5});
  dumb_.show_line({{"> ac"}, 0, 3});
  dumb_.print("text\n");
  dumb_.leave_line();
  EXPECT_EQ(shown(), "> abc\r     \r> ac\b\r    \rtext\n> ac\b\n");
}

TEST_F(ScreenTest, CountsWhatWasPrinted) {
  const auto before = screen_.printed();
  screen_.print("");
  EXPECT_EQ(screen_.printed(), before);
  screen_.print("x");
  screen_.print_question("y");
  EXPECT_EQ(screen_.printed(), before + 2);
}

TEST_F(ScreenTest, KnowsItsSize) {
  EXPECT_EQ(screen_.columns(), text::not_wrapped);
  for (const unsigned short columns : std::initializer_list<unsigned short>{1, 8, 80}) {
    const testing::PseudoTerminal terminal(columns, 7);
    const Screen screen(terminal.program());
    EXPECT_EQ(screen.columns(), columns);
    EXPECT_EQ(screen.rows(), 7U);
  }
  // A serial line does not know.
  const testing::PseudoTerminal unknown(0, 0);
  const Screen screen(unknown.program());
  EXPECT_EQ(screen.columns(), 80U);
  EXPECT_EQ(screen.rows(), 24U);
}

TEST(Drawing, ComesFromTheTerminalsName) {
  EXPECT_EQ(drawing_of(nullptr), Drawing::plain);
  EXPECT_EQ(drawing_of(""), Drawing::plain);
  EXPECT_EQ(drawing_of("dumb"), Drawing::plain);
  EXPECT_EQ(drawing_of("xterm-256color"), Drawing::sequences);
}

}  // namespace
}  // namespace assent::terminal
