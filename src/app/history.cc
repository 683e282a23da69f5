#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/composition.h"
#include "store/sqlite_event_store.h"
#include "text/escape.h"
#include "text/utf8.h"

namespace assent::app {
namespace {

using base::Result;

constexpr std::int64_t page = 512;
constexpr std::size_t shown_data = 160;

std::string time_text(std::int64_t ms) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(static_cast<std::time_t>(ms / 1000)));
}

Result<vocabulary::SessionId> find_session(store::EventStore& store, const std::string& wanted) {
  const auto sessions = TRY(store.sessions());
  if (wanted.empty()) {
    const auto own = std::ranges::find_if(sessions, [](const auto& s) { return !s.parent; });
    if (own == sessions.end()) {
      return base::failure(base::ErrorKind::not_found,
                           "there is no session yet; assent demo makes one");
    }
    return own->id;
  }
  // The whole id, or a start of it that only one session has.
  std::vector<vocabulary::SessionId> found;
  for (const auto& session : sessions) {
    if (session.id.text().starts_with(wanted)) found.push_back(session.id);
  }
  if (found.size() == 1) return found.front();
  return base::failure(
      found.empty() ? base::ErrorKind::not_found : base::ErrorKind::invalid,
      fmt::format("{} session has an id that starts with \"{}\"; assent sessions lists them",
                  found.empty() ? "no" : "more than one", wanted));
}

void print_line(const event::Record& record) {
  const auto data = text::cut(record.data, shown_data);
  fmt::print("{:>5}  {}  {:<20} {}{}\n", record.seq, time_text(record.time_ms), record.type,
             text::escape(data, text::Keep::nothing), data.size() < record.data.size() ? "…" : "");
}

Result<void> print_log(const LogCommand& command, const Surroundings& around) {
  const auto store = TRY(store::SqliteEventStore::create(around.places.store_file()));
  const auto id = TRY(find_session(*store, command.session));
  if (!command.json) fmt::print("session {}\n", id.text());
  for (std::int64_t from = 0;;) {
    const auto records = TRY(store->read(id, from, page));
    for (const auto& record : records) {
      if (command.json) {
        fmt::print("{}\n", event::to_line(id, record));
      } else {
        print_line(record);
      }
    }
    if (std::cmp_less(records.size(), page)) return {};
    from += page;
  }
}

Result<void> print_sessions(const Surroundings& around) {
  const auto store = TRY(store::SqliteEventStore::create(around.places.store_file()));
  const auto sessions = TRY(store->sessions());
  if (sessions.empty()) fmt::print("no sessions yet; assent demo makes one\n");
  for (const auto& session : sessions) {
    fmt::print("{}  {}  {:>5} events  {}{}{}\n", session.id.text(), time_text(session.last_ms),
               session.events, text::escape(session.cwd, text::Keep::nothing),
               session.parent ? fmt::format("  child of {}", session.parent->text()) : "",
               session.open_approvals == 0
                   ? ""
                   : fmt::format("  {} open question{}", session.open_approvals,
                                 session.open_approvals == 1 ? "" : "s"));
  }
  return {};
}

}  // namespace

ExitCode log_command(const LogCommand& command, const Surroundings& around) {
  const auto printed = print_log(command, around);
  return printed ? ExitCode::done : complain(printed.error());
}

ExitCode sessions_command(const Surroundings& around) {
  const auto printed = print_sessions(around);
  return printed ? ExitCode::done : complain(printed.error());
}

}  // namespace assent::app
