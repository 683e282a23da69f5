#include "base/file.h"

#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "base/id.h"
#include "base/testing/fake_clock.h"
#include "base/testing/seeded_rng.h"

namespace assent::base {
namespace {

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "assent-base-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_;
};

TEST_F(FileTest, RoundTripsAndNamesThePathInErrors) {
  ASSERT_TRUE(write_file(folder_ + "/f", "hello"));
  EXPECT_EQ(read_file(folder_ + "/f", 5), "hello");
  EXPECT_EQ(read_file(folder_ + "/f", 4).error().kind, ErrorKind::limit);
  const auto missing = read_file(folder_ + "/none", 4);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_NE(missing.error().message.find(folder_ + "/none"), std::string::npos);
  EXPECT_EQ(read_file(folder_, 4).error().kind, ErrorKind::invalid);
}

TEST_F(FileTest, ResolvesLinksOfTheLongestExistingPrefix) {
  std::filesystem::create_directories(folder_ + "/real/sub");
  std::filesystem::create_directory_symlink(folder_ + "/real", folder_ + "/link");
  const std::string real = std::filesystem::canonical(folder_ + "/real");
  EXPECT_EQ(resolve_path(folder_ + "/link/sub/../new/x"), real + "/new/x");
  EXPECT_EQ(resolve_path(folder_ + "/link/"), real);
}

TEST_F(FileTest, MakesFoldersOnceAndRefusesAFileInTheWay) {
  EXPECT_TRUE(make_folders(folder_ + "/a/b/c"));
  EXPECT_TRUE(make_folders(folder_ + "/a/b/c"));
  ASSERT_TRUE(write_file(folder_ + "/file", ""));
  EXPECT_FALSE(make_folders(folder_ + "/file"));
}

TEST(Uuid, HasVersionVariantAndSortsByTime) {
  testing::FakeClock clock;
  testing::SeededRng rng;
  const std::string first = make_uuid_v7(clock, rng);
  clock.advance(Milliseconds(1));
  const std::string second = make_uuid_v7(clock, rng);
  EXPECT_EQ(first.size(), 36U);
  EXPECT_EQ(first[14], '7');
  EXPECT_NE(std::string("89ab").find(first[19]), std::string::npos);
  EXPECT_LT(first.substr(0, 13), second.substr(0, 13));
}

}  // namespace
}  // namespace assent::base
