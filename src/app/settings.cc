#include "app/settings.h"

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
  Result<const toml::table*> table(std::string_view key) {
    known_.emplace_back(key);
    const auto* node = table_.get(key);
    if (node == nullptr) return nullptr;
    if (!node->is_table()) {
      return at(file_, node->source(), fmt::format("{}: expected a table, [{}]", key, key));
    }
    return node->as_table();
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
