// What append() acknowledged is there after the process was killed at any moment.

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fd.h"
#include "store/history.h"
#include "store/sqlite_event_store.h"
#include "store/testing/temp_folder.h"

namespace assent::store {
namespace {

const vocabulary::SessionId session("s");

// Appends to the session until it is killed, one and four events in turn, and writes one byte for
// each batch that was acknowledged.
[[noreturn]] void append_for_ever(const std::string& path, int acknowledged) {
  const auto store = MUST(SqliteEventStore::create(path));
  auto log = MUST(replay(*store, session));
  for (std::size_t batch = 1;; batch = 5 - batch) {
    std::vector<event::Record> records;
    for (std::size_t i = 0; i < batch; ++i) {
      event::Event event{.session = session,
                         .seq = log.next_seq + static_cast<std::int64_t>(i),
                         .time_ms = 0,
                         .data = event::UserMessage{std::string(500, 'x'), "user"}};
      if (event.seq == 0) event.data = event::SessionOpened{.cwd = "/w", .origin = "user"};
      records.push_back(MUST(event::seal(event, log.last_hash)));
      log.last_hash = records.back().hash;
    }
    MUST(store->append(session, log.next_seq, records));
    log.next_seq += static_cast<std::int64_t>(batch);
    MUST(base::write_all(acknowledged, std::string(batch, '.')));
  }
}

// Events that were acknowledged before the writer was killed, `life` after its first one.
std::int64_t killed_writer(const std::string& path, std::chrono::microseconds life) {
  auto pipe = MUST(base::make_pipe());
  const pid_t child = ::fork();
  if (child == 0) append_for_ever(path, pipe.write.get());
  pipe.write.reset();
  std::array<std::byte, 1> first{};
  const auto started = MUST(base::read_some(pipe.read.get(), first));
  std::this_thread::sleep_for(life);
  ::kill(child, SIGKILL);
  const auto rest = MUST(base::read_to_end(pipe.read.get(), 1'000'000));
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer must not end by itself";
  return static_cast<std::int64_t>(started + rest.size());
}

TEST(Durability, NothingAcknowledgedIsLostHoweverOftenTheWriterIsKilled) {
  const testing::TempFolder folder;
  const std::string path = folder / "sessions.db";
  std::mt19937 random(1);
  std::int64_t length = 0;
  for (int round = 0; round < 20; ++round) {
    const std::chrono::microseconds life(random() % 8'000);
    const std::int64_t acknowledged = killed_writer(path, life);
    const auto store = MUST(SqliteEventStore::create(path));
    const auto log = replay(*store, session);
    ASSERT_TRUE(log) << "round " << round << ": " << log.error().message;
    EXPECT_GE(log->next_seq, length + acknowledged) << "round " << round;
    EXPECT_LE(log->next_seq, length + acknowledged + 4) << "one batch may stand unacknowledged";
    EXPECT_EQ(MUST(store->sessions()).front().events, log->next_seq);
    length = log->next_seq;
  }
}

}  // namespace
}  // namespace assent::store
