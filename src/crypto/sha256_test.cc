#include "crypto/sha256.h"

#include <gtest/gtest.h>

namespace assent::crypto {
namespace {

struct Sample {
  std::string text;
  std::string_view digest;
};

// The examples that NIST publishes for FIPS 180-4, and lengths around the padding's boundaries.
std::vector<Sample> samples() {
  std::vector<Sample> samples = {
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
       "lmnopqrsmnopqrstnopqrstu",
       "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
      {std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
  };
  const std::pair<std::size_t, std::string_view> boundaries[] = {
      {55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
      {56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
      {57, "ae14a2563ccf969d99aca69ce6bb74981f734bbf9f655f73b8f06db68cab5217"},
      {63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"},
      {64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
      {65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"},
      {119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"},
      {120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"},
      {127, "70156a14adbabf98cff3a71c7084b417abf057a8efd27329ca36b7202c87d81f"},
      {128, "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464"},
  };
  for (const auto& [size, digest] : boundaries) samples.push_back({std::string(size, 'x'), digest});
  return samples;
}

TEST(Sha256, GivesTheKnownDigests) {
  for (const auto& [text, digest] : samples()) {
    EXPECT_EQ(to_hex(sha256(text)), digest) << text.size() << " bytes";
  }
}

TEST(Sha256, HashesEveryByteValue) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string_view expected =
      "40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880";
  EXPECT_EQ(to_hex(sha256(all)), expected);
  EXPECT_EQ(to_hex(Sha256().update(std::as_bytes(std::span(all))).finish()), expected);
}

TEST(Sha256, PiecesGiveWhatTheWholeGives) {
  for (const auto& [text, digest] : samples()) {
    for (const std::size_t piece :
         {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}}) {
      if (text.size() > 10'000 && piece == 1) continue;
      Sha256 hash;
      for (std::size_t at = 0; at < text.size(); at += piece) {
        hash.update(std::string_view(text).substr(at, piece)).update("");
      }
      EXPECT_EQ(to_hex(hash.finish()), digest) << text.size() << " by " << piece;
    }
  }
}

TEST(Sha256, GoesOnAfterFinishAndByCopies) {
  Sha256 hash;
  EXPECT_EQ(hash.update("a").finish(), sha256("a"));
  Sha256 copy = hash;
  EXPECT_EQ(hash.update("bc").finish(), sha256("abc"));
  EXPECT_EQ(copy.update("xy").finish(), sha256("axy"));
  EXPECT_EQ(hash.finish(), sha256("abc"));
}

TEST(FromHex, ReadsWhatToHexWrote) {
  const Digest digest = sha256("abc");
  EXPECT_EQ(from_hex(to_hex(digest)), base::Result<Digest>(digest));
}

TEST(FromHex, RefusesEverythingElse) {
  const std::string good = to_hex(sha256("abc"));
  for (const std::string& bad :
       {std::string(), good.substr(1), good.substr(2), good + "00", "g" + good.substr(1),
        " " + good.substr(1), "B" + good.substr(1), good.substr(1) + std::string(1, 0)}) {
    EXPECT_EQ(from_hex(bad).error().kind, base::ErrorKind::invalid) << bad;
  }
}

}  // namespace
}  // namespace assent::crypto
