#pragma once
// Sessions in one SQLite file (docs/store.md): the default engine. Several processes may use the
// file at once; one connection and one lock serve all threads of this one.

#include <memory>
#include <mutex>
#include <string>

#include "store/event_store.h"

namespace assent::store {

class SqliteEventStore final : public EventStore {
 public:
  // Version of the tables, in `user_version`.
  static constexpr std::int64_t schema_version = 1;

  // Opens the sessions in `path`; creates the file (0600) and its folder (0700) where they are
  // missing. ErrorKind::denied for a place that other users can change, ::corrupt for a file that
  // is no such database or damaged, ::invalid for one of a newer version of assent, ::limit where
  // the disk is full. Every error names the path.
  static base::Result<std::unique_ptr<SqliteEventStore>> create(const std::string& path);
  ~SqliteEventStore() override;

  base::Result<void> append(const vocabulary::SessionId& session, std::int64_t next_seq,
                            std::span<const event::Record> records) override;
  base::Result<std::vector<event::Record>> read(const vocabulary::SessionId& session,
                                                std::int64_t from_seq, std::int64_t count) override;
  base::Result<std::vector<SessionSummary>> sessions() override;

 private:
  struct Connection;
  explicit SqliteEventStore(std::unique_ptr<Connection> connection);
  std::mutex mutex_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace assent::store
