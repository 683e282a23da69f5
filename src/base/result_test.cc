#include "base/result.h"

#include <memory>

#include <gtest/gtest.h>

namespace assent::base {
namespace {

Result<std::unique_ptr<int>> boxed(int value) {
  if (value < 0) return failure(ErrorKind::invalid, "negative");
  return std::make_unique<int>(value);
}

Result<int> doubled(int value) { return 2 * *TRY(boxed(value)); }

Result<void> checked(int value) {
  TRY(boxed(value));
  return {};
}

TEST(Result, TryHandsUpTheValueOrTheError) {
  EXPECT_EQ(doubled(4), 8);
  EXPECT_EQ(doubled(-1).error(), (Error{ErrorKind::invalid, "negative"}));
  EXPECT_TRUE(checked(1));
  EXPECT_FALSE(checked(-1));
}

TEST(Result, MustEndsTheProcessOnAnError) {
  EXPECT_EQ(*MUST(boxed(3)), 3);
  EXPECT_DEATH(MUST(boxed(-3)), "negative");
}

TEST(Error, ContextComesInFront) {
  const Error error = system_error("open", 2).in("a/b");
  EXPECT_EQ(error.message, "a/b: open: No such file or directory");
  EXPECT_EQ(error.kind, ErrorKind::not_found);
  EXPECT_EQ(error.code, 2);
}

}  // namespace
}  // namespace assent::base
