#include "store/sqlite_database.h"

#include <sqlite3.h>

#include <cerrno>

#include <fmt/format.h>

#include "base/limits.h"

namespace assent::store {

using base::Error;
using base::ErrorKind;
using base::failure;
using base::Result;

void CloseDatabase::operator()(sqlite3* raw) const { ::sqlite3_close_v2(raw); }
void FinalizeStatement::operator()(sqlite3_stmt* raw) const { ::sqlite3_finalize(raw); }

// --- errors --------------------------------------------------------------------------------------

namespace {

bool is_full(int code, int system) {
  if ((code & 0xff) == SQLITE_FULL) return true;
  return (code & 0xff) == SQLITE_IOERR && (system == ENOSPC || system == EDQUOT || system == EFBIG);
}

}  // namespace

int Database::system_error_of(int code) const {
  const int system = ::sqlite3_system_errno(raw_.get());
  if (system != 0 || (code & 0xff) != SQLITE_IOERR) return system;
  // A failed COMMIT leaves the errno only with the file that it was writing: the log or the main
  // one.
  sqlite3_file* log = nullptr;
  ::sqlite3_file_control(raw_.get(), "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  int last = 0;
  if (log != nullptr && log->pMethods != nullptr) {
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &last);
  }
  if (last == 0) ::sqlite3_file_control(raw_.get(), "main", SQLITE_FCNTL_LAST_ERRNO, &last);
  return last;
}

std::unexpected<Error> Database::failed(int code) const {
  const int system = system_error_of(code);
  const char* text = ::sqlite3_errmsg(raw_.get());
  if (is_full(code, system)) {
    return failure({ErrorKind::limit,
                    fmt::format("{}: the disk is full; nothing of this was recorded", path_),
                    "write", system == 0 ? ENOSPC : system});
  }
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return failure(ErrorKind::unavailable,
                     fmt::format("{}: another process has been writing for more than {} ms", path_,
                                 base::limits::store_busy.count()));
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return failure(ErrorKind::corrupt,
                     fmt::format("{}: {}; restore it from a copy, or move it away to start with no "
                                 "sessions",
                                 path_, text));
    case SQLITE_CONSTRAINT:
      return failure(ErrorKind::corrupt, fmt::format("{}: contradicts itself: {}", path_, text));
    case SQLITE_TOOBIG:
    case SQLITE_NOMEM: return failure(ErrorKind::limit, fmt::format("{}: {}", path_, text));
    case SQLITE_PERM:
    case SQLITE_READONLY: return failure(ErrorKind::denied, fmt::format("{}: {}", path_, text));
    default: break;
  }
  if (system != 0) return failure(base::system_error(text, system).in(path_));
  return failure(ErrorKind::io, fmt::format("{}: {}", path_, text));
}

// --- statements ----------------------------------------------------------------------------------

Statement& Statement::bind(int index, std::int64_t value) {
  ::sqlite3_bind_int64(raw_.get(), index, value);
  return *this;
}

Statement& Statement::bind(int index, std::string_view value) {
  ::sqlite3_bind_text64(raw_.get(), index, value.data(), value.size(), SQLITE_STATIC, SQLITE_UTF8);
  return *this;
}

Result<bool> Statement::step() {
  const int code = ::sqlite3_step(raw_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  auto error = database_->failed(code);
  reset();
  return error;
}

Result<void> Statement::run() {
  while (TRY(step())) {
  }
  reset();
  return {};
}

void Statement::reset() {
  ::sqlite3_reset(raw_.get());
  ::sqlite3_clear_bindings(raw_.get());
}

std::int64_t Statement::integer(int column) const {
  return ::sqlite3_column_int64(raw_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(::sqlite3_column_text(raw_.get(), column));
  const int size = ::sqlite3_column_bytes(raw_.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
}

// --- the connection ------------------------------------------------------------------------------

Result<std::unique_ptr<Database>> Database::open(const std::string& path) {
  sqlite3* raw = nullptr;
  const int code = ::sqlite3_open_v2(
      path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  std::unique_ptr<Database> database(new Database(path, raw));
  if (code != SQLITE_OK) return database->failed(code);
  ::sqlite3_busy_timeout(raw, static_cast<int>(base::limits::store_busy.count()));
  ::sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  ::sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  return database;
}

Result<void> Database::execute(const char* sql) {
  const int code = ::sqlite3_exec(raw_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failed(code);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = ::sqlite3_prepare_v3(raw_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) return failed(code);
  return Statement(*this, raw);
}

Result<std::int64_t> Database::integer(std::string_view sql) {
  auto statement = TRY(prepare(sql));
  TRY(statement.step());
  return statement.integer(0);
}

Result<std::string> Database::text(std::string_view sql) {
  auto statement = TRY(prepare(sql));
  TRY(statement.step());
  return statement.text(0);
}

std::int64_t Database::changes() const { return ::sqlite3_changes64(raw_.get()); }

Result<Transaction> Transaction::begin(Database& database) {
  TRY(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::~Transaction() {
  // SQLite may have rolled back by itself; a second attempt then fails and changes nothing.
  if (database_ != nullptr) (void)database_->execute("ROLLBACK");
}

Result<void> Transaction::commit() {
  TRY(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace assent::store
