"""A terminal's screen: enough of a VT to say what a human would see."""

import re
import unicodedata

SEQUENCE = re.compile(
    r"\x1b\[(?P<private>[<=>?]?)(?P<numbers>[0-9;:]*)(?P<between>[ -/]*)(?P<final>[@-~])"
    r"|\x1b\](?P<system>[^\x07\x1b]*)(?:\x07|\x1b\\)"
    r"|\x1b[PX^_][^\x1b]*\x1b\\"
    r"|\x1b[()*+#%].|\x1b(?P<single>[0-9=>A-Za-z~|}])", re.DOTALL)
# The start of a sequence whose end has not come yet.
UNFINISHED = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*|[\]PX^_](?:[^\x07\x1b]|\x1b$)*|[()*+#%])?$", re.DOTALL)
WIDE_TAIL = ""  # the cell behind a wide character


def width(char):
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class Screen:
    """Fed with what a program writes. `scrollback` holds the lines that left at the top."""

    def __init__(self, rows, columns):
        self.rows = rows
        self.columns = columns
        self.scrollback = []
        self.title = ""
        self.bells = 0
        self.modes = set()  # private modes that are set, e.g. 2004 for bracketed paste
        self.replies = ""  # what the terminal would answer to queries; the reader takes it
        self.row = self.column = 0
        self._wrap_due = False
        self._saved = (0, 0)
        self._other = None  # the main screen while the alternate one shows
        self._pending = ""
        self._region = (0, rows)
        self._cells = self._blank()

    def _blank(self):
        return [self._blank_line() for _ in range(self.rows)]

    def _blank_line(self):
        return [" "] * self.columns

    def resize(self, rows, columns):
        """Cuts or pads; lines that no longer fit leave at the top."""
        lines = [(line + [" "] * columns)[:columns] for line in self._cells]
        surplus = max(0, self.row + 1 - rows)
        self.scrollback += ["".join(line).rstrip() for line in lines[:surplus]]
        lines = lines[surplus:surplus + rows]
        self.rows, self.columns = rows, columns
        self._cells = lines + [self._blank_line() for _ in range(rows - len(lines))]
        self.row = min(self.row - surplus, rows - 1)
        self.column = min(self.column, columns - 1)
        self._region = (0, rows)
        self._wrap_due = False

    def lines(self):
        return ["".join(line).rstrip() for line in self._cells]

    def text(self):
        """What the screen shows, without blanks at the ends of lines and of the whole."""
        return "\n".join(self.lines()).rstrip()

    def everything(self):
        return "\n".join([*self.scrollback, *self.lines()]).rstrip()

    def feed(self, text):
        text = self._pending + text
        self._pending = ""
        position = 0
        while position < len(text):
            char = text[position]
            if char == "\x1b":
                sequence = SEQUENCE.match(text, position)
                if sequence:
                    self._sequence(sequence)
                    position = sequence.end()
                    continue
                if UNFINISHED.match(text, position):
                    self._pending = text[position:]
                    return
            elif char < " " or char == "\x7f":
                self._control(char)
            else:
                self._put(char)
            position += 1

    def _control(self, char):
        self._wrap_due = False
        if char == "\r":
            self.column = 0
        elif char in "\n\x0b\x0c":
            self._line_feed()
        elif char == "\b":
            self.column = max(0, self.column - 1)
        elif char == "\t":
            self.column = min(self.columns - 1, (self.column // 8 + 1) * 8)
        elif char == "\x07":
            self.bells += 1

    def _line_feed(self):
        top, bottom = self._region
        if self.row == bottom - 1:
            self._scroll_up(top, bottom, 1)
        else:
            self.row = min(self.rows - 1, self.row + 1)

    def _scroll_up(self, top, bottom, count):
        for _ in range(min(count, bottom - top)):
            line = self._cells.pop(top)
            if top == 0 and self._other is None:
                self.scrollback.append("".join(line).rstrip())
            self._cells.insert(bottom - 1, self._blank_line())

    def _scroll_down(self, top, bottom, count):
        for _ in range(min(count, bottom - top)):
            self._cells.pop(bottom - 1)
            self._cells.insert(top, self._blank_line())

    def _put(self, char):
        cells = width(char)
        if cells == 0:
            before = self.column if self._wrap_due else self.column - 1
            if before >= 0:
                self._cells[self.row][before] += char
            return
        if self._wrap_due or self.column + cells > self.columns:
            self.column = 0
            self._line_feed()
            self._wrap_due = False
        line = self._cells[self.row]
        line[self.column] = char
        if cells == 2:
            line[self.column + 1] = WIDE_TAIL
        self.column += cells
        if self.column >= self.columns:
            self.column = self.columns - 1
            self._wrap_due = True

    def _sequence(self, match):
        if match["final"]:
            numbers = [int(part) if part.isdigit() else 0
                       for part in re.split("[;:]", match["numbers"])]
            if match["private"]:
                self._private(match["private"], match["final"], numbers)
            elif not match["between"]:
                self._control_sequence(match["final"], numbers)
        elif match["system"] is not None:
            kind, _, value = match["system"].partition(";")
            if kind in ("0", "2"):
                self.title = value
        elif match["single"]:
            self._single(match["single"])

    def _single(self, final):
        if final == "7":
            self._saved = (self.row, self.column)
        elif final == "8":
            self.row, self.column = self._saved
        elif final == "M":
            if self.row == self._region[0]:
                self._scroll_down(*self._region, 1)
            else:
                self.row = max(0, self.row - 1)
        elif final in "DE":
            self.column = 0 if final == "E" else self.column
            self._line_feed()
        elif final == "c":
            self._cells = self._blank()
            self.row = self.column = 0
        self._wrap_due = False

    def _private(self, private, final, numbers):
        if private != "?" or final not in "hl":
            return
        for mode in numbers:
            if mode in (47, 1047, 1049) and (final == "h") == (self._other is None):
                if final == "h":
                    self._other = (self._cells, self.row, self.column)
                    self._cells = self._blank()
                else:
                    self._cells, self.row, self.column = self._other
                    self._other = None
            (self.modes.add if final == "h" else self.modes.discard)(mode)

    def _control_sequence(self, final, numbers):
        count = max(1, numbers[0])
        line = self._cells[self.row]
        top, bottom = self._region
        self._wrap_due = False
        if final == "A":
            self.row = max(0, self.row - count)
        elif final in "Be":
            self.row = min(self.rows - 1, self.row + count)
        elif final in "Ca":
            self.column = min(self.columns - 1, self.column + count)
        elif final == "D":
            self.column = max(0, self.column - count)
        elif final in "EF":
            step = count if final == "E" else -count
            self.row = min(self.rows - 1, max(0, self.row + step))
            self.column = 0
        elif final in "G`":
            self.column = min(self.columns, count) - 1
        elif final == "d":
            self.row = min(self.rows, count) - 1
        elif final in "Hf":
            self.row = min(self.rows, count) - 1
            column = numbers[1] if len(numbers) > 1 else 1
            self.column = min(self.columns, max(1, column)) - 1
        elif final == "J":
            self._erase_screen(numbers[0])
        elif final == "K":
            start = self.column if numbers[0] == 0 else 0
            end = self.column + 1 if numbers[0] == 1 else self.columns
            line[start:end] = [" "] * (end - start)
        elif final == "L":
            self._scroll_down(self.row, bottom, count)
        elif final == "M":
            kept, self.scrollback = self.scrollback, []
            self._scroll_up(self.row, bottom, count)
            self.scrollback = kept
        elif final == "S":
            self._scroll_up(top, bottom, count)
        elif final == "T":
            self._scroll_down(top, bottom, count)
        elif final == "@":
            line[self.column:self.column] = [" "] * count
            del line[self.columns:]
        elif final == "P":
            del line[self.column:self.column + count]
            line += [" "] * (self.columns - len(line))
        elif final == "X":
            end = min(self.columns, self.column + count)
            line[self.column:end] = [" "] * (end - self.column)
        elif final == "r":
            last = numbers[1] if len(numbers) > 1 and numbers[1] else self.rows
            self._region = (count - 1, min(last, self.rows))
            self.row = self.column = 0
        elif final == "s":
            self._saved = (self.row, self.column)
        elif final == "u":
            self.row, self.column = self._saved
        elif final == "n" and numbers[0] == 6:
            self.replies += f"\x1b[{self.row + 1};{self.column + 1}R"
        elif final == "c":
            self.replies += "\x1b[?62c"

    def _erase_screen(self, part):
        if part == 3:
            self.scrollback.clear()
            return
        line = self._cells[self.row]
        if part == 0:
            line[self.column:] = [" "] * (self.columns - self.column)
            rows = range(self.row + 1, self.rows)
        elif part == 1:
            line[:self.column + 1] = [" "] * (self.column + 1)
            rows = range(self.row)
        else:
            rows = range(self.rows)
        for row in rows:
            self._cells[row] = self._blank_line()
