#include "crypto/sha256.h"

#include <openssl/evp.h>

#include <utility>

namespace assent::crypto {

struct Sha256::Context {
  EVP_MD_CTX* raw = ::EVP_MD_CTX_new();
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { ::EVP_MD_CTX_free(raw); }
};

namespace {

// OpenSSL fails here only without memory or without its default provider: nothing can go on then.
void must(int ok) {
  if (ok != 1) {
    MUST(base::Result<void>(base::failure(base::ErrorKind::internal, "SHA-256 is not available")));
  }
}

}  // namespace

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  must(::EVP_DigestInit_ex(context_->raw, ::EVP_sha256(), nullptr));
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::span<const std::byte> bytes) {
  must(::EVP_DigestUpdate(context_->raw, bytes.data(), bytes.size()));
}

void Sha256::update(std::string_view bytes) {
  update(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

Digest Sha256::finish() {
  Digest digest{};
  must(::EVP_DigestFinal_ex(context_->raw, reinterpret_cast<unsigned char*>(digest.data()),
                            nullptr));
  return digest;
}

Digest sha256(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string to_hex(const Digest& digest) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * digest.size());
  for (const std::byte b : digest) {
    text += digits[std::to_integer<unsigned>(b) >> 4];
    text += digits[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

base::Result<Digest> from_hex(std::string_view text) {
  const auto value = [](char c) -> int {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  Digest digest{};
  if (text.size() != 2 * digest.size()) {
    return base::failure(base::ErrorKind::invalid, "a SHA-256 digest has 64 hexadecimal digits");
  }
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const int high = value(text[2 * i]);
    const int low = value(text[2 * i + 1]);
    if (high < 0 || low < 0) {
      return base::failure(base::ErrorKind::invalid, "a SHA-256 digest has 64 hexadecimal digits");
    }
    digest[i] = static_cast<std::byte>(high * 16 + low);
  }
  return digest;
}

}  // namespace assent::crypto
