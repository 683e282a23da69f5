#include "text/utf8.h"

#include <fmt/format.h>

namespace assent::text {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; }

}  // namespace

bool is_valid(std::string_view text) {
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (!next.valid) return false;
    text.remove_prefix(next.size);
  }
  return true;
}

std::string repair(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    out += next.valid ? text.substr(0, next.size) : base::replacement_text;
    text.remove_prefix(next.size);
  }
  return out;
}

std::string_view cut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continues(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::string_view cut_front(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  text.remove_prefix(text.size() - bytes);
  while (!text.empty() && continues(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view cut_characters(std::string_view text, std::size_t characters) {
  std::size_t end = 0;
  for (; characters > 0 && end < text.size(); --characters) end += decode(text.substr(end)).size;
  return text.substr(0, end);
}

std::string cut_middle(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const std::string_view head = cut(text, limit / 2);
  const std::string_view tail = cut_front(text, limit / 2);
  return fmt::format("{}\n[… {} bytes left out …]\n{}", head,
                     text.size() - head.size() - tail.size(), tail);
}

}  // namespace assent::text
