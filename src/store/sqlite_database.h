#pragma once
// SQLite as values and Results: a connection, a prepared statement, errors that name the file.
// Internal to `store`. One thread at a time.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace assent::store {

struct CloseDatabase {
  void operator()(sqlite3* raw) const;
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* raw) const;
};

class Database;

// Bound, stepped and reset by one call each; text is bound by reference and must stand until
// reset().
class Statement {
 public:
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view value);
  // True while there is a row.
  base::Result<bool> step();
  // Steps to the end and resets.
  base::Result<void> run();
  void reset();
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  friend class Database;
  Statement(Database& database, sqlite3_stmt* raw) : database_(&database), raw_(raw) {}
  Database* database_;
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> raw_;
};

class Database {
 public:
  // An existing file. The object must not move while a Statement of it lives.
  static base::Result<std::unique_ptr<Database>> open(const std::string& path);

  base::Result<void> execute(const char* sql);
  base::Result<Statement> prepare(std::string_view sql);
  // The first column of the only row.
  base::Result<std::int64_t> integer(std::string_view sql);
  base::Result<std::string> text(std::string_view sql);
  // Rows that the last statement changed.
  [[nodiscard]] std::int64_t changes() const;
  [[nodiscard]] const std::string& path() const { return path_; }

  // What the last failed call means: ErrorKind::limit for a full disk, ::corrupt for a file that is
  // no database or a damaged one, ::unavailable while another process holds it.
  [[nodiscard]] std::unexpected<base::Error> failed(int code) const;

 private:
  Database(std::string path, sqlite3* raw) : path_(std::move(path)), raw_(raw) {}
  // The errno behind `code`, 0 where there is none.
  [[nodiscard]] int system_error_of(int code) const;
  std::string path_;
  std::unique_ptr<sqlite3, CloseDatabase> raw_;
};

// Begun at construction's `begin`, rolled back unless committed.
class Transaction {
 public:
  // Takes the write lock at once, so that what is read in it stays true until the commit.
  static base::Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  base::Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace assent::store
