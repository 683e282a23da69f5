#include "terminal/input_broker.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>

#include "base/limits.h"

namespace assent::terminal {

using base::ErrorKind;
using base::failure;
using base::Result;
using base::StopToken;

namespace {

constexpr std::chrono::milliseconds forever{-1};

std::unexpected<base::Error> cancelled() { return failure(ErrorKind::cancelled, "cancelled"); }
std::unexpected<base::Error> end_of_input() {
  return failure(ErrorKind::not_found, "end of input");
}

}  // namespace

InputBroker::InputBroker(int input, Screen& screen, std::chrono::milliseconds settle)
    : input_(input),
      screen_(screen),
      settle_(settle),
      bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!bell_.valid()) base::detail::die(base::last_system_error("eventfd"), __FILE__, __LINE__);
  if (::isatty(input) != 0) raw_.emplace(input, screen.output(), screen.drawing());
}

InputBroker::~InputBroker() { screen_.remove_line(); }

// The queue.

InputBroker::Interaction::Interaction(InputBroker& broker, Purpose purpose, std::string agent)
    : broker_(broker), purpose_(purpose), agent_(std::move(agent)) {
  const std::lock_guard lock(broker_.mutex_);
  broker_.queue_.push_back(this);
  broker_.ring();
}

InputBroker::Interaction::~Interaction() {
  // What was held back follows before the next one shows anything.
  open_.reset();
  const std::lock_guard lock(broker_.mutex_);
  std::erase(broker_.queue_, this);
  if (broker_.reader_ == this) broker_.reader_ = nullptr;
  broker_.ring();
  broker_.moved_.notify_all();
}

void InputBroker::ring() const {
  const std::uint64_t one = 1;
  (void)!::write(bell_.get(), &one, sizeof one);
}

bool InputBroker::is_first(const Interaction& interaction) const {
  const auto question = std::ranges::find_if(
      queue_, [](const Interaction* other) { return other->purpose_ != Purpose::prompt; });
  return (question != queue_.end() ? *question : queue_.front()) == &interaction;
}

Result<void> InputBroker::come_to_front(Interaction& interaction, const StopToken& stop) {
  std::unique_lock lock(mutex_);
  moved_.wait(lock, stop.std_token(), [&] {
    return reader_ == &interaction || (reader_ == nullptr && is_first(interaction));
  });
  if (stop.stop_requested()) return cancelled();
  reader_ = &interaction;
  if (std::exchange(drop_, false)) {
    (void)prompt_line_.take();
    ahead_.clear();
    history_.leave();
  }
  return {};
}

bool InputBroker::must_give_way(const Interaction& interaction) {
  const std::lock_guard lock(mutex_);
  return !is_first(interaction);
}

void InputBroker::give_way() {
  const std::lock_guard lock(mutex_);
  reader_ = nullptr;
  moved_.notify_all();
}

std::size_t InputBroker::others_waiting() {
  const std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::ranges::count_if(queue_, [&](const Interaction* other) {
    return other != reader_ && other->purpose_ != Purpose::prompt;
  }));
}

std::string InputBroker::full_prompt(const Interaction& interaction, std::string_view prompt) {
  std::string full;
  if (const std::size_t others = others_waiting(); others > 0) {
    full = fmt::format("({} more waiting) ", others);
  }
  if (!interaction.agent_.empty()) full += fmt::format("[{}] ", interaction.agent_);
  return full.append(prompt);
}

Result<std::string> InputBroker::Interaction::ask(const Shown& shown, const StopToken& stop) {
  TRY(broker_.come_to_front(*this, stop));
  takes_paste_ = purpose_ != Purpose::approval || shown.draft;
  if (broker_.is_terminal()) return broker_.ask_on_terminal(*this, shown, stop);
  return broker_.ask_on_pipe(*this, shown, stop);
}

Result<std::string> InputBroker::read_prompt(std::string_view prompt, const StopToken& stop) {
  Interaction interaction(*this, Purpose::prompt);
  return interaction.ask({.prompt = std::string(prompt)}, stop);
}

void InputBroker::drop_prompt_line() {
  const std::lock_guard lock(mutex_);
  drop_ = true;
}

// Reading.

InputBroker::Woken InputBroker::wait(const StopToken& stop,
                                     std::chrono::milliseconds at_most) const {
  std::array<pollfd, 4> fds{{{stop.fd(), POLLIN, 0},
                             {bell_.get(), POLLIN, 0},
                             {raw_ ? raw_->wake_fd() : -1, POLLIN, 0},
                             {input_, POLLIN, 0}}};
  int ready = 0;
  do {
    ready = ::poll(fds.data(), fds.size(), static_cast<int>(at_most.count()));
  } while (ready < 0 && errno == EINTR);
  if (fds[0].revents != 0 || stop.stop_requested()) return Woken::stopped;
  if (fds[1].revents != 0) {
    std::uint64_t count = 0;
    (void)!::read(bell_.get(), &count, sizeof count);
    return Woken::queue;
  }
  if (fds[2].revents != 0) return Woken::screen;
  return ready == 0 ? Woken::late : Woken::input;
}

void InputBroker::receive() {
  std::array<std::byte, 4096> chunk;
  const auto got = base::read_some(input_, chunk);
  if (!got || *got == 0) {
    ended_ = true;
    return;
  }
  const std::string_view bytes(reinterpret_cast<const char*>(chunk.data()), *got);
  if (!is_terminal()) {
    received_ += bytes;
    return;
  }
  std::vector<Key> keys;
  decoder_.feed(bytes, keys);
  hand_out(std::move(keys));
}

void InputBroker::hand_out(std::vector<Key> keys) {
  for (Key& key : keys) {
    if (std::exchange(rest_is_ahead_, false)) {
      leave_to_prompt(std::move(key));
    } else {
      typed_.push_back(std::move(key));
    }
  }
}

// On a pipe.

std::optional<std::string> InputBroker::take_line() {
  const auto end = received_.find('\n');
  // What follows a line that is longer than any could not be told from an answer.
  if (std::min(end, received_.size()) > base::limits::prompt_line) {
    ended_ = true;
    received_.clear();
    return std::nullopt;
  }
  if (end == std::string::npos) return std::nullopt;
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return line;
}

Result<std::string> InputBroker::ask_on_pipe(Interaction& interaction, const Shown& shown,
                                             const StopToken& stop) {
  const bool prompt = interaction.purpose_ == Purpose::prompt;
  if (!prompt && !interaction.open_) interaction.open_.emplace(screen_);
  if (shown.text) screen_.print_question(shown.text(screen_.columns()));
  screen_.print_question(full_prompt(interaction, shown.prompt));
  while (true) {
    if (prompt && must_give_way(interaction)) {
      give_way();
      TRY(come_to_front(interaction, stop));
    }
    if (auto line = take_line()) return *std::move(line);
    if (ended_) {
      const std::string rest = std::exchange(received_, {});
      if (prompt && !rest.empty()) return rest;
      screen_.print_question("\n");
      return end_of_input();
    }
    switch (wait(stop, forever)) {
      case Woken::stopped: screen_.print_question("\n"); return cancelled();
      case Woken::input: receive(); break;
      default: break;
    }
  }
}

// On a terminal.

Result<std::string> InputBroker::ask_on_terminal(Interaction& interaction, const Shown& shown,
                                                 const StopToken& stop) {
  Result<void> ready;
  if (interaction.purpose_ != Purpose::prompt) {
    if (!interaction.open_) {
      interaction.open_.emplace(screen_);
      screen_.ring();
    }
    show(interaction, shown);
    ready = settle(interaction, shown, stop);
  }
  auto line = ready ? edit(interaction, shown, stop) : failure(std::move(ready).error());
  if (!line) screen_.leave_line();
  return line;
}

void InputBroker::show(const Interaction& interaction, const Shown& shown) {
  shown_columns_ = screen_.columns();
  if (shown.text) screen_.print_question(shown.text(shown_columns_));
  draw(interaction, {}, shown.prompt);
}

// What comes in before the question has stood for its time was not meant for it; neither is what
// goes on from there without a pause.
Result<void> InputBroker::settle(const Interaction& interaction, const Shown& shown,
                                 const StopToken& stop) {
  using Steady = std::chrono::steady_clock;
  auto end = Steady::now() + settle_;
  while (true) {
    if (!typed_.empty()) end = Steady::now() + settle_;
    std::ranges::move(typed_, std::back_inserter(ahead_));
    typed_.clear();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Steady::now());
    if (left.count() <= 0 || ended_) break;
    switch (wait(stop, left)) {
      case Woken::stopped: return cancelled();
      case Woken::input: receive(); break;
      case Woken::screen: follow_screen(interaction, shown); break;
      case Woken::queue: draw(interaction, {}, shown.prompt); break;
      case Woken::late: break;
    }
  }
  rest_is_ahead_ = decoder_.waiting();
  return {};
}

Result<std::string> InputBroker::edit(Interaction& interaction, const Shown& shown,
                                      const StopToken& stop) {
  const bool prompt = interaction.purpose_ == Purpose::prompt;
  LineEditor own;
  LineEditor& editor = prompt ? prompt_line_ : own;
  if (shown.draft) editor.set(*shown.draft);
  while (true) {
    if (prompt && must_give_way(interaction)) {
      screen_.remove_line();
      give_way();
      TRY(come_to_front(interaction, stop));
    }
    switch (take_keys(interaction, editor)) {
      case LineEditor::Effect::entered: return entered(interaction, editor, shown.prompt);
      case LineEditor::Effect::ended: ended_ = true; break;
      default: break;
    }
    draw(interaction, editor, shown.prompt);
    if (ended_) return end_of_input();
    const auto woken = wait(stop, decoder_.unsure() ? base::limits::key_rest : forever);
    if (woken == Woken::stopped) {
      if (!prompt && !shown.draft) leave_to_prompt(own);
      return cancelled();
    }
    if (woken == Woken::input) receive();
    if (woken == Woken::screen) follow_screen(interaction, shown);
    if (woken == Woken::late) {
      std::vector<Key> keys;
      decoder_.give_up(keys);
      hand_out(std::move(keys));
    }
  }
}

void InputBroker::leave_to_prompt(LineEditor& editor) {
  if (!editor.empty()) leave_to_prompt({KeyKind::text, editor.take()});
}

LineEditor::Effect InputBroker::take_keys(const Interaction& interaction, LineEditor& editor) {
  if (interaction.purpose_ == Purpose::prompt) {
    const auto effect = take_keys_from(ahead_, interaction, editor);
    if (effect != LineEditor::Effect::edited) return effect;
  }
  return take_keys_from(typed_, interaction, editor);
}

// Up to the end of the line or of the input; `edited` otherwise.
LineEditor::Effect InputBroker::take_keys_from(std::deque<Key>& keys,
                                               const Interaction& interaction, LineEditor& editor) {
  const bool prompt = interaction.purpose_ == Purpose::prompt;
  while (!keys.empty()) {
    Key key = std::move(keys.front());
    keys.pop_front();
    if (!interaction.takes_paste_ && key.kind == KeyKind::paste) {
      leave_to_prompt(editor);
      leave_to_prompt(std::move(key));
      continue;
    }
    const auto effect = editor.apply(key, prompt ? &history_ : nullptr);
    if (effect == LineEditor::Effect::entered || effect == LineEditor::Effect::ended) return effect;
    if (key.kind == KeyKind::redraw) screen_.remove_line();
  }
  return LineEditor::Effect::edited;
}

void InputBroker::draw(const Interaction& interaction, const LineEditor& editor,
                       std::string_view prompt) {
  const std::size_t most = screen_.drawing() == Drawing::plain ? 1 : screen_.rows();
  screen_.show_line(editor.rows(full_prompt(interaction, prompt), screen_.columns(), most));
}

void InputBroker::follow_screen(const Interaction& interaction, const Shown& shown) {
  const auto events = raw_->take_events();
  // After a stop the shell has written below the line.
  if (events.continued) screen_.leave_line();
  if (interaction.purpose_ == Purpose::prompt) return;
  if (events.continued || screen_.columns() < shown_columns_) show(interaction, shown);
}

std::string InputBroker::entered(const Interaction& interaction, LineEditor& editor,
                                 std::string_view prompt) {
  editor.apply({KeyKind::end});
  draw(interaction, editor, prompt);
  screen_.leave_line();
  std::string line = editor.take();
  if (interaction.purpose_ == Purpose::prompt) history_.add(line);
  return line;
}

}  // namespace assent::terminal
