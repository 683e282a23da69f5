#include "app/settings.h"

#include <array>
#include <charconv>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include <toml++/toml.h>

#include "base/file.h"
#include "base/limits.h"

namespace assent::app {
namespace {

using base::ErrorKind;
using base::failure;
using base::Result;

std::unexpected<base::Error> at(const std::string& file, const toml::source_region& where,
                                std::string_view what) {
  return failure(ErrorKind::invalid, fmt::format("{}:{}: {}", file, where.begin.line, what));
}

// One pass over a table: each key is taken by name, and one that nobody took is an error.
class Table {
 public:
  Table(const toml::table& table, const std::string& file, std::string name)
      : table_(table), file_(file), name_(std::move(name)) {}

  template <class T>
  Result<void> take(std::string_view key, T& out, std::string_view expected) {
    known_.emplace_back(key);
    const auto* node = table_.get(key);
    if (node == nullptr) return {};
    const auto value = node->value_exact<T>();
    if (!value) {
      return at(file_, node->source(), fmt::format("{}{}: expected {}", name_, key, expected));
    }
    out = *value;
    return {};
  }
  Result<void> take_duration(std::string_view key, base::Milliseconds& out) {
    std::string text;
    TRY(take(key, text, "a time in quotes, such as \"30m\""));
    if (text.empty()) return {};
    auto time = duration_from(text);
    if (!time) return at(file_, table_.get(key)->source(), name_ + time.error().in(key).message);
    out = *time;
    return {};
  }
  Result<const toml::table*> table(std::string_view key) {
    known_.emplace_back(key);
    const auto* node = table_.get(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) {
      return at(file_, node->source(), fmt::format("{}: expected a table, [{}]", key, key));
    }
    return node->as_table();
  }
  // [[key]], in order.
  Result<std::vector<const toml::table*>> tables(std::string_view key) {
    known_.emplace_back(key);
    std::vector<const toml::table*> found;
    const auto* node = table_.get(key);
    if (node == nullptr) return found;
    if (!node->is_array_of_tables()) {
      return at(file_, node->source(), fmt::format("{}: expected [[{}]]", key, key));
    }
    for (const auto& element : *node->as_array()) found.push_back(element.as_table());
    return found;
  }
  // A list of texts with something in it.
  Result<void> take_words(std::string_view key, std::vector<std::string>& out) {
    known_.emplace_back(key);
    const auto* node = table_.get(key);
    const auto* array = node == nullptr ? nullptr : node->as_array();
    if (array == nullptr || array->empty() || !array->is_homogeneous<std::string>()) {
      return at(
          file_, node == nullptr ? table_.source() : node->source(),
          fmt::format("{}{}: expected a list of texts, such as [\"./check\", \"-q\"]", name_, key));
    }
    for (const auto& element : *array) out.push_back(element.ref<std::string>());
    return {};
  }
  Result<void> done() const {
    for (const auto& [key, node] : table_) {
      if (std::ranges::find(known_, key.str()) == known_.end()) {
        return at(file_, key.source(),
                  fmt::format("{}{} is no setting of assent; take the line out", name_, key.str()));
      }
    }
    return {};
  }

 private:
  const toml::table& table_;
  const std::string& file_;
  std::string name_;
  std::vector<std::string> known_;
};

}  // namespace

Result<tool::Language> language_from(std::string_view text) {
  if (text == "en") return tool::Language::en;
  if (text == "zh") return tool::Language::zh;
  return failure(ErrorKind::invalid, fmt::format("language \"{}\": expected en or zh", text));
}

Result<base::Milliseconds> duration_from(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> units{
      {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}}};
  static constexpr std::int64_t year = std::int64_t{366} * 24 * 3'600'000;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, text.data() + text.size());
  const auto known =
      std::ranges::find(units, unit, &std::pair<std::string_view, std::int64_t>::first);
  if (error != std::errc() || number <= 0 || known == units.end() ||
      number > year / known->second) {
    return failure(
        ErrorKind::invalid,
        fmt::format("\"{}\" is no time: expected a number with ms, s, m or h, such as 30m", text));
  }
  return base::Milliseconds(number * known->second);
}

namespace {

Result<listener::HookSpec> parse_hook(const toml::table& table, const std::string& file) {
  Table section(table, file, "hook.");
  listener::HookSpec hook;
  std::string event;
  std::string on_failure = "deny";
  TRY(section.take("event", event, "\"pre_tool\""));
  TRY(section.take_words("command", hook.command));
  TRY(section.take_duration("timeout", hook.timeout));
  TRY(section.take("on_failure", on_failure, "\"deny\" or \"ask\""));
  TRY(section.done());
  if (event != "pre_tool") {
    return at(file, table.source(), fmt::format("hook.event \"{}\": expected \"pre_tool\"", event));
  }
  if (on_failure != "deny" && on_failure != "ask") {
    return at(file, table.source(),
              fmt::format("hook.on_failure \"{}\": expected \"deny\" or \"ask\"", on_failure));
  }
  if (on_failure == "ask") hook.on_failure = listener::OnFailure::ask;
  return hook;
}

}  // namespace

Result<Settings> parse_settings(std::string_view text, const std::string& file) {
  toml::table parsed;
  try {
    parsed = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    return at(file, error.source(), error.description());
  }
  Settings settings;
  std::string language = "en";
  Table root(parsed, file, "");
  TRY(root.take("preset", settings.preset, "a preset's name in quotes"));
  TRY(root.take("language", language, "\"en\" or \"zh\""));
  if (const auto* provider = TRY(root.table("provider"))) {
    Table section(*provider, file, "provider.");
    TRY(section.take("model", settings.model, "a model's name in quotes"));
    TRY(section.take("base_url", settings.base_url, "a URL in quotes"));
    TRY(section.done());
  }
  if (const auto* sandbox = TRY(root.table("sandbox"))) {
    Table section(*sandbox, file, "sandbox.");
    TRY(section.take("accept_partial", settings.accept_partial, "true or false"));
    TRY(section.done());
  }
  if (const auto* approval = TRY(root.table("approval"))) {
    Table section(*approval, file, "approval.");
    TRY(section.take_duration("grant_ttl", settings.grant_ttl));
    TRY(section.take_duration("question_ttl", settings.question_ttl));
    TRY(section.done());
  }
  for (const auto* hook : TRY(root.tables("hook"))) {
    settings.hooks.push_back(TRY(parse_hook(*hook, file)));
  }
  TRY(root.done());
  auto known = language_from(language);
  if (!known) return failure(known.error().in(file));
  settings.language = *known;
  return settings;
}

Result<Settings> load_settings(const std::string& file) {
  const auto text = base::read_file(file, base::limits::config_size);
  if (text) return parse_settings(*text, file);
  if (text.error().kind == ErrorKind::not_found) return Settings{};
  return failure(ErrorKind::invalid, text.error().message);
}

}  // namespace assent::app
