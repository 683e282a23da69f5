#pragma once
// SHA-256 (FIPS 180-4), by OpenSSL.

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace assent::crypto {

using Digest = std::array<std::byte, 32>;

// Incremental; update() as often as wanted, then finish() once. One thread.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void update(std::span<const std::byte> bytes);
  void update(std::string_view bytes);
  Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

Digest sha256(std::string_view bytes);

// 64 lower-case hexadecimal digits.
std::string to_hex(const Digest& digest);
// ErrorKind::invalid for anything but 64 hexadecimal digits.
base::Result<Digest> from_hex(std::string_view text);

}  // namespace assent::crypto
