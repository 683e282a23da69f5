"""Finds the places of C++ source where script/mutate can negate or remove one condition.

A place is found by tokens, not by a parser: one that is none does not compile, and script/mutate
passes over it.
"""

import re
from dataclasses import dataclass

import style_rules

OPEN = {"(": ")", "[": "]", "{": "}"}
CLOSED = {end: start for start, end in OPEN.items()}
# What ends the operand of an operator, from the tightest to the loosest binding.
STOPS_AND = re.compile(r"&&|\|\||[?:;,{}]|(?<![=!<>+\-*/%&|^])=(?!=)|\breturn\b|\bco_return\b")
STOPS_OR = re.compile(r"\|\||[?:;,{}]|(?<![=!<>+\-*/%&|^])=(?!=)|\breturn\b|\bco_return\b")
CONDITION = re.compile(r"\b(if|while)\s*\(")
OPERATOR = re.compile(r"(?<=\s)(&&|\|\|)(?=\s)")
TERNARY = re.compile(r"(?<=\s)\?(?=\s)")
RETURN = re.compile(r"\breturn\s+([^;]+);")
LEAVES = re.compile(r"(?<=\))\s+((?:return\b[^;{}]*|continue|break)\s*;)")
UNCHECKED = re.compile(r"(?m)^(\s*)TRY(?=\(.*\);$)")
DECLARES = re.compile(r"^\s*(?:const\s+)?[\w:<>,*& ]+\s[*&]*\w+\s*=[^=]")
IS_BOOLEAN = re.compile(r"&&|\|\||==|!=|<=|>=|\s[<>]\s|^\s*!|^\s*(?:true|false)\s*$")


@dataclass(frozen=True)
class Mutation:
    """Text from `start` to `end` of `path` replaced by `text`."""

    path: str
    line: int
    start: int
    end: int
    text: str
    before: str  # of the lines around, blanks drawn together
    after: str
    kind: str

    def apply(self, source):
        return source[:self.start] + self.text + source[self.end:]

    @property
    def shown(self):
        return f"{self.before} => {self.after}"


def matching(code, start):
    """The position of the bracket that closes the one at `start`; None where there is none."""
    depth = 0
    for at in range(start, len(code)):
        if code[at] in OPEN:
            depth += 1
        elif code[at] in CLOSED:
            depth -= 1
            if depth == 0:
                return at
    return None


def stops_before(code, at, stops):
    """Whether one of `stops` ends at `at`; a name's `::` is none."""
    if code[at - 2:at] == "::" or code[at - 1:at + 1] == "::":
        return False
    for length in (1, 2, len("return"), len("co_return")):
        match = stops.match(code, at - length) if length <= at else None
        if match and match.end() == at:
            return True
    return False


def extent_left(code, at, stops):
    """Where the operand that ends before `at` starts."""
    depth = 0
    start = at
    while start > 0:
        char = code[start - 1]
        if char in CLOSED:
            # A block in front belongs to another statement.
            if char == "}" and depth == 0:
                break
            depth += 1
        elif char in OPEN:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and stops_before(code, start, stops):
            break
        start -= 1
    return start


def extent_right(code, at, stops):
    """Where the operand that starts behind `at` ends."""
    depth = 0
    end = at
    while end < len(code):
        char = code[end]
        if char in OPEN:
            depth += 1
        elif char in CLOSED:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and stops.match(code, end):
            if code[end:end + 2] == "::":
                end += 2
                continue
            break
        end += 1
    return end


class Finder:
    def __init__(self, path, source):
        self.path = path
        self.source = source
        self.code = style_rules.blanked(source, "raw", "string", "char", "comment")
        self.found = []

    def trimmed(self, start, end):
        while start < end and self.source[start].isspace():
            start += 1
        while start < end and self.source[end - 1].isspace():
            end -= 1
        return start, end

    def add(self, start, end, text, kind):
        first = self.source.rfind("\n", 0, start) + 1
        last = self.source.find("\n", end)
        last = len(self.source) if last < 0 else last
        joined = lambda lines: " ".join(lines.split())  # noqa: E731
        before = joined(self.source[first:last])
        after = joined(self.source[first:start] + text + self.source[end:last])
        if before != after:
            self.found.append(Mutation(self.path, self.source.count("\n", 0, start) + 1, start, end,
                                       text, before, after, kind))

    def negate(self, start, end, kind):
        start, end = self.trimmed(start, end)
        self.add(start, end, f"!({self.source[start:end]})", kind)

    def conditions(self):
        for match in CONDITION.finditer(self.code):
            if re.search(r"#\s*$", self.code[:match.start()]):
                continue
            close = matching(self.code, match.end() - 1)
            if close is None:
                continue
            start = match.end()
            inner = self.code[start:close]
            if ";" in inner:
                start += inner.rfind(";") + 1
            elif DECLARES.match(inner):
                continue
            self.negate(start, close, match[1])

    def operators(self):
        for match in OPERATOR.finditer(self.code):
            stops = STOPS_AND if match[1] == "&&" else STOPS_OR
            left, left_end = self.trimmed(extent_left(self.code, match.start(), stops),
                                          match.start())
            right, right_end = self.trimmed(match.end(),
                                            extent_right(self.code, match.end(), stops))
            self.add(left, right, "", f"operand left of {match[1]}")
            self.add(left_end, right_end, "", f"operand right of {match[1]}")

    def ternaries(self):
        stops = re.compile(r"[?:;,{}]|(?<![=!<>+\-*/%&|^])=(?!=)|\breturn\b|<<")
        for match in TERNARY.finditer(self.code):
            self.negate(extent_left(self.code, match.start(), stops), match.start(), "ternary")

    def returns(self):
        for match in RETURN.finditer(self.code):
            if IS_BOOLEAN.search(match[1]) and "[" not in match[1] and "?" not in match[1]:
                self.negate(match.start(1), match.end(1), "returned condition")

    def early_returns(self):
        for match in LEAVES.finditer(self.code):
            close = match.start()
            start = self.opening(close - 1)
            if start is not None and re.search(r"\bif(?:\s+constexpr)?\s*$", self.code[:start]):
                # The value is named, so that nothing is unused.
                self.add(match.start(1), match.end(1), "{}", "early return")
        for match in UNCHECKED.finditer(self.code):
            self.add(match.end(1), match.end(), "(void)", "checked result")

    def opening(self, close):
        depth = 0
        for at in range(close, -1, -1):
            if self.code[at] in CLOSED:
                depth += 1
            elif self.code[at] in OPEN:
                depth -= 1
                if depth == 0:
                    return at
        return None


def find(path, source):
    """All mutations of a file, in its order, each change once."""
    finder = Finder(path, source)
    finder.conditions()
    finder.operators()
    finder.ternaries()
    finder.returns()
    finder.early_returns()
    unique = {}
    for mutation in sorted(finder.found, key=lambda one: (one.start, one.end, one.text)):
        unique.setdefault(mutation.apply(source), mutation)
    return list(unique.values())
