// The broker where input is no terminal: lines, in the order of the interactions.

#include <thread>

#include <gtest/gtest.h>

#include "base/limits.h"
#include "terminal/input_broker.h"

namespace assent::terminal {
namespace {

using base::ErrorKind;
using Interaction = InputBroker::Interaction;
using namespace std::chrono_literals;

class BrokerOnAPipe : public ::testing::Test {
 protected:
  base::Pipe in_ = [] { return MUST(base::make_pipe()); }();
  base::Pipe out_ = [] { return MUST(base::make_pipe()); }();
  Screen screen_{out_.write.get()};
  InputBroker broker_{in_.read.get(), screen_, 30ms};

  void type(std::string_view text) { MUST(base::write_all(in_.write.get(), text)); }
  void end_input() { in_.write.reset(); }
  std::string shown() {
    out_.write.reset();
    return MUST(base::read_to_end(out_.read.get(), 1 << 20));
  }
  base::Result<std::string> ask(Purpose purpose, const base::StopToken& stop = {}) {
    Interaction interaction(broker_, purpose);
    return interaction.ask({.prompt = "? "}, stop);
  }
};

//
TEST_F(BrokerOnAPipe, LinesGoInOrderByteForByte) {
  type("y\nfirst \xc3\xa9\xff\t\r\n\nlast");
  end_input();
  EXPECT_EQ(ask(Purpose::approval), "y");
  EXPECT_EQ(broker_.read_prompt("> ", {}), "first \xc3\xa9\xff\t\r");
  EXPECT_EQ(ask(Purpose::question), "");
  EXPECT_EQ(broker_.read_prompt("> ", {}), "last");
  EXPECT_EQ(broker_.read_prompt("> ", {}).error().kind, ErrorKind::not_found);
  EXPECT_EQ(ask(Purpose::approval).error().kind, ErrorKind::not_found);
}

//
TEST_F(BrokerOnAPipe, AnAnswerThatTheEndOfInputCutsIsNone) {
  type("y");
  end_input();
  EXPECT_EQ(ask(Purpose::approval).error().kind, ErrorKind::not_found);
  EXPECT_EQ(broker_.read_prompt("> ", {}).error().kind, ErrorKind::not_found);
}

//
TEST_F(BrokerOnAPipe, ACancelledInteractionHasTakenNothing) {
  type("half");
  base::StopSource stop;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(20ms);
    stop.request_stop();
  });
  EXPECT_EQ(ask(Purpose::approval, stop.token()).error().kind, ErrorKind::cancelled);
  EXPECT_EQ(ask(Purpose::approval, stop.token()).error().kind, ErrorKind::cancelled);
  type(" a line\n");
  EXPECT_EQ(broker_.read_prompt("> ", {}), "half a line");
}

TEST_F(BrokerOnAPipe, AnEndlessLineEndsTheInput) {
  std::jthread writer([&] {
    type(std::string(base::limits::prompt_line + 10, 'x'));
    type("\ny\n");
  });
  EXPECT_EQ(ask(Purpose::approval).error().kind, ErrorKind::not_found);
  EXPECT_EQ(ask(Purpose::approval).error().kind, ErrorKind::not_found);
}

TEST_F(BrokerOnAPipe, ShowsTextThenPrompt) {
  type("y\nn\n");
  {
    Interaction interaction(broker_, Purpose::approval, "child 2");
    const Interaction waiting(broker_, Purpose::question);
    EXPECT_EQ(
        interaction.ask(
            {.text = [](std::size_t columns) { return columns == 0 ? "text\n" : "not a pipe\n"; },
             .prompt = "answer: "},
            {}),
        "y");
    screen_.print("held\n");
  }
  EXPECT_EQ(broker_.read_prompt("> ", {}), "n");
  EXPECT_EQ(shown(), "text\n(1 more waiting) [child 2] answer: held\n> ");
}

TEST_F(BrokerOnAPipe, ServesQuestionsInTheirOrderAndThePromptLast) {
  std::string prompted;
  std::string second;
  std::jthread prompter([&] { prompted = MUST(broker_.read_prompt("> ", {})); });
  std::jthread asker;
  {
    Interaction first(broker_, Purpose::approval);
    asker = std::jthread([&] { second = MUST(ask(Purpose::question)); });
    std::this_thread::sleep_for(10ms);
    type("1\n2\n3\n4\n");
    // An interaction stays in front until it ends.
    EXPECT_EQ(first.ask({}, {}), "1");
    EXPECT_EQ(first.ask({}, {}), "2");
  }
  asker.join();
  prompter.join();
  EXPECT_EQ(second, "3");
  EXPECT_EQ(prompted, "4");
}

TEST_F(BrokerOnAPipe, APromptThatWaitsForALineGivesWayToAQuestion) {
  std::string line;
  std::jthread prompt([&] { line = MUST(broker_.read_prompt("> ", {})); });
  std::this_thread::sleep_for(20ms);
  {
    Interaction question(broker_, Purpose::approval);
    type("y\n");
    EXPECT_EQ(question.ask({.prompt = "? "}, {}), "y");
  }
  type("task\n");
  prompt.join();
  EXPECT_EQ(line, "task");
}

TEST_F(BrokerOnAPipe, AStopWakesOneThatWaitsInTheQueue) {
  Interaction front(broker_, Purpose::approval);
  base::StopSource front_stop;
  std::jthread reader([&] { (void)front.ask({}, front_stop.token()); });
  std::this_thread::sleep_for(10ms);
  base::StopSource stop;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(20ms);
    stop.request_stop();
  });
  EXPECT_EQ(ask(Purpose::approval, stop.token()).error().kind, ErrorKind::cancelled);
  EXPECT_EQ(broker_.read_prompt("> ", stop.token()).error().kind, ErrorKind::cancelled);
  front_stop.request_stop();
}

}  // namespace
}  // namespace assent::terminal
