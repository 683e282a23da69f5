"""The rules of script/style. A rule is a generator of findings about one file or about the tree."""

import os
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

HEADER_LINES = 300
SOURCE_LINES = 500
FUNCTION_LINES = 70
PARAMETERS = 5
COLUMNS = 100

# Who may look at errno: the modules that make system calls themselves. Everybody else gets it in an
# Error, made where the call failed.
ERRNO_MODULES = {
    "base": "wraps descriptors, files and signals",
    "sandbox": "makes the raw calls between fork and exec",
    "net": "owns sockets",
    "store": "opens its own files, private from the first moment",
    "builtin": "its file worker opens paths itself, inside the sandbox",
    "terminal": "owns the terminal's descriptor and its modes",
    "web": "owns the listening socket",
}
# Functions whose signature the sources give.
GIVEN_SIGNATURES = {"on_tool_result": "A-075"}
# Who may write to the standard streams: the channel that owns them, and the commands.
STREAM_MODULES = {"terminal", "app"}

SKIPPED_FOLDERS = {".git", "node_modules", "__pycache__"}
# Test data is other people's text.
DATA_FOLDER = "tests/data/"
TEXT_SUFFIXES = {".h", ".cc", ".c", ".py", ".sh", ".md", ".cmake", ".txt", ".json", ".toml", ".js",
                 ".ts", ".css", ".html", ".yml", ".yaml", ""}


@dataclass(frozen=True)
class Finding:
    path: str
    line: int
    rule: str
    message: str
    warning: bool = False

    def __str__(self):
        kind = "warning: " if self.warning else ""
        return f"{self.path}:{self.line}: {kind}{self.message} [{self.rule}]"


TOKEN = re.compile(
    r'(?P<raw>R"(?P<mark>[^()\\\s]{0,16})\((?:.*?)\)(?P=mark)")'
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+')"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)", re.DOTALL)


def blanked(text, *kinds):
    """`text` with the tokens of these kinds replaced by blanks, so that positions stay."""
    def blank(match):
        if match.lastgroup == "mark" or match.group("raw"):
            kind = "raw"
        else:
            kind = match.lastgroup
        return re.sub(r"[^\n]", " ", match.group()) if kind in kinds else match.group()
    return TOKEN.sub(blank, text)


class File:
    def __init__(self, path, text):
        self.path = path
        self.text = text
        parts = path.split("/")
        self.name = parts[-1]
        self.suffix = Path(self.name).suffix
        self.module = parts[1] if parts[0] == "src" and len(parts) > 2 else None
        self.is_cxx = self.suffix in (".h", ".cc")
        self.is_header = self.suffix == ".h"
        self.is_test = self.name.endswith("_test.cc")
        self.is_fake = "testing" in parts[:-1]

    @cached_property
    def lines(self):
        return self.text.splitlines()

    @cached_property
    def code(self):
        """Without comments and literals."""
        return blanked(self.text, "raw", "string", "char", "comment")

    @cached_property
    def prose(self):
        """Without literals: code and comments."""
        return blanked(self.text, "raw", "string", "char")

    def line_at(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def found(self, rule, place, message, warning=False):
        """A finding at a line, or at the start of a match in a text with this file's positions."""
        line = place if isinstance(place, int) else self.line_at(place.start())
        return Finding(self.path, line, rule, message, warning)


class Tree:
    """The files of a checkout, or those given as {path: text}."""

    def __init__(self, root=None, files=None):
        self.root = root
        self.files = []
        if files is not None:
            self.files = [File(path, text) for path, text in sorted(files.items())]
        elif root is not None:
            self.files = [File(path, text) for path, text in sorted(self._read(root))]
        self._by_path = {file.path: file for file in self.files}

    @staticmethod
    def _read(root):
        for folder, folders, names in os.walk(root):
            relative = Path(folder).relative_to(root)
            folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS
                          and not (relative == Path(".") and name.startswith("build"))]
            for name in names:
                path = Path(folder) / name
                if path.suffix not in TEXT_SUFFIXES or path.is_symlink():
                    continue
                try:
                    yield str(relative / name), path.read_text(encoding="utf-8")
                except UnicodeDecodeError:
                    continue

    def get(self, path):
        return self._by_path.get(path)

    def exists(self, path):
        if self.root is not None:
            return (self.root / path).exists()
        return any(file.path == path or file.path.startswith(path + "/") for file in self.files)


# Rules about one file ----------------------------------------------------------------------------

def size(file):
    if file.is_cxx and not file.is_test:
        limit = HEADER_LINES if file.is_header else SOURCE_LINES
        if len(file.lines) > limit:
            yield file.found("size", limit + 1,
                             f"{len(file.lines)} lines, more than {limit}: split it by concept")


def columns(file):
    scripts = file.path.startswith(("script/", ".ci/", "bench/", "tests/"))
    if not (file.is_cxx or file.suffix in (".py", ".cmake") or (scripts and not file.suffix)):
        return
    shown = blanked(file.text, "raw") if file.is_cxx else file.text
    for number, line in enumerate(shown.splitlines(), 1):
        length = len(line.rstrip())
        if length > COLUMNS and "://" not in line:
            yield file.found("columns", number, f"{length} columns, more than {COLUMNS}")


def header_start(file):
    if not file.is_header:
        return
    lines = [line for line in file.lines if line.strip()]
    if not lines or lines[0].strip() != "#pragma once":
        yield file.found("pragma-once", 1, "a header starts with #pragma once")
    opening = [line for line in lines[1:3] if re.match(r"\s*//\s*\w.{15,}", line)]
    if file.module is not None and not opening:
        yield file.found("contract", 1,
                         "a header opens with a comment that says why it exists and what holds")


def namespace(file):
    if file.module is None or not file.is_cxx or file.name == "main.cc":
        return
    names = list(re.finditer(r"^namespace (assent\b[\w:]*)", file.code, re.MULTILINE))
    own = f"assent::{file.module}"
    inside = [n for n in names if n[1] == own or n[1].startswith(own + "::")]
    if not inside:
        yield file.found("namespace", 1, f"nothing here is in namespace {own}")
    for other in names:
        if other not in inside:
            yield file.found("namespace", other, f"{other[1]} is another module's namespace")


BANNED = (
    # rule, pattern, message, also in tests
    ("no-format", r"\bstd::v?format(?:_to\w*)?\s*\(", "g++ 12 has no std::format: use fmt", True),
    ("no-regex", r"\bstd::(?:basic_)?regex\w*", "std::regex recurses on its input: use RE2", True),
    ("no-coroutine", r"\bco_(?:await|yield|return)\b", "g++ 12 miscompiles coroutines", True),
    ("no-throw", r"(?<![\w:])throw\b", "our code throws nothing: return a base::Result", False),
    ("using-std", r"\busing\s+namespace\s+std\s*;", "name what is used", True),
)


def banned_constructs(file):
    if file.module is None or not file.is_cxx:
        return
    tests = file.is_test or file.is_fake
    for rule, pattern, message, also_in_tests in BANNED:
        if tests and not also_in_tests:
            continue
        for match in re.finditer(pattern, file.code):
            yield file.found(rule, match, message)
    if not tests and file.module not in ERRNO_MODULES:
        for match in re.finditer(r"\berrno\b", file.code):
            yield file.found("errno", match,
                             f"{file.module} does not look at errno: an Error carries it")
    if not tests and file.module not in STREAM_MODULES:
        for match in re.finditer(r"^\s*#\s*include\s*<iostream>", file.text, re.MULTILINE):
            yield file.found("iostream", match, "only the terminal and app own standard streams")


MARKERS = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|\bfor " r"now\b")


def unfinished(file):
    if file.path.startswith(DATA_FOLDER) or file.suffix == ".json":
        return
    text = file.prose if file.is_cxx else file.text
    for match in MARKERS.finditer(text):
        yield file.found("unfinished", match, f'"{match.group()}": finish it or leave it out')


VAGUE = r"(?:Manager|Helper|Util|Common)s?(?![a-z])"


def vague_names(file):
    if not file.is_cxx:
        return
    stem = "".join(word.capitalize() for word in re.split(r"[_.]", file.name))
    if re.search(VAGUE, stem):
        yield file.found("vague-name", 1, f"{file.name}: name the concept, a noun of the field")
    pattern = re.compile(
        r"\b(?:class|struct|union|enum(?:\s+class)?|concept|using)\s+(\w*" + VAGUE + r"\w*)"
        r"|\bnamespace\s+[\w:]*\b((?:manager|helper|util|common)s?)\b")
    for match in pattern.finditer(file.code):
        yield file.found("vague-name", match,
                         f"{match[1] or match[2]}: name the concept, a noun of the field")


def parameter_lists(code):
    """(match of the name with its bracket, [parameter…]) of what looks like a declaration."""
    declaration = re.compile(r"(?:^|[\s*&>~])(~?[A-Za-z_]\w*)\(", re.MULTILINE)
    for match in declaration.finditer(code):
        depth, start, parameters = 0, match.end(), []
        for position in range(match.end(), len(code)):
            char = code[position]
            if char in "(<[{":
                depth += 1
            elif char in ">]}" or (char == ")" and depth):
                depth -= code[position - 1:position + 1] not in ("->", ">=")
            elif char in ",)" and not depth:
                parameters.append(code[start:position].strip())
                start = position + 1
                if char == ")":
                    yield match, [p for p in parameters if p]
                    break
            elif char == ";":
                break


TYPED = re.compile(r"^(?:const\s+)?[A-Za-z_][\w:]*(?:<.*>)?(?:\s+const)?\s*[&*]*\s+[&*]*\w+"
                   r"(?:\s*=.*)?$", re.DOTALL)


def parameters(file):
    """In a header, where a list of typed names in brackets is a declaration."""
    if not file.is_header or file.module is None or file.is_fake:
        return
    for match, listed in parameter_lists(file.code):
        if not listed or not all(TYPED.match(parameter) for parameter in listed):
            continue
        if len(listed) > PARAMETERS:
            yield file.found("parameters", match,
                             f"{match[1]} takes {len(listed)} parameters, more than {PARAMETERS}: "
                             "pass an aggregate")
        bare = [p for p in listed if re.match(r"^(?:const\s+)?bool\s+\w+", p)]
        if bare and match[1] not in GIVEN_SIGNATURES:
            yield file.found("bare-bool", match,
                             f"{match[1]} takes a bare bool: an enum tells the reader of a call",
                             warning=len(listed) == 1)


def function_length(file):
    """Functions of a source, which clang-format starts and ends in the first column."""
    if file.module is None or file.suffix != ".cc" or file.is_test:
        return
    lines = file.code.splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and re.match(r"[A-Za-z_]", line):
            start = number
        if start is not None and (line.startswith("}") or line.rstrip().endswith(";")
                                  and number == start):
            opening = " ".join(lines[start - 1:number])
            is_function = re.match(r"[^={]*\)[^={;]*\{", opening) and not re.match(
                r"(?:namespace|class|struct|enum|union|extern)\b", opening)
            if is_function and number - start + 1 > FUNCTION_LINES:
                yield file.found("function-length", start,
                                 f"{number - start + 1} lines, more than {FUNCTION_LINES}")
            start = None
        if start is not None and re.match(r"namespace\b.*\{", line):
            start = None


TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|RC_GTEST_PROP|"
                  r"RC_GTEST_FIXTURE_PROP)\s*\(\s*(\w+),\s*(\w+)", re.MULTILINE)
ASSERTION = re.compile(r"\b(?:EXPECT_|ASSERT_|RC_ASSERT|RC_FAIL|FAIL\(|ADD_FAILURE)"
                       r"|\b(?:expect|assert|check|verify)_?\w*\s*\(", re.IGNORECASE)


def test_asserts(file):
    """A test can fail: it asserts, or calls something named expect_…, check_… that does."""
    if not file.is_test:
        return
    tests = list(TEST.finditer(file.code))
    for index, test in enumerate(tests):
        end = tests[index + 1].start() if index + 1 < len(tests) else len(file.code)
        close = file.code.find("\n}", test.end(), end)
        body = file.code[test.end():close if close >= 0 else end]
        if not ASSERTION.search(body):
            yield file.found("no-assertion", test, f"{test[1]}.{test[2]} cannot fail")


# The house names no place that serves packages; which one is used is the matter of a machine.
HOST = re.compile(r"(?<![\w.-])(?:registry|deb|apt|pypi|crates|mirrors?|packages)\."
                  r"(?:[a-z0-9-]+\.)*(?:org|com|net|io|dev|cn)(?![\w(.])")


def host_names(file):
    for match in HOST.finditer(file.text):
        yield file.found("host", match, f"{match.group()}: no host of a package registry")


LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(<?([^)>\s]+)>?(?:\s+\"[^\"]*\")?\)")
SCRIPT = re.compile(r"`((?:script|docs|bench|examples|\.ci)/[\w./-]+)")


def links(file, tree):
    """Relative links of the documents, and the scripts and documents that they name, exist."""
    top = "/" not in file.path
    if file.suffix != ".md" or not (top or file.path.startswith("docs/")):
        return
    prose = re.sub(r"^```.*?^```", lambda fence: re.sub(r"[^\n]", " ", fence.group()), file.text,
                   flags=re.MULTILINE | re.DOTALL)
    for match in LINK.finditer(prose):
        target = match[1].split("#")[0]
        if not target or re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        path = os.path.normpath(os.path.join(os.path.dirname(file.path), target))
        if not tree.exists(path):
            yield file.found("dead-link", match, f"{match[1]} does not exist")
    for match in SCRIPT.finditer(file.text):
        if not tree.exists(match[1].rstrip(".")):
            yield file.found("dead-link", match, f"{match[1]} does not exist")


FILE_RULES = (size, columns, header_start, namespace, banned_constructs, unfinished, vague_names,
              parameters, function_length, test_asserts, host_names)


# Rules about the tree ----------------------------------------------------------------------------

def modules_listed(tree):
    """Every folder of src/ is built."""
    lists = tree.get("src/CMakeLists.txt")
    listed = set(re.findall(r"^\s*assent_(?:module|program)\((\w+)", lists.text, re.MULTILINE)) \
        if lists else set()
    for module in sorted({file.module for file in tree.files if file.module and file.is_cxx}):
        if module not in listed:
            yield Finding("src/CMakeLists.txt", 1, "unlisted-module",
                          f"src/{module} is no assent_module here")


def check(tree):
    """Yields (subject, [finding…]) for each file and each rule about the tree."""
    for file in tree.files:
        findings = [finding for rule in FILE_RULES for finding in rule(file)]
        findings += links(file, tree)
        yield file.path, sorted(findings, key=lambda finding: finding.line)
    yield "modules", list(modules_listed(tree))
