#include "terminal/line_editor.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "text/width.h"

namespace assent::terminal {
namespace {

using Effect = LineEditor::Effect;

// Types what a terminal would send.
Effect type(LineEditor& editor, std::string_view bytes, History* history = nullptr) {
  KeyDecoder decoder;
  std::vector<Key> keys;
  decoder.feed(bytes, keys);
  Effect last = Effect::refused;
  for (const auto& key : keys) last = editor.apply(key, history);
  return last;
}

// The text with a bar where the cursor stands.
std::string typed(std::string_view bytes) {
  LineEditor editor;
  type(editor, bytes);
  type(editor, "|");
  return editor.text();
}

TEST(LineEditor, EditsAtTheCursor) {
  const std::vector<std::pair<std::string_view, std::string_view>> rows{
      {"", "|"},
      {"abc", "abc|"},
      {"abc\x1b[D", "ab|c"},
      {"abc\x1b[D\x1b[D\x1b[C", "ab|c"},
      {"abc\x1b[C", "abc|"},
      {"\x1b[D", "|"},
      {"abc\x01", "|abc"},
      {"abc\x01\x05", "abc|"},
      {"abc\x1b[D\x7f", "a|c"},
      {"\x7f", "|"},
      {"abc\x01\x7f", "|abc"},
      {"abc\x01\x1b[3~", "|bc"},
      {"abc\x1b[3~", "abc|"},
      {"abc\x01\x04", "|bc"},
      {"abc\x1b[D\x15", "|c"},
      {"abc\x1b[D\x0b", "ab|"},
      {"one two\x17", "one |"},
      {"one two  \x17", "one |"},
      {" \x17", "|"},
      {"a\x17", "|"},
      {"\x17", "|"},
      {"漢 字\x17", "漢 |"},
      {"one two\x1b"
       "b",
       "one |two"},
      {"one two\x1b[1;5D\x1b[1;5D", "|one two"},
      {"one two \x1b[1;5D", "one |two "},
      {"a-b_c d\x01\x1b[1;5C", "a|-b_c d"},
      {"a-b_c d\x01\x1b[1;5C\x1b[1;5C", "a-b_c| d"},
      {"é漢 x\x01\x1b[1;5C", "é漢| x"},
      {"one two\x01\x1b"
       "d",
       "| two"},
      {"one two\x1b"
       "d",
       "one two|"},
      {"one two\x1b\x7f", "one |"}};
  for (const auto& [bytes, text] : rows) EXPECT_EQ(typed(bytes), text) << bytes;
}

TEST(LineEditor, MovesAndErasesByCharactersAsReadersTakeThem) {
  EXPECT_EQ(typed("漢字\x1b[D"), "漢|字");
  EXPECT_EQ(typed("漢字\x7f"), "漢|");
  EXPECT_EQ(typed("e\u0301e\u0301\x1b[D"), "e\u0301|e\u0301");
  EXPECT_EQ(typed("xe\u0301\x7f"), "x|");
  EXPECT_EQ(typed("xe\u0301\x01\x1b[C\x1b[3~"), "x|");
  EXPECT_EQ(typed("a👩\u200d💻b\x1b[D\x1b[D"), "a|👩\u200d💻b");
  EXPECT_EQ(typed("🇩🇪🇫🇷\x7f"), "🇩🇪|");
  EXPECT_EQ(typed("a\xff\x7f"), "a|");
  // What is typed in the middle may join with what follows; the cursor stays between characters.
  EXPECT_EQ(typed("👩💻\x1b[D\u200d\x7f"), "|");
}

TEST(LineEditor, AMarkThatLosesItsBaseJoinsWhatStandsBefore) {
  LineEditor editor;
  type(editor, "a\n");
  editor.set("ab");
  type(editor, "\x1b[D\u0301");
  EXPECT_EQ(editor.text(), "a\u0301b");
  EXPECT_EQ(type(editor, "\x7f"), Effect::edited);
  EXPECT_EQ(editor.text(), "b");
}

TEST(LineEditor, LinesOfAPasteAreOneText) {
  const std::string paste = "\x1b[200~one\rtwo\x1b[201~";
  EXPECT_EQ(typed(paste), "one\ntwo|");
  EXPECT_EQ(typed(paste + "\x01"), "one\n|two");
  EXPECT_EQ(typed(paste + "\x01\x1b[D"), "one|\ntwo");
  EXPECT_EQ(typed(paste + "\x01\x1b[D\x05"), "one|\ntwo");
  EXPECT_EQ(typed(paste + "\x15"), "one\n|");
  EXPECT_EQ(typed(paste + "\x15\x7f"), "one|");
  EXPECT_EQ(typed(paste + "\x01\x1b[D\x0b"), "one|\ntwo");
  EXPECT_EQ(typed("a\x1b\rb"), "a\nb|");
}

TEST(LineEditor, SaysWhatAKeyDid) {
  LineEditor editor;
  EXPECT_EQ(type(editor, "\x7f"), Effect::refused);
  EXPECT_EQ(type(editor, "\x1b[5~"), Effect::refused);
  EXPECT_EQ(type(editor, "\x0c"), Effect::refused);
  EXPECT_EQ(type(editor, "\x1b[A"), Effect::refused);
  EXPECT_EQ(type(editor, "\x04"), Effect::ended);
  EXPECT_EQ(type(editor, "a"), Effect::edited);
  EXPECT_EQ(type(editor, "\x04"), Effect::refused);
  EXPECT_EQ(type(editor, "\r"), Effect::entered);
  EXPECT_EQ(editor.take(), "a");
  EXPECT_TRUE(editor.empty());
  EXPECT_EQ(type(editor, "b|"), Effect::edited);
  EXPECT_EQ(editor.text(), "b|");
}

TEST(LineEditor, ALineIsBounded) {
  LineEditor editor;
  editor.apply({KeyKind::paste, std::string(base::limits::prompt_line - 1, 'x')});
  EXPECT_EQ(editor.apply({KeyKind::text, "漢"}), Effect::refused);
  EXPECT_EQ(editor.apply({KeyKind::text, "y"}), Effect::edited);
  EXPECT_EQ(editor.apply({KeyKind::text, "z"}), Effect::refused);
  EXPECT_EQ(editor.text().size(), base::limits::prompt_line);
  LineEditor other;
  other.apply({KeyKind::paste, std::string(base::limits::prompt_line + 5, 'x')});
  EXPECT_EQ(other.text().size(), base::limits::prompt_line);
}

TEST(LineEditor, WalksThroughItsHistory) {
  History history;
  for (const auto* line : {"one", "two", "two", "", "three"}) history.add(line);
  LineEditor editor;
  type(editor, "draft");
  const auto after = [&](std::string_view bytes) {
    type(editor, bytes, &history);
    return editor.text();
  };
  EXPECT_EQ(after("\x1b[A"), "three");
  EXPECT_EQ(after("\x1b[A"), "two");
  EXPECT_EQ(after("\x1b[A"), "one");
  EXPECT_EQ(after("\x1b[A"), "one");
  EXPECT_EQ(after("\x1b[B"), "two");
  EXPECT_EQ(after("\x1b[B\x1b[B"), "draft");
  EXPECT_EQ(after("\x1b[B"), "draft");
  EXPECT_EQ(after("\x1b[A!"), "three!");
  history.add(editor.take());
  EXPECT_EQ(after("\x1b[A"), "three!");
  history.leave();
  EXPECT_EQ(after("\x1b[A\x1b[A"), "three");
}

TEST(History, IsBounded) {
  History history;
  for (std::size_t i = 0; i < base::limits::prompt_history + 2; ++i) {
    history.add(std::to_string(i));
  }
  std::string oldest;
  while (const auto* line = history.older("")) oldest = *line;
  EXPECT_EQ(oldest, "2");
}

constexpr std::size_t all_rows = 1000;

Rows shown(std::string_view bytes, std::string_view prompt, std::size_t columns,
           std::size_t most = all_rows) {
  LineEditor editor;
  type(editor, bytes);
  return editor.rows(prompt, columns, most);
}

TEST(LineEditor, ItsRowsFitAndShowTheCursor) {
  EXPECT_EQ(shown("", "> ", 10), (Rows{{"> "}, 0, 2}));
  EXPECT_EQ(shown("abc", "> ", 10), (Rows{{"> abc"}, 0, 5}));
  EXPECT_EQ(shown("abc\x1b[D", "> ", 10), (Rows{{"> abc"}, 0, 4}));
  EXPECT_EQ(shown("abcdefg", "> ", 10), (Rows{{"> abcdefg"}, 0, 9}));
  EXPECT_EQ(shown("abcdefgh", "> ", 10), (Rows{{"> abcdefg", "h"}, 1, 1}));
  EXPECT_EQ(shown("abcdefgh\x1b[D", "> ", 10), (Rows{{"> abcdefg", "h"}, 1, 0}));
  EXPECT_EQ(shown("abcdefgh\x1b[D\x1b[D", "> ", 10), (Rows{{"> abcdefg", "h"}, 0, 8}));
  EXPECT_EQ(shown("漢字", "> ", 6), (Rows{{"> 漢", "字"}, 1, 2}));
  EXPECT_EQ(shown("漢字\x1b[D", "> ", 6), (Rows{{"> 漢", "字"}, 1, 0}));
  EXPECT_EQ(shown("a\x1b\r\x1b\rb\x1b[D", "> ", 6), (Rows{{"> a", "", "b"}, 2, 0}));
  EXPECT_EQ(shown("a\x1b\r\x1b\rb\x1b[D\x1b[D", "> ", 6), (Rows{{"> a", "", "b"}, 1, 0}));
  EXPECT_EQ(shown("ab", "> ", 1), (Rows{{">", " ", "a", "b"}, 3, 1}));
}

TEST(LineEditor, WhatIsNoTextIsVisible) {
  EXPECT_EQ(shown("\x1b[200~a\x1b[2J\u202e\tb\x1b[201~", "> ", 40),
            (Rows{{"> a\\x1b[2J\\u{202e} b"}, 0, 20}));
  EXPECT_EQ(shown("e\u0301\xff", "> ", 40), (Rows{{"> e\u0301\\xff"}, 0, 7}));
}

TEST(LineEditor, ATallLineShowsItsRowsAroundTheCursor) {
  EXPECT_EQ(shown("abcdefghij", "", 3, 2), (Rows{{"gh", "ij"}, 1, 2}));
  EXPECT_EQ(shown("abcdefghij\x01", "", 3, 2), (Rows{{"ab", "cd"}, 0, 0}));
  EXPECT_EQ(shown("abcdefghij\x01\x1b[C\x1b[C\x1b[C\x1b[C\x1b[C", "", 3, 1), (Rows{{"ef"}, 0, 1}));
}

TEST(LineEditor, RowsFitAtEveryWidth) {
  const std::string text = "run 漢字 e\u0301 👩\u200d💻 --option=\xff and  more";
  for (std::size_t columns = 3; columns < 60; ++columns) {
    const Rows rows = shown(text, "[child 2] > ", columns);
    EXPECT_LT(rows.column, columns);
    for (const auto& row : rows.rows) EXPECT_LT(text::width(row), columns) << row;
  }
}

}  // namespace
}  // namespace assent::terminal
