#include "terminal/keys.h"

#include <gtest/gtest.h>

namespace assent::terminal {
namespace {

using Keys = std::vector<Key>;

Keys decode(std::string_view bytes) {
  KeyDecoder decoder;
  Keys keys;
  decoder.feed(bytes, keys);
  EXPECT_FALSE(decoder.waiting()) << bytes;
  return keys;
}

Key text(std::string_view character) { return {KeyKind::text, std::string(character)}; }

TEST(KeyDecoder, KnowsTheKeysOfUsualTerminals) {
  const std::vector<std::pair<std::string_view, KeyKind>> rows{
      {"\r", KeyKind::enter},
      {"\n", KeyKind::enter},
      {"\x1b\r", KeyKind::new_line},
      {"\x1b\n", KeyKind::new_line},
      {"\x7f", KeyKind::erase_left},
      {"\b", KeyKind::erase_left},
      {"\x1b[3~", KeyKind::erase_right},
      {"\x1b[3;5~", KeyKind::erase_right},
      {"\x17", KeyKind::erase_word_left},
      {"\x1b\x7f", KeyKind::erase_word_left},
      {"\x1b\b", KeyKind::erase_word_left},
      {"\x1b"
       "d",
       KeyKind::erase_word_right},
      {"\x1b"
       "D",
       KeyKind::erase_word_right},
      {"\x15", KeyKind::erase_to_start},
      {"\x0b", KeyKind::erase_to_end},
      {"\x1b[D", KeyKind::left},
      {"\x1bOD", KeyKind::left},
      {"\x02", KeyKind::left},
      {"\x1b[C", KeyKind::right},
      {"\x06", KeyKind::right},
      {"\x1b[1;5D", KeyKind::word_left},
      {"\x1b[1;3D", KeyKind::word_left},
      {"\x1b[1;8D", KeyKind::word_left},
      {"\x1b[1;2D", KeyKind::left},
      {"\x1b[1;9D", KeyKind::left},
      {"\x1b[1;55D", KeyKind::left},
      {"\x1b"
       "b",
       KeyKind::word_left},
      {"\x1b"
       "B",
       KeyKind::word_left},
      {"\x1b[1;5C", KeyKind::word_right},
      {"\x1b"
       "f",
       KeyKind::word_right},
      {"\x1b"
       "F",
       KeyKind::word_right},
      {"\x1b[H", KeyKind::home},
      {"\x1bOH", KeyKind::home},
      {"\x1b[1~", KeyKind::home},
      {"\x1b[7~", KeyKind::home},
      {"\x01", KeyKind::home},
      {"\x1b[F", KeyKind::end},
      {"\x1b[4~", KeyKind::end},
      {"\x1b[8~", KeyKind::end},
      {"\x05", KeyKind::end},
      {"\x1b[A", KeyKind::up},
      {"\x10", KeyKind::up},
      {"\x1b[B", KeyKind::down},
      {"\x0e", KeyKind::down},
      {"\x04", KeyKind::end_of_input},
      {"\x0c", KeyKind::redraw},
      {"\x1b[5~", KeyKind::nothing},
      {"\x1b[Z", KeyKind::nothing},
      {"\x1b[<35;1;2M", KeyKind::nothing},
      {"\x1b[?1;2c", KeyKind::nothing},
      {"\x1bx", KeyKind::nothing},
      {"\x1b\xc3\xa9", KeyKind::nothing},
      {"\x1bOP", KeyKind::nothing},
      {std::string_view("\0", 1), KeyKind::nothing},
      {"\x03", KeyKind::nothing},
      {"\x1f", KeyKind::nothing}};
  for (const auto& [bytes, kind] : rows) EXPECT_EQ(decode(bytes), (Keys{{kind}})) << bytes;
}

TEST(KeyDecoder, TextComesByCharacters) {
  EXPECT_EQ(decode("aé漢😀"), (Keys{text("a"), text("é"), text("漢"), text("😀")}));
  EXPECT_EQ(decode("e\u0301"), (Keys{text("e"), text("\u0301")}));
}

TEST(KeyDecoder, BytesThatAreNoCharacterAreKept) {
  EXPECT_EQ(decode("\xff"
                   "a"),
            (Keys{text("\xff"), text("a")}));
  EXPECT_EQ(decode("\xc3"
                   "a"),
            (Keys{text("\xc3"), text("a")}));
  EXPECT_EQ(decode("\xff\xf5\xc1"), (Keys{text("\xff"), text("\xf5"), text("\xc1")}));
  EXPECT_EQ(decode("\x80"), (Keys{text("\x80")}));
}

TEST(KeyDecoder, APasteIsOneKeyWithItsLineEnds) {
  EXPECT_EQ(decode("\x1b[200~one\rtwo\r\nthree\nfour\r\x1b[201~x"),
            (Keys{{KeyKind::paste, "one\ntwo\nthree\nfour\n"}, text("x")}));
  EXPECT_EQ(decode("\x1b[200~\x1b[A\x03y\x1b[201~"), (Keys{{KeyKind::paste, "\x1b[A\x03y"}}));
  EXPECT_EQ(decode("\x1b[200~\x1b[201~"), (Keys{{KeyKind::paste, ""}}));
  EXPECT_EQ(decode("\x1b[201~"), (Keys{{KeyKind::nothing}}));
}

TEST(KeyDecoder, WaitsForTheRestWhereverBytesAreCut) {
  const std::string bytes =
      "a\x1b[1;5Dé\x1b[200~p\r\xc3\xa9\x1b[201~\x1bOH\x1b"
      "b漢\x1b\xc3\xa9\r";
  const Keys whole = decode(bytes);
  EXPECT_EQ(whole.size(), 9U);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    KeyDecoder decoder;
    Keys keys;
    decoder.feed(std::string_view(bytes).substr(0, cut), keys);
    decoder.feed(std::string_view(bytes).substr(cut), keys);
    EXPECT_EQ(keys, whole) << cut;
  }
  KeyDecoder decoder;
  Keys keys;
  for (const char c : bytes) decoder.feed({&c, 1}, keys);
  EXPECT_EQ(keys, whole);
}

TEST(KeyDecoder, WhatBrokeOffIsGivenUp) {
  for (const std::string_view start : {"\x1b", "\x1b[", "\x1b[1;", "\x1bO", "\x1b\xc3"}) {
    KeyDecoder decoder;
    Keys keys;
    decoder.feed(start, keys);
    EXPECT_TRUE(keys.empty() && decoder.waiting() && decoder.unsure()) << start;
    decoder.give_up(keys);
    EXPECT_EQ(keys, (Keys{{KeyKind::nothing}})) << start;
    EXPECT_FALSE(decoder.waiting() || decoder.unsure()) << start;
    decoder.feed("y", keys);
    EXPECT_EQ(keys.back(), text("y")) << start;
  }
  KeyDecoder decoder;
  Keys keys;
  decoder.feed("\xe6\xbc", keys);
  EXPECT_TRUE(keys.empty() && decoder.unsure());
  decoder.give_up(keys);
  decoder.give_up(keys);
  EXPECT_EQ(keys, (Keys{text("\xe6\xbc")}));
}

TEST(KeyDecoder, AnUnfinishedPasteIsNotGivenUp) {
  KeyDecoder decoder;
  Keys keys;
  decoder.feed("\x1b[200~", keys);
  EXPECT_TRUE(decoder.waiting());
  decoder.feed("y\r", keys);
  EXPECT_FALSE(decoder.unsure());
  decoder.give_up(keys);
  EXPECT_TRUE(keys.empty());
  decoder.feed("\x1b[201~", keys);
  EXPECT_EQ(keys, (Keys{{KeyKind::paste, "y\n"}}));
}

TEST(KeyDecoder, SequencesAndPastesAreBounded) {
  KeyDecoder decoder;
  Keys keys;
  decoder.feed("\x1b[" + std::string(1000, '1'), keys);
  EXPECT_FALSE(decoder.waiting());
  EXPECT_EQ(keys.front(), Key{KeyKind::nothing});
  KeyDecoder pasting;
  Keys parts;
  pasting.feed("\x1b[200~" + std::string(1 << 20, 'p') + "\x1b[201~", parts);
  std::string joined;
  for (const auto& part : parts) {
    EXPECT_EQ(part.kind, KeyKind::paste);
    joined += part.text;
  }
  EXPECT_EQ(joined, std::string(1 << 20, 'p'));
  std::string endless;
  Keys streamed;
  KeyDecoder stream;
  stream.feed("\x1b[200~", streamed);
  for (int i = 0; i < 300; ++i) stream.feed(std::string(1024, 'p'), streamed);
  EXPECT_FALSE(streamed.empty());
}

TEST(KeyDecoder, EscapeBeforeASequenceIsAKeyOfItsOwn) {
  EXPECT_EQ(decode("\x1b\x1b[A"), (Keys{{KeyKind::nothing}, {KeyKind::up}}));
  // A control character ends a sequence and counts.
  EXPECT_EQ(decode("\x1b[1\ry"), (Keys{{KeyKind::nothing}, {KeyKind::enter}, text("y")}));
}

}  // namespace
}  // namespace assent::terminal
