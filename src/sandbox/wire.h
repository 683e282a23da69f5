#pragma once
// Values between harness, spawn helper and supervisor: integers and counted bytes, nothing else.
// The reader takes bytes from a process that was near untrusted code, so every length is checked.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assent::sandbox {

class WireWriter {
 public:
  void put(std::int64_t number) {
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes_.append(raw, sizeof raw);
  }
  void put(std::string_view text) {
    put(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
  }
  void put(const std::vector<std::string>& texts) {
    put(static_cast<std::int64_t>(texts.size()));
    for (const auto& text : texts) put(std::string_view(text));
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  base::Result<std::int64_t> number() {
    std::int64_t value = 0;
    if (rest_.size() < sizeof value) return torn();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  base::Result<std::string> text() {
    const std::int64_t size = TRY(number());
    if (size < 0 || static_cast<std::uint64_t>(size) > rest_.size()) return torn();
    std::string value(rest_.substr(0, static_cast<std::size_t>(size)));
    rest_.remove_prefix(static_cast<std::size_t>(size));
    return value;
  }
  base::Result<std::vector<std::string>> texts() {
    const std::int64_t count = TRY(number());
    // Each text takes at least its length's bytes.
    if (count < 0 || static_cast<std::uint64_t>(count) > rest_.size() / sizeof(std::int64_t)) {
      return torn();
    }
    std::vector<std::string> values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(TRY(text()));
    return values;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  static std::unexpected<base::Error> torn() {
    return base::failure(base::ErrorKind::corrupt, "a message of the sandbox was cut short");
  }
  std::string_view rest_;
};

}  // namespace assent::sandbox
