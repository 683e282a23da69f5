#pragma once
// Strong ids: text with a type, so that a session's id is never taken for a request's.

#include <compare>
#include <functional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/rng.h"

namespace assent::base {

template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  auto operator<=>(const Id&) const = default;

 private:
  std::string text_;
};

// A UUID of version 7 (RFC 9562, section 5.7) in lower-case hexadecimal with dashes: 48 bits of the
// clock's milliseconds, 74 random bits. Sorts by the time of its making.
std::string make_uuid_v7(const Clock& clock, Rng& rng);

template <class AnyId>
AnyId make_id(const Clock& clock, Rng& rng) {
  return AnyId(make_uuid_v7(clock, rng));
}

}  // namespace assent::base

template <class Tag>
struct std::hash<assent::base::Id<Tag>> {
  std::size_t operator()(const assent::base::Id<Tag>& id) const noexcept {
    return std::hash<std::string>{}(id.text());
  }
};
