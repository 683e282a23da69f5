// The broker at a terminal: whose a key is.

#include <thread>

#include <gtest/gtest.h>

#include "terminal/input_broker.h"
#include "terminal/testing/pseudo_terminal.h"

namespace assent::terminal {
namespace {

using base::ErrorKind;
using Interaction = InputBroker::Interaction;
using namespace std::chrono_literals;

constexpr auto settling = 60ms;
constexpr auto settled = 150ms;

class BrokerAtATerminal : public ::testing::Test {
 protected:
  testing::PseudoTerminal terminal_{40, 10};
  Screen screen_{terminal_.program()};
  InputBroker broker_{terminal_.program(), screen_, settling};

  // Types once the question stands and has settled.
  std::jthread later(std::string text, std::chrono::milliseconds wait = settled) {
    return std::jthread([this, text = std::move(text), wait] {
      std::this_thread::sleep_for(wait);
      terminal_.type(text);
    });
  }
  base::Result<std::string> ask(Purpose purpose, const base::StopToken& stop = {}) {
    Interaction interaction(broker_, purpose);
    return interaction.ask({.text = [](std::size_t) { return "text\n"; }, .prompt = "? "}, stop);
  }
  base::Result<std::string> prompt() { return broker_.read_prompt("> ", {}); }
};

//
TEST_F(BrokerAtATerminal, WhatWasTypedBeforeAQuestionIsThePrompts) {
  terminal_.type("y\ry");
  {
    const auto human = later("xn\x7f\x7fno\r");
    EXPECT_EQ(ask(Purpose::approval), "no");
  }
  EXPECT_EQ(prompt(), "y");
  const auto human = later("es\r", 0ms);
  EXPECT_EQ(prompt(), "yes");
}

TEST_F(BrokerAtATerminal, NeitherIsWhatGoesOnWithoutAPause) {
  std::jthread human([&] {
    for (const auto* part : {"a", " lo", "ng", " ta", "sk", "\r"}) {
      std::this_thread::sleep_for(20ms);
      terminal_.type(part);
    }
    std::this_thread::sleep_for(settled);
    terminal_.type("n\r");
  });
  EXPECT_EQ(ask(Purpose::approval), "n");
  EXPECT_EQ(prompt(), "a long task");
}

TEST_F(BrokerAtATerminal, AKeyThatBeganBeforeAQuestionSettledIsWhole) {
  for (const auto& [start, rest, kept] : {std::tuple{"a\x1b", "[D", "|a"},
                                          {"\xe6\xbc", "\xa2", "漢|"},
                                          {"\x1b[200~p", "y\r\x1b[201~", "py\n|"},
                                          {"\x1b", "", "|"}}) {
    terminal_.type(start);
    std::jthread human([&, tail = std::string(rest)] {
      std::this_thread::sleep_for(settled);
      if (!tail.empty()) terminal_.type(tail);
      std::this_thread::sleep_for(settled);
      terminal_.type("n\r");
    });
    EXPECT_EQ(ask(Purpose::approval), "n") << kept;
    human.join();
    terminal_.type("|\r");
    EXPECT_EQ(prompt(), kept);
  }
}

TEST_F(BrokerAtATerminal, WhatFollowsAnAnswerIsThePrompts) {
  const auto human = later("y\rnext\r");
  EXPECT_EQ(ask(Purpose::approval), "y");
  EXPECT_EQ(prompt(), "next");
}

TEST_F(BrokerAtATerminal, WhatFollowsAnAnswerIsNotTheNextAnswer) {
  const auto human = later("y\ry\r");
  EXPECT_EQ(ask(Purpose::approval), "y");
  const auto again = later("n\r");
  EXPECT_EQ(ask(Purpose::approval), "n");
  EXPECT_EQ(prompt(), "y");
}

TEST_F(BrokerAtATerminal, APasteIsNoAnswerToAnApprovalButOneToAQuestion) {
  {
    const auto human = later("a\x1b[200~y\r\x1b[201~n\r");
    EXPECT_EQ(ask(Purpose::approval), "n");
  }
  {
    const auto human = later("\x1b[200~two\rlines\x1b[201~\r");
    EXPECT_EQ(ask(Purpose::question), "two\nlines");
  }
  terminal_.type("!\r");
  EXPECT_EQ(prompt(), "ay\n!");
}

TEST_F(BrokerAtATerminal, ADraftIsEditedAndMayTakeAPaste) {
  Interaction interaction(broker_, Purpose::approval);
  const auto human = later("\x7f\x1b[200~b\x1b[201~\r");
  EXPECT_EQ(interaction.ask({.prompt = "? ", .draft = "xa"}, {}), "xb");
  EXPECT_TRUE(terminal_.wait_for("? xa"));
  base::StopSource stop;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(settled);
    stop.request_stop();
  });
  EXPECT_FALSE(interaction.ask({.prompt = "? ", .draft = "xa"}, stop.token()));
  const auto again = later("n\r");
  EXPECT_EQ(interaction.ask({.prompt = "? "}, {}), "n");
}

//
TEST_F(BrokerAtATerminal, WhatWasTypedForACancelledQuestionGoesToThePromptAndNoQuestion) {
  base::StopSource stop;
  std::jthread human([&] {
    std::this_thread::sleep_for(settled);
    terminal_.type("y");
    EXPECT_TRUE(terminal_.wait_for("? y"));
    stop.request_stop();
  });
  EXPECT_EQ(ask(Purpose::approval, stop.token()).error().kind, ErrorKind::cancelled);
  human.join();
  {
    const auto other = later("\r");
    EXPECT_EQ(ask(Purpose::approval), "");
  }
  terminal_.type("es\r");
  EXPECT_EQ(prompt(), "yes");
}

TEST_F(BrokerAtATerminal, AStopWhileAQuestionSettlesIsOne) {
  base::StopSource stop;
  stop.request_stop();
  EXPECT_EQ(ask(Purpose::approval, stop.token()).error().kind, ErrorKind::cancelled);
  base::StopSource soon;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(10ms);
    soon.request_stop();
  });
  EXPECT_EQ(ask(Purpose::approval, soon.token()).error().kind, ErrorKind::cancelled);
  terminal_.type("on\r");
  EXPECT_EQ(prompt(), "on");
}

TEST_F(BrokerAtATerminal, ThePromptGivesWayAndGoesOnWhereItWas) {
  std::string line;
  std::jthread reader([&] { line = MUST(prompt()); });
  terminal_.type("fix teh\x1b[D\x1b[D");
  EXPECT_TRUE(terminal_.wait_for("> fix teh"));
  {
    const auto human = later("y\r");
    EXPECT_EQ(ask(Purpose::approval), "y");
  }
  terminal_.type(
      "\x7fh\x1b[C\x7f"
      "e\r");
  reader.join();
  EXPECT_EQ(line, "fix heh");
}

TEST_F(BrokerAtATerminal, ACancelledPromptKeepsItsLineUnlessItIsDropped) {
  for (const bool drop : {false, true}) {
    base::StopSource stop;
    std::jthread human([&] {
      terminal_.type("abc");
      std::this_thread::sleep_for(settled);
      stop.request_stop();
    });
    EXPECT_EQ(broker_.read_prompt("> ", stop.token()).error().kind, ErrorKind::cancelled);
    human.join();
    if (drop) broker_.drop_prompt_line();
    terminal_.type("d\r");
    EXPECT_EQ(prompt(), drop ? "d" : "abcd");
  }
}

TEST_F(BrokerAtATerminal, ThePromptHasAHistoryAndAQuestionHasNone) {
  terminal_.type("one\rtwo\r");
  EXPECT_EQ(prompt(), "one");
  EXPECT_EQ(prompt(), "two");
  {
    const auto human = later("\x1b[Ax\r");
    EXPECT_EQ(ask(Purpose::question), "x");
  }
  terminal_.type("\x1b[A\x1b[A!\r");
  EXPECT_EQ(prompt(), "one!");
  terminal_.type("\x1b[200~a\rb\x1b[201~\x1b\rc\r\x1b[A\r");
  EXPECT_EQ(prompt(), "a\nb\nc");
  EXPECT_EQ(prompt(), "a\nb\nc");
}

//
TEST_F(BrokerAtATerminal, TheEndOfInputIsOneForAllThatWait) {
  {
    Interaction first(broker_, Purpose::approval);
    const auto human = later("y\x04\x7f\x04");
    EXPECT_EQ(first.ask({.prompt = "? "}, {}).error().kind, ErrorKind::not_found);
    EXPECT_EQ(first.ask({.prompt = "? "}, {}).error().kind, ErrorKind::not_found);
  }
  EXPECT_EQ(ask(Purpose::question).error().kind, ErrorKind::not_found);
  EXPECT_EQ(prompt().error().kind, ErrorKind::not_found);
}

TEST_F(BrokerAtATerminal, SaysWhoAsksAndHowManyWait) {
  Interaction first(broker_, Purpose::approval, "child 2");
  std::jthread reader([&] { EXPECT_EQ(first.ask({.prompt = "? "}, {}), "y"); });
  EXPECT_TRUE(terminal_.wait_for("\a[child 2] ? "));
  std::optional<Interaction> second;
  std::optional<Interaction> third;
  second.emplace(broker_, Purpose::question);
  EXPECT_TRUE(terminal_.wait_for("(1 more waiting) [child 2] ? "));
  third.emplace(broker_, Purpose::approval);
  EXPECT_TRUE(terminal_.wait_for("(2 more waiting) [child 2] ? "));
  const std::size_t before = terminal_.shown().size();
  second.reset();
  EXPECT_TRUE(terminal_.wait_for("(1 more waiting) [child 2] ? ", before));
  std::this_thread::sleep_for(settled);
  terminal_.type("y\r");
}

TEST_F(BrokerAtATerminal, AQuestionIsShownAnewWhereTheWindowBecameNarrower) {
  Interaction interaction(broker_, Purpose::approval);
  std::jthread reader([&] {
    EXPECT_EQ(
        interaction.ask(
            {.text = [](std::size_t columns) { return "width " + std::to_string(columns) + "\n"; },
             .prompt = "? "},
            {}),
        "yes");
  });
  EXPECT_TRUE(terminal_.wait_for("width 40"));
  std::this_thread::sleep_for(settled);
  terminal_.type("ye");
  EXPECT_TRUE(terminal_.wait_for("? ye"));
  terminal_.resize(20, 10);
  ::raise(SIGWINCH);
  EXPECT_TRUE(terminal_.wait_for("width 20"));
  std::size_t before = terminal_.shown().find("width 20");
  EXPECT_TRUE(terminal_.wait_for("? ye", before));
  terminal_.resize(60, 10);
  ::raise(SIGWINCH);
  std::this_thread::sleep_for(20ms);
  terminal_.type("s\r");
  reader.join();
  EXPECT_EQ(terminal_.shown().find("width 60"), std::string::npos);
}

TEST_F(BrokerAtATerminal, APromptIsDrawnForTheNewWidth) {
  std::jthread reader([&] { EXPECT_EQ(prompt(), "abcdefghij"); });
  terminal_.type("abcdefghij");
  EXPECT_TRUE(terminal_.wait_for("> abcdefghij"));
  terminal_.resize(8, 10);
  ::raise(SIGWINCH);
  EXPECT_TRUE(terminal_.wait_for("> abcde\r\nfghij"));
  terminal_.type("\x0c\r");
}

TEST(BrokerAtADumbTerminal, EditsInOneRow) {
  testing::PseudoTerminal terminal(12, 10);
  Screen screen(terminal.program(), Drawing::plain);
  InputBroker broker(terminal.program(), screen, settling);
  terminal.type("abcdefghijklmnop\x7f\r");
  EXPECT_EQ(broker.read_prompt("> ", {}), "abcdefghijklmno");
  EXPECT_EQ(terminal.shown().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace assent::terminal
