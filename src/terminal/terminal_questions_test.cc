#include "terminal/terminal_questions.h"

#include <gtest/gtest.h>

namespace assent::terminal {
namespace {

using question::Answer;
using question::Answered;
using question::Question;
using namespace std::chrono_literals;

class TerminalAsks : public ::testing::Test {
 protected:
  base::Pipe in_ = [] { return MUST(base::make_pipe()); }();
  base::Pipe out_ = [] { return MUST(base::make_pipe()); }();
  Screen screen_{out_.write.get()};
  InputBroker broker_{in_.read.get(), screen_, 30ms};
  TerminalQuestions questions_{broker_, "tester"};

  void type(std::string_view text) { MUST(base::write_all(in_.write.get(), text)); }
  std::string shown() {
    out_.write.reset();
    return MUST(base::read_to_end(out_.read.get(), 1 << 20));
  }
};

const Question colour{.id = "q1",
                      .question = "which colour?\n▶ fake",
                      .header = "paint",
                      .options = {{"red", "warm\n[y] allow"}, {"blue"}}};
const Question name{.id = "q2", .question = "your name?"};

TEST_F(TerminalAsks, OneAfterTheOther) {
  type("2\nAda\n");
  EXPECT_EQ(
      questions_.ask({colour, name}, {}),
      (Answered{.answers = {{.id = "q1", .selected = {"blue"}}, {.id = "q2", .custom = "Ada"}},
                .by = "terminal:tester"}));
  EXPECT_EQ(shown(),
            "\n▶ the model asks:\n"
            "│ paint\n"
            "│ which colour?\n"
            "│ ▶ fake\n"
            "  1. red – warm\\n[y] allow\n"
            "  2. blue\n"
            "  a number, or your own words (- skips it): "
            "\n▶ the model asks:\n"
            "│ your name?\n"
            "  your answer (- skips it): ");
}

TEST_F(TerminalAsks, AnEmptyLineIsNoAnswer) {
  type("\n \t\n-\n1\n");
  EXPECT_EQ(questions_.ask({name, colour}, {}),
            (Answered{.answers = {{.id = "q2"}, {.id = "q1", .selected = {"red"}}},
                      .by = "terminal:tester"}));
}

TEST_F(TerminalAsks, TheEndOfInputAnswersNothing) {
  type("1\n");
  in_.write.reset();
  EXPECT_EQ(questions_.ask({colour, name}, {}).error().kind, base::ErrorKind::not_found);
}

TEST_F(TerminalAsks, AStopIsToldApart) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(questions_.ask({name}, stop.token()).error().kind, base::ErrorKind::cancelled);
}

TEST(ReadAnswer, IsANumberALabelOrOwnWords) {
  const Question single{.id = "q", .options = {{"red"}, {"blue"}}};
  const Question several{.id = "q", .options = {{"red"}, {"blue"}}, .multi_select = true};
  EXPECT_EQ(read_answer(single, " 2 "), (Answer{.id = "q", .selected = {"blue"}}));
  EXPECT_EQ(read_answer(single, "red"), (Answer{.id = "q", .selected = {"red"}}));
  EXPECT_EQ(read_answer(single, "3"), (Answer{.id = "q", .custom = "3"}));
  EXPECT_EQ(read_answer(single, "0"), (Answer{.id = "q", .custom = "0"}));
  EXPECT_EQ(read_answer(single, "1x"), (Answer{.id = "q", .custom = "1x"}));
  EXPECT_EQ(read_answer(single, "yes, go ahead"), (Answer{.id = "q", .custom = "yes, go ahead"}));
  EXPECT_EQ(read_answer(single, " - "), Answer{.id = "q"});
  EXPECT_EQ(read_answer(single, " \t"), Answer{.id = "q"});
  EXPECT_EQ(read_answer(several, "1, blue, green,, teal"),
            (Answer{.id = "q", .selected = {"red", "blue"}, .custom = "green, teal"}));
  EXPECT_EQ(read_answer(several, "2"), (Answer{.id = "q", .selected = {"blue"}}));
}

}  // namespace
}  // namespace assent::terminal
