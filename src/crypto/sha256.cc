#include "crypto/sha256.h"

// The low-level functions are deprecated in favour of EVP, but they are what can be linked without
// the rest of libcrypto (cmake/ThirdParty.cmake). They cannot fail.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include <bit>

#include <fmt/format.h>

namespace assent::crypto {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

using State = std::array<std::byte, sizeof(SHA256_CTX)>;

}  // namespace

Sha256::Sha256() {
  static_assert(sizeof(state_) == sizeof(SHA256_CTX));
  SHA256_CTX context{};
  ::SHA256_Init(&context);
  state_ = std::bit_cast<State>(context);
}

Sha256& Sha256::update(std::string_view bytes) {
  auto context = std::bit_cast<SHA256_CTX>(state_);
  ::SHA256_Update(&context, bytes.data(), bytes.size());
  state_ = std::bit_cast<State>(context);
  return *this;
}

Sha256& Sha256::update(std::span<const std::byte> bytes) {
  return update(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

Digest Sha256::finish() const {
  auto context = std::bit_cast<SHA256_CTX>(state_);
  Digest digest{};
  ::SHA256_Final(reinterpret_cast<unsigned char*>(digest.data()), &context);
  return digest;
}

Digest sha256(std::string_view bytes) { return Sha256().update(bytes).finish(); }

std::string to_hex(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<std::size_t>(byte >> 4)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{0x0f})];
  }
  return text;
}

base::Result<Digest> from_hex(std::string_view text) {
  Digest digest{};
  if (text.size() != 2 * digest.size()) {
    return base::failure(
        base::ErrorKind::invalid,
        fmt::format("a SHA-256 digest has 64 hexadecimal digits, not {}", text.size()));
  }
  for (std::size_t index = 0; index < text.size(); ++index) {
    const std::size_t digit = digits.find(text[index]);
    if (digit == std::string_view::npos) {
      return base::failure(base::ErrorKind::invalid,
                           fmt::format("character {} is no lower-case hexadecimal digit", index));
    }
    std::byte& byte = digest[index / 2];
    byte = byte << 4 | static_cast<std::byte>(digit);
  }
  return digest;
}

}  // namespace assent::crypto
