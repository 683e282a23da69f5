#include "sandbox/output_collector.h"

#include <algorithm>

#include <fmt/format.h>

namespace assent::sandbox {

void OutputCollector::add(std::string_view bytes) {
  size_ += bytes.size();
  const std::size_t room = half_ - head_.size();
  head_ += bytes.substr(0, room);
  bytes.remove_prefix(std::min(room, bytes.size()));
  tail_ += bytes;
  // Trimmed only now and then, so that each byte is moved a bounded number of times.
  if (tail_.size() > 2 * half_ + 65536) tail_.erase(0, tail_.size() - half_);
}

Output OutputCollector::finish() const {
  if (size_ <= 2 * half_) return {.text = head_ + tail_, .size = size_};
  // Not into the middle of a character: continuation bytes are 10xxxxxx.
  const auto continues = [](char c) { return (c & '\xC0') == '\x80'; };
  std::string_view head = head_;
  while (!head.empty() && continues(head.back())) head.remove_suffix(1);
  if (!head.empty() && (head.back() & '\x80') != 0) head.remove_suffix(1);
  std::string_view tail = tail_;
  if (tail.size() > half_) tail.remove_prefix(tail.size() - half_);
  while (!tail.empty() && continues(tail.front())) tail.remove_prefix(1);
  return {.text = fmt::format("{}\n[… {} bytes left out …]\n{}", head,
                              size_ - head.size() - tail.size(), tail),
          .size = size_};
}

}  // namespace assent::sandbox
