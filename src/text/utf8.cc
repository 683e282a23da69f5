#include "text/utf8.h"

#include <fmt/format.h>

namespace assent::text {
namespace {

bool continues(char c) { return (c & '\xC0') == '\x80'; }

// Table 3-7 of the Unicode standard: how many bytes follow a lead byte, and the range of the first.
struct Lead {
  int following = -1;  // -1: no lead byte
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {0};
  if (byte >= 0xC2 && byte <= 0xDF) return {1};
  if (byte == 0xE0) return {2, 0xA0, 0xBF};
  if (byte == 0xED) return {2, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {2};
  if (byte == 0xF0) return {3, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {3};
  if (byte == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

}  // namespace

Decoded decode(std::string_view text) {
  static constexpr char32_t replacement = 0xFFFD;
  const auto first = static_cast<unsigned char>(text.front());
  const Lead lead = lead_of(first);
  if (lead.following < 0) return {replacement, 1, false};
  if (lead.following == 0) return {first, 1, true};
  char32_t point = first & (0x3FU >> lead.following);
  for (int i = 1; i <= lead.following; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (at >= text.size()) return {replacement, at, false};
    const auto byte = static_cast<unsigned char>(text[at]);
    const unsigned char low = i == 1 ? lead.low : 0x80;
    const unsigned char high = i == 1 ? lead.high : 0xBF;
    if (byte < low || byte > high) return {replacement, at, false};
    point = (point << 6) | (byte & 0x3FU);
  }
  return {point, static_cast<std::size_t>(lead.following) + 1, true};
}

void append(std::string& out, char32_t point) {
  const auto put = [&](char32_t bits) { out += static_cast<char>(bits); };
  if (point < 0x80) {
    put(point);
  } else if (point < 0x800) {
    put(0xC0 | (point >> 6));
    put(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    put(0xE0 | (point >> 12));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  } else {
    put(0xF0 | (point >> 18));
    put(0x80 | ((point >> 12) & 0x3F));
    put(0x80 | ((point >> 6) & 0x3F));
    put(0x80 | (point & 0x3F));
  }
}

std::string repair(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (next.valid) {
      out += text.substr(0, next.size);
    } else {
      append(out, next.point);
    }
    text.remove_prefix(next.size);
  }
  return out;
}

std::string_view cut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continues(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::string cut_middle(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  const std::string_view head = cut(text, limit / 2);
  std::string_view tail = text.substr(text.size() - limit / 2);
  while (!tail.empty() && continues(tail.front())) tail.remove_prefix(1);
  return fmt::format("{}\n[… {} bytes left out …]\n{}", head,
                     text.size() - head.size() - tail.size(), tail);
}

}  // namespace assent::text
