#include "store/sqlite_event_store.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "store/private_file.h"
#include "store/sqlite_database.h"
#include "store/summary.h"

namespace assent::store {
namespace {

using base::ErrorKind;
using base::failure;
using base::Result;

// "asst": tells file(1) and us whose database this is.
constexpr std::int64_t application_id = 0x61737374;

constexpr const char* schema = R"sql(
CREATE TABLE session (
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  cwd TEXT NOT NULL,
  parent TEXT,
  opened_ms INTEGER NOT NULL,
  last_ms INTEGER NOT NULL,
  events INTEGER NOT NULL,
  open_approvals INTEGER NOT NULL
) STRICT;
CREATE TABLE event (
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  time_ms INTEGER NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  prev_hash TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;
)sql";

// Turning a new file into one with a write-ahead log needs it for a moment alone, and SQLite does
// not wait for that by itself.
Result<void> use_write_ahead_log(Database& database) {
  const auto deadline = std::chrono::steady_clock::now() + base::limits::store_busy;
  while (true) {
    const auto mode = database.text("PRAGMA journal_mode = WAL");
    if (mode && *mode == "wal") return {};
    if (mode) {
      return failure(ErrorKind::unavailable,
                     fmt::format("{}: this file system has no shared memory for SQLite's "
                                 "write-ahead log; keep sessions on a local one",
                                 database.path()));
    }
    if (mode.error().kind != ErrorKind::unavailable ||
        std::chrono::steady_clock::now() > deadline) {
      return failure(mode.error());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Result<void> create_tables(Database& database) {
  auto transaction = TRY(Transaction::begin(database));
  const auto version = TRY(database.integer("PRAGMA user_version"));
  if (version > SqliteEventStore::schema_version) {
    return failure(ErrorKind::invalid,
                   fmt::format("{}: was written by a newer version of assent (format {}, this one "
                               "reads {}): upgrade to use it",
                               database.path(), version, SqliteEventStore::schema_version));
  }
  const auto owner = TRY(database.integer("PRAGMA application_id"));
  const auto tables = TRY(database.integer("SELECT count(*) FROM sqlite_schema"));
  if (version == SqliteEventStore::schema_version && owner == application_id) return {};
  if (version != 0 || owner != 0 || tables != 0) {
    return failure(
        ErrorKind::corrupt,
        fmt::format("{}: is a database of another program; name another file", database.path()));
  }
  TRY(database.execute(schema));
  TRY(database.execute(fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}",
                                   SqliteEventStore::schema_version, application_id)
                           .c_str()));
  return transaction.commit();
}

Result<std::unique_ptr<Database>> open_database(const std::string& path) {
  TRY(prepare_private_file(path));
  auto database = TRY(Database::open(path));
  TRY(use_write_ahead_log(*database));
  TRY(database->execute("PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON"));
  TRY(create_tables(*database));
  return database;
}

}  // namespace

struct SqliteEventStore::Connection {
  std::unique_ptr<Database> database;
  Statement add_session;
  Statement extend_session;
  Statement find_session;
  Statement add_event;
  Statement read_events;
  Statement list_sessions;

  static Result<std::unique_ptr<Connection>> create(const std::string& path);
  Result<void> write_summary(const SessionSummary& gained, std::int64_t next_seq);
  Result<void> write_events(const vocabulary::SessionId& session,
                            std::span<const event::Record> records);
};

Result<std::unique_ptr<SqliteEventStore::Connection>> SqliteEventStore::Connection::create(
    const std::string& path) {
  auto opened = TRY(open_database(path));
  Database& database = *opened;
  return std::make_unique<Connection>(Connection{
      .database = std::move(opened),
      .add_session = TRY(database.prepare(
          "INSERT INTO session (id, cwd, opened_ms, last_ms, events, open_approvals, parent) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, nullif(?7, '')) ON CONFLICT (id) DO NOTHING")),
      .extend_session = TRY(database.prepare(
          "UPDATE session SET last_ms = ?2, events = ?3, open_approvals = open_approvals + ?4 "
          "WHERE id = ?1 AND events = ?5")),
      .find_session = TRY(database.prepare("SELECT key FROM session WHERE id = ?1")),
      .add_event = TRY(
          database.prepare("INSERT INTO event (session, seq, time_ms, type, data, prev_hash, hash) "
                           "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")),
      .read_events = TRY(
          database.prepare("SELECT seq, time_ms, type, data, prev_hash, hash FROM event "
                           "WHERE session = (SELECT key FROM session WHERE id = ?1) AND seq >= ?2 "
                           "ORDER BY seq LIMIT ?3")),
      .list_sessions = TRY(database.prepare(
          "SELECT id, cwd, opened_ms, last_ms, events, open_approvals, coalesce(parent, '') "
          "FROM session "
          "ORDER BY last_ms DESC, id DESC"))});
}

// Compare-and-set on the session's length: it is what makes one of two writers lose.
Result<void> SqliteEventStore::Connection::write_summary(const SessionSummary& gained,
                                                         std::int64_t next_seq) {
  if (next_seq == 0) {
    TRY(add_session.bind(1, gained.id.text())
            .bind(2, gained.cwd)
            .bind(3, gained.opened_ms)
            .bind(4, gained.last_ms)
            .bind(5, gained.events)
            .bind(6, gained.open_approvals)
            .bind(7, gained.parent ? gained.parent->text() : "")
            .run());
  } else {
    TRY(extend_session.bind(1, gained.id.text())
            .bind(2, gained.last_ms)
            .bind(3, gained.events)
            .bind(4, gained.open_approvals)
            .bind(5, next_seq)
            .run());
  }
  if (database->changes() != 1) return conflict(gained.id, next_seq);
  return {};
}

Result<void> SqliteEventStore::Connection::write_events(const vocabulary::SessionId& session,
                                                        std::span<const event::Record> records) {
  TRY(find_session.bind(1, session.text()).step());
  const std::int64_t key = find_session.integer(0);
  find_session.reset();
  for (const auto& record : records) {
    TRY(add_event.bind(1, key)
            .bind(2, record.seq)
            .bind(3, record.time_ms)
            .bind(4, record.type)
            .bind(5, record.data)
            .bind(6, record.prev_hash)
            .bind(7, record.hash)
            .run());
  }
  return {};
}

SqliteEventStore::SqliteEventStore(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}
SqliteEventStore::~SqliteEventStore() = default;

Result<std::unique_ptr<SqliteEventStore>> SqliteEventStore::create(const std::string& path) {
  auto connection = TRY(Connection::create(path));
  return std::unique_ptr<SqliteEventStore>(new SqliteEventStore(std::move(connection)));
}

Result<void> SqliteEventStore::append(const vocabulary::SessionId& session, std::int64_t next_seq,
                                      std::span<const event::Record> records) {
  TRY(check_sequence(next_seq, records));
  if (records.empty()) return {};
  SessionSummary gained{.id = session, .events = next_seq};
  for (const auto& record : records) take(gained, record);
  const std::lock_guard lock(mutex_);
  auto transaction = TRY(Transaction::begin(*connection_->database));
  TRY(connection_->write_summary(gained, next_seq));
  TRY(connection_->write_events(session, records));
  return transaction.commit();
}

Result<std::vector<event::Record>> SqliteEventStore::read(const vocabulary::SessionId& session,
                                                          std::int64_t from_seq,
                                                          std::int64_t count) {
  const std::lock_guard lock(mutex_);
  auto& rows = connection_->read_events.bind(1, session.text())
                   .bind(2, from_seq)
                   .bind(3, std::max<std::int64_t>(count, 0));
  std::vector<event::Record> records;
  records.reserve(
      static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, base::limits::replay_page)));
  while (TRY(rows.step())) {
    records.push_back({.seq = rows.integer(0),
                       .time_ms = rows.integer(1),
                       .type = rows.text(2),
                       .data = rows.text(3),
                       .prev_hash = rows.text(4),
                       .hash = rows.text(5)});
  }
  rows.reset();
  return records;
}

Result<std::vector<SessionSummary>> SqliteEventStore::sessions() {
  const std::lock_guard lock(mutex_);
  auto& rows = connection_->list_sessions;
  std::vector<SessionSummary> summaries;
  while (TRY(rows.step())) {
    summaries.push_back({.id = vocabulary::SessionId(rows.text(0)),
                         .cwd = rows.text(1),
                         .opened_ms = rows.integer(2),
                         .last_ms = rows.integer(3),
                         .events = rows.integer(4),
                         .open_approvals = rows.integer(5)});
    if (auto parent = rows.text(6); !parent.empty()) {
      summaries.back().parent = vocabulary::SessionId(std::move(parent));
    }
  }
  rows.reset();
  return summaries;
}

}  // namespace assent::store
