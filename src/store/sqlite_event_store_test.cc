#include "store/sqlite_event_store.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "event/testing/chain.h"
#include "store/history.h"
#include "store/sqlite_database.h"
#include "store/testing/temp_folder.h"

namespace assent::store {
namespace {

using base::ErrorKind;
using event::testing::Chain;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::TempFolder;

Chain chain_of(int events, std::size_t message_size = 20) {
  Chain chain;
  MUST(chain.add(event::SessionOpened{.cwd = "/w", .origin = "user"}));
  for (int i = 1; i < events; ++i) {
    MUST(chain.add(event::UserMessage{std::string(message_size, 'x'), "user"}));
  }
  return chain;
}

mode_t mode_of(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 07777;
}

void expect_refused(const std::string& path, ErrorKind kind, std::string_view message) {
  const auto store = SqliteEventStore::create(path);
  ASSERT_FALSE(store) << path;
  EXPECT_EQ(store.error().kind, kind) << store.error().message;
  EXPECT_THAT(store.error().message, AllOf(HasSubstr(path), HasSubstr(std::string(message))));
}

// --- who may touch the file ----------------------------------------------------------------------

TEST(SqliteEventStore, IsForItsOwnerOnly) {
  const TempFolder folder;
  const std::string path = folder / "a/b/sessions.db";
  const auto store = MUST(SqliteEventStore::create(path));
  const auto chain = chain_of(3);
  MUST(store->append(chain.session(), 0, chain.records()));
  EXPECT_EQ(mode_of(folder / "a"), 0700u);
  EXPECT_EQ(mode_of(folder / "a/b"), 0700u);
  for (const char* suffix : {"", "-wal", "-shm"}) EXPECT_EQ(mode_of(path + suffix), 0600u);
}

TEST(SqliteEventStore, TakesBackWhatAFileLetOthersDo) {
  const TempFolder folder;
  const std::string path = folder / "sessions.db";
  MUST(SqliteEventStore::create(path));
  ASSERT_EQ(::chmod(path.c_str(), 0666), 0);
  MUST(SqliteEventStore::create(path));
  EXPECT_EQ(mode_of(path), 0600u);
}

TEST(SqliteEventStore, RefusesAFolderThatOthersCanChange) {
  const TempFolder folder;
  for (const auto mode : std::initializer_list<mode_t>{0770, 0702, 01777}) {
    ASSERT_EQ(::chmod(folder.path().c_str(), mode), 0);
    const auto store = SqliteEventStore::create(folder / "sessions.db");
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().kind, ErrorKind::denied);
    EXPECT_THAT(store.error().message, HasSubstr("chmod go-w " + folder.path()));
    EXPECT_FALSE(std::filesystem::exists(folder / "sessions.db"));
  }
}

TEST(SqliteEventStore, RefusesWhatBelongsToSomebodyElse) {
  const TempFolder folder;
  if (::geteuid() != 0) {
    // Only root can give a file away; of files that others own, this one is always there.
    expect_refused("/etc/passwd", ErrorKind::denied, "belongs to another user (uid 0)");
    return;
  }
  const std::string path = folder / "sessions.db";
  MUST(SqliteEventStore::create(path));
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  expect_refused(path, ErrorKind::denied, "belongs to another user (uid 65534)");
  ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(folder.path().c_str(), 65534, 65534), 0);
  const auto store = SqliteEventStore::create(path);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("belongs to another user (uid 65534)"));
}

TEST(SqliteEventStore, RefusesWhatIsNoRegularFile) {
  const TempFolder folder;
  MUST(SqliteEventStore::create(folder / "sessions.db"));
  ASSERT_EQ(::symlink("sessions.db", (folder / "link").c_str()), 0);
  ASSERT_EQ(::mkdir((folder / "folder").c_str(), 0700), 0);
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  for (const char* name : {"link", "folder", "fifo"}) {
    expect_refused(folder / name, ErrorKind::invalid, "not a regular file");
  }
  const auto below = SqliteEventStore::create(folder / "sessions.db/below");
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().message, folder / "sessions.db" + ": not a folder");
}

// --- what stands in the file ---------------------------------------------------------------------

TEST(SqliteEventStore, RefusesWhatIsNoDatabaseOfOurs) {
  const TempFolder folder;
  MUST(base::write_file(folder / "text", std::string(5000, 't')));
  expect_refused(folder / "text", ErrorKind::corrupt, "move it away to start with no sessions");
  EXPECT_EQ(MUST(base::read_file(folder / "text", 10'000)), std::string(5000, 't'));

  MUST(base::write_file(folder / "foreign", ""));
  MUST(MUST(Database::open(folder / "foreign"))->execute("CREATE TABLE notes (text)"));
  expect_refused(folder / "foreign", ErrorKind::corrupt, "is a database of another program");
}

TEST(SqliteEventStore, RefusesANewerFormat) {
  const TempFolder folder;
  const std::string path = folder / "sessions.db";
  MUST(SqliteEventStore::create(path));
  MUST(MUST(Database::open(path))->execute("PRAGMA user_version = 2"));
  expect_refused(path, ErrorKind::invalid, "newer version of assent (format 2, this one reads 1)");
}

TEST(SqliteEventStore, SaysThatAFileIsDamaged) {
  const TempFolder folder;
  const std::string path = folder / "sessions.db";
  const auto chain = chain_of(500);
  MUST(MUST(SqliteEventStore::create(path))->append(chain.session(), 0, chain.records()));
  const std::string good = MUST(base::read_file(path, 10'000'000));
  ASSERT_GT(good.size(), 40'000u);
  for (const std::size_t from : {std::size_t{100}, std::size_t{4096}, good.size() / 2}) {
    std::string bad = good;
    std::fill(bad.begin() + static_cast<std::ptrdiff_t>(from), bad.end(), '\xa5');
    MUST(base::write_file(path, bad));
    const auto store = SqliteEventStore::create(path);
    const base::Error error =
        store ? (*store)->read(chain.session(), 0, 1000).error() : store.error();
    EXPECT_EQ(error.kind, ErrorKind::corrupt) << from;
    EXPECT_THAT(error.message, AllOf(HasSubstr(path), HasSubstr("restore it from a copy")));
  }
}

TEST(SqliteEventStore, WaitsForAnotherWriter) {
  const TempFolder folder;
  const std::string path = folder / "sessions.db";
  const auto store = MUST(SqliteEventStore::create(path));
  const auto chain = chain_of(1);
  const auto other = MUST(Database::open(path));
  std::optional<Transaction> held(MUST(Transaction::begin(*other)));
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    EXPECT_TRUE(store->append(chain.session(), 0, chain.records()));
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(done);
  held.reset();
  writer.join();
  EXPECT_TRUE(done);
}

// --- a full disk ---------------------------------------------------------------------------------

// No file of this process grows beyond `size` while this stands: the kernel refuses such writes for
// root too. Standard output may be such a file: nothing is asserted meanwhile.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size) : signal_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{size, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  void (*signal_)(int);
};

TEST(SqliteEventStore, RecordsNothingOfABatchThatTheDiskDoesNotHold) {
  const TempFolder folder;
  const std::string path = folder / "sessions.db";
  const auto chain = chain_of(200, 10'000);
  const std::span records(chain.records());
  const auto store = MUST(SqliteEventStore::create(path));
  std::int64_t held = 0;
  base::Result<void> appended;
  {
    const FileSizeLimit limit(512 * 1024);
    while (appended && held < 200) {
      appended = store->append(chain.session(), held, records.subspan(std::size_t(held), 10));
      if (appended) held += 10;
    }
  }
  ASSERT_FALSE(appended);
  EXPECT_EQ(appended.error().kind, ErrorKind::limit) << appended.error().message;
  EXPECT_EQ(appended.error().message, path + ": the disk is full; nothing of this was recorded");
  EXPECT_GT(held, 0);
  EXPECT_EQ(MUST(replay(*store, chain.session())).next_seq, held);
  EXPECT_EQ(MUST(store->sessions()).front().events, held);

  MUST(store->append(chain.session(), held, records.subspan(std::size_t(held))));
  EXPECT_EQ(MUST(replay(*store, chain.session())).next_seq, 200) << "there is room again";
}

// The sizes let the first journal, the first page or the shared memory of the log be too much.
TEST(SqliteEventStore, SaysThatThereIsNoRoomForANewFile) {
  for (const auto size : std::initializer_list<rlim_t>{500, 1'000, 5'000, 30'000}) {
    const TempFolder folder;
    const auto create = [&] {
      const FileSizeLimit limit(size);
      return SqliteEventStore::create(folder / "sessions.db");
    };
    const auto store = create();
    ASSERT_FALSE(store) << size;
    EXPECT_EQ(store.error().kind, ErrorKind::limit) << size << ": " << store.error().message;
    EXPECT_THAT(store.error().message, HasSubstr(folder / "sessions.db" + ": the disk is full"));
    EXPECT_TRUE(SqliteEventStore::create(folder / "sessions.db")) << "there is room again";
  }
}

}  // namespace
}  // namespace assent::store
