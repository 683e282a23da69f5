// Random interleavings of interactions, cancellations and typing: whatever happens, each byte
// arrives once, in order, and at one that it may belong to. A seed replays the operations; what
// must hold does not depend on how the threads run.

#include <atomic>
#include <cstdlib>
#include <numeric>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "terminal/input_broker.h"
#include "terminal/testing/pseudo_terminal.h"

namespace assent::terminal {
namespace {

using Interaction = InputBroker::Interaction;
using namespace std::chrono_literals;

unsigned seeds() { return std::getenv("ASSENT_LONG_TESTS") == nullptr ? 12 : 300; }

// A line that arrived.
struct Arrived {
  Purpose purpose;
  std::size_t shown_at;  // how many tokens had been typed when it was shown
  std::string line;
};

// Those who wait for a line, each on a thread of its own.
class Askers {
 public:
  Askers(InputBroker& broker, const std::atomic<std::size_t>& typed)
      : broker_(broker), typed_(typed) {}

  void start(Purpose purpose) {
    auto& asker = askers_.emplace_back(std::make_unique<Asker>());
    asker->thread = std::jthread([this, purpose, &asker = *asker] { run(purpose, asker); });
  }
  void cancel(std::size_t which) {
    if (!askers_.empty()) askers_[which % askers_.size()]->stop.request_stop();
  }
  // Those that wait for more than a line of the prompt.
  [[nodiscard]] bool any_question() const { return questions_ > 0; }
  void end() {
    for (const auto& asker : askers_) asker->stop.request_stop();
    askers_.clear();
  }
  std::vector<Arrived> arrived() {
    const std::lock_guard lock(mutex_);
    return arrived_;
  }

 private:
  struct Asker {
    base::StopSource stop;
    std::jthread thread;
  };
  void run(Purpose purpose, Asker& asker) {
    if (purpose != Purpose::prompt) ++questions_;
    {
      Interaction interaction(broker_, purpose);
      std::size_t shown_at = 0;
      const auto line = interaction.ask({.text =
                                             [&](std::size_t) {
                                               shown_at = typed_;
                                               return std::string();
                                             },
                                         .prompt = "? "},
                                        asker.stop.token());
      // Still in front: the order in which lines are noted is that of their arrival.
      const std::lock_guard lock(mutex_);
      if (line) arrived_.push_back({purpose, shown_at, *line});
    }
    if (purpose != Purpose::prompt) --questions_;
  }

  InputBroker& broker_;
  const std::atomic<std::size_t>& typed_;
  std::atomic<int> questions_ = 0;
  std::mutex mutex_;
  std::vector<Arrived> arrived_;
  std::vector<std::unique_ptr<Asker>> askers_;
};

constexpr std::array purposes{Purpose::approval, Purpose::question, Purpose::prompt};

// The numbers of the tokens "<n>" in a line, which holds nothing else.
std::vector<std::size_t> tokens_of(std::string_view line) {
  std::vector<std::size_t> tokens;
  std::string again;
  for (std::size_t at = 0; at < line.size(); at = line.find('>', at) + 1) {
    tokens.push_back(std::strtoul(line.data() + at + 1, nullptr, 10));
    again += fmt::format("<{}>", tokens.back());
    if (line.find('>', at) == std::string_view::npos) break;
  }
  EXPECT_EQ(again, line);
  return tokens;
}

class TypingAtRandom {
 public:
  // With a settling time beyond what the kernel takes to hand a key over, a key that was typed
  // before a question stood there must not be part of its answer.
  TypingAtRandom(unsigned seed, std::chrono::milliseconds settling)
      : random_(seed), settling_(settling) {}

  void run(int steps) {
    for (int i = 0; i < steps; ++i) step();
    while (askers_.any_question()) {
      std::this_thread::sleep_for(2 * settling_ + 5ms);  // a pause, so that a question settles
      enter();
    }
    askers_.end();
    // What was entered and not taken, then what was typed and not entered, is the prompt's.
    while (askers_.arrived().size() + rest_.size() < entered_) rest_.push_back(prompt());
    enter();
    rest_.push_back(prompt());
    check();
  }
  // The tokens that arrived, and those that were typed.
  [[nodiscard]] const std::vector<std::size_t>& arrived() const { return arrived_; }
  [[nodiscard]] std::vector<std::size_t> typed() const {
    std::vector<std::size_t> all(typed_);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

 private:
  static constexpr auto handed_over = 40ms;

  void step() {
    switch (random_() % 10) {
      case 0:
      case 1: askers_.start(purposes[random_() % purposes.size()]); break;
      case 2: askers_.cancel(random_()); break;
      case 3: enter(); break;
      case 4: std::this_thread::sleep_for(std::chrono::milliseconds(random_() % 8)); break;
      case 5: terminal_.type(fmt::format("\x1b[200~<{}>\x1b[201~", typed_++)); break;
      default: terminal_.type(fmt::format("<{}>", typed_++));
    }
  }
  void enter() {
    ++entered_;
    terminal_.type("\r");
  }
  std::string prompt() { return MUST(broker_.read_prompt("> ", {})); }

  void check() {
    std::vector<std::size_t> of_prompt;
    std::vector<std::size_t> of_questions;
    for (const auto& [purpose, shown_at, line] : askers_.arrived()) {
      for (const std::size_t token : tokens_of(line)) {
        (purpose == Purpose::prompt ? of_prompt : of_questions).push_back(token);
        if (purpose != Purpose::prompt && settling_ >= handed_over) {
          EXPECT_GE(token, shown_at);
        }
      }
    }
    for (const auto& line : rest_)
      std::ranges::copy(tokens_of(line), std::back_inserter(of_prompt));
    EXPECT_TRUE(std::ranges::is_sorted(of_prompt));
    EXPECT_TRUE(std::ranges::is_sorted(of_questions));
    EXPECT_EQ(askers_.arrived().size() + rest_.size(), entered_);
    arrived_ = of_prompt;
    std::ranges::copy(of_questions, std::back_inserter(arrived_));
    std::ranges::sort(arrived_);
  }

  std::mt19937 random_;
  const std::chrono::milliseconds settling_;
  testing::PseudoTerminal terminal_;
  Screen screen_{terminal_.program()};
  InputBroker broker_{terminal_.program(), screen_, settling_};
  std::atomic<std::size_t> typed_ = 0;
  std::size_t entered_ = 0;
  Askers askers_{broker_, typed_};
  std::vector<std::string> rest_;
  std::vector<std::size_t> arrived_;
};

//
TEST(RandomInterleavings, AtATerminalNoKeyIsLostOrMisplaced) {
  for (unsigned seed = 1; seed <= seeds() && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    TypingAtRandom typing(seed, 3ms);
    typing.run(120);
    EXPECT_EQ(typing.arrived(), typing.typed());
  }
}

//
TEST(RandomInterleavings, NoKeyAnswersAQuestionThatWasNotThereYet) {
  for (unsigned seed = 1; seed <= (seeds() + 3) / 4 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    TypingAtRandom typing(seed, 40ms);
    typing.run(40);
    EXPECT_EQ(typing.arrived(), typing.typed());
  }
}

void write_lines(std::mt19937& random, int output, std::string& written) {
  static constexpr std::string_view letters = "ab \xc3\xa9\x1b\x04\r\n";
  std::string bytes;
  for (auto count = random() % 12; count > 0; --count) bytes += letters[random() % letters.size()];
  MUST(base::write_all(output, bytes));
  written += bytes;
}

//
TEST(RandomInterleavings, OnAPipeNoByteIsLostOrMisplaced) {
  for (unsigned seed = 1; seed <= seeds() && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const base::Pipe in = MUST(base::make_pipe());
    base::Pipe out = MUST(base::make_pipe());
    std::jthread reader([&] { (void)base::read_to_end(out.read.get(), 1 << 24); });
    Screen screen(out.write.get());
    InputBroker broker(in.read.get(), screen, 3ms);
    const std::atomic<std::size_t> none = 0;
    Askers askers(broker, none);
    std::string written;
    for (int i = 0; i < 150; ++i) {
      switch (random() % 6) {
        case 0:
        case 1: askers.start(purposes[random() % purposes.size()]); break;
        case 2: askers.cancel(random()); break;
        case 3: std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000)); break;
        default: write_lines(random, in.write.get(), written);
      }
    }
    askers.end();
    std::string read;
    for (const auto& arrived : askers.arrived()) read += arrived.line + "\n";
    MUST(base::write_all(in.write.get(), "\x01\n"));
    written += "\x01\n";
    while (!read.ends_with("\x01\n")) read += MUST(broker.read_prompt("> ", {})) + "\n";
    EXPECT_EQ(read, written);
    out.write.reset();
  }
}

}  // namespace
}  // namespace assent::terminal
