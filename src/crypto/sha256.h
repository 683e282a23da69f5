#pragma once
// SHA-256 (FIPS 180-4). The hash of the log's chain, of calls that a human consented to and of
// trusted files. Free functions: any thread; a Sha256: one thread at a time.

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assent::crypto {

using Digest = std::array<std::byte, 32>;

// The hash of bytes that come in pieces; how they are divided does not matter. A value: a copy goes
// on by itself, so a common beginning is hashed once.
class Sha256 {
 public:
  Sha256();
  Sha256& update(std::string_view bytes);
  Sha256& update(std::span<const std::byte> bytes);
  // The digest of everything up to here; more may follow.
  [[nodiscard]] Digest finish() const;

 private:
  // OpenSSL's SHA256_CTX; its header stays in the source.
  alignas(4) std::array<std::byte, 112> state_;
};

[[nodiscard]] Digest sha256(std::string_view bytes);

// Two lower-case digits a byte.
std::string to_hex(std::span<const std::byte> bytes);
// A digest from its 64 digits. ErrorKind::invalid: another length, or a character that is none of
// 0-9 and a-f. Upper case is refused so that a digest has one text.
base::Result<Digest> from_hex(std::string_view text);

}  // namespace assent::crypto
