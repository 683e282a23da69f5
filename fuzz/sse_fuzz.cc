// Whatever the bytes and wherever they are cut, the parser sees the same events.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "net/sse.h"

namespace {

class Recorder final : public assent::net::SseHandler {
 public:
  assent::base::Result<void> event(const assent::net::SseEvent& event) override {
    seen.append(event.type).append(1, '\0').append(event.data).append(1, '\0').append(event.id);
    return {};
  }
  std::string seen;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t step = 1 + data[0] % 16;
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
  assent::net::SseParser whole(4096);
  assent::net::SseParser cut(4096);
  Recorder at_once;
  Recorder in_pieces;
  bool fits = whole.feed(stream, at_once).has_value();
  for (std::size_t at = 0; at < stream.size() && fits; at += step) {
    // A copy of exactly this size, so that a view kept into it is found.
    const std::vector<char> piece(stream.begin() + static_cast<std::ptrdiff_t>(at),
                                  stream.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min(at + step, stream.size())));
    fits = cut.feed({piece.data(), piece.size()}, in_pieces).has_value();
  }
  if (fits && at_once.seen != in_pieces.seen) std::abort();
  return 0;
}
