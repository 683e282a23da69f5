#include "app/slash_commands.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "text/escape.h"

namespace assent::app {

using base::Result;

namespace {

constexpr std::string_view help =
    "  /permission [PRESET]   show the presets, or change to one\n"
    "  /policy [ask|never]    whether you are asked at all\n"
    "  /grants [revoke ID|all]   what you allowed for a while, and take it back\n"
    "  /status  /help  /exit\n"
    "  anything else is a task for the model\n";

// "name rest" with the blanks around both gone.
std::pair<std::string_view, std::string_view> first_word(std::string_view line) {
  const auto trimmed = [](std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return std::string_view();
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
  };
  line = trimmed(line);
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  return {line.substr(0, end), trimmed(line.substr(end))};
}

std::string in_line(const base::Error& error) {
  return fmt::format("  {}\n", text::escape(error.message, text::Keep::lines));
}

std::string describe(const approval::Grant& grant, std::int64_t now_ms) {
  const bool exact = grant.scope.kind == vocabulary::GrantKind::exact;
  const std::string what = exact ? "this very call (" + grant.request.text() + ")"
                                 : "writes below " + grant.scope.pattern;
  const std::string life =
      grant.expires_ms == 0
          ? "until this session ends"
          : fmt::format("for {} minutes more", (grant.expires_ms - now_ms + 59'999) / 60'000);
  return fmt::format("  {}  {}: {}, {}\n", grant.id.text(), grant.tool_name,
                     text::escape(what, text::Keep::nothing), life);
}

}  // namespace

std::string SlashCommands::status() const {
  const auto& state = house_.session().state();
  std::string text = fmt::format("  {} ({})\n", house_.presets().current(state),
                                 permission::in_words(state.knobs()));
  if (house_.sandbox().enforcement == sandbox::Enforcement::partial) {
    text +=
        house_.sandbox().partial_accepted
            ? "  the sandbox here is partial, and accepted; assent doctor says what is missing\n"
            : "  the sandbox here is partial and not accepted: every command and change is asked\n";
  }
  return text;
}

SlashCommands::Next SlashCommands::run(std::string_view line) {
  const auto [name, argument] = first_word(line);
  if (name == "/exit" || name == "/quit") return Next::leave;
  if (name == "/permission") {
    screen_.print(permission(std::string(argument)));
  } else if (name == "/policy") {
    screen_.print(policy(std::string(argument)));
  } else if (name == "/grants") {
    screen_.print(grants(argument));
  } else if (name == "/status") {
    screen_.print(status());
  } else if (name == "/help") {
    screen_.print(std::string(help));
  } else {
    screen_.print(
        fmt::format("  there is no {}\n{}", text::escape(name, text::Keep::nothing), help));
  }
  return Next::go_on;
}

std::string SlashCommands::permission(const std::string& name) {
  if (name.empty()) {
    std::string table;
    for (const auto& spec : house_.presets().specs()) {
      table += fmt::format("  {:<20} {}\n", spec.name, spec.description);
    }
    return table + status();
  }
  const auto switched = house_.session().submit([&](session::Session& session) {
    return permission::switch_preset(session, house_.presets(), name);
  });
  return switched ? status() : in_line(switched.error());
}

std::string SlashCommands::policy(const std::string& name) {
  if (name.empty()) return status();
  const auto wanted = vocabulary::approval_policy_from(name);
  if (!wanted) {
    return fmt::format("  \"{}\" is no approval policy; they are ask and never\n",
                       text::escape(name, text::Keep::nothing));
  }
  const auto set = house_.session().submit(
      [&](session::Session& session) { return permission::set_policy(session, *wanted); });
  return set ? status() : in_line(set.error());
}

std::string SlashCommands::grants(std::string_view argument) {
  const auto [word, rest] = first_word(argument);
  if (word == "revoke" && !rest.empty()) return revoke(rest);
  if (!word.empty()) return "  /grants lists them; /grants revoke ID|all takes back\n";
  const auto alive = house_.grants()->alive();
  if (alive.empty()) return "  nothing is allowed for a while\n";
  std::string list;
  for (const auto& grant : alive) list += describe(grant, house_.session().clock().now_ms());
  return list;
}

// An id, or a start of it that only one grant has; "all".
std::string SlashCommands::revoke(std::string_view wanted) {
  std::vector<event::Data> revoked;
  for (const auto& grant : house_.grants()->alive()) {
    if (wanted == "all" || grant.id.text().starts_with(wanted)) {
      revoked.emplace_back(event::GrantRevoked{grant.id, by_});
    }
  }
  const std::size_t count = revoked.size();
  if (count == 0) return "  no such grant; /grants lists them\n";
  if (count > 1 && wanted != "all") return "  more than one grant has an id that starts so\n";
  const auto done = house_.session().submit(
      [&](session::Session& session) { return session.append(std::move(revoked)); });
  return done ? fmt::format("  {} taken back\n", count) : in_line(done.error());
}

}  // namespace assent::app
