"""Runs the test_*.py of one folder with unittest and reports them in the words of script/test.

A failing test gets a line and its traceback; the last line is "N passed, N failed". A test that
takes longer than its limit fails. Each test starts with a HOME of its own, in a scratch folder
that goes when the test ends.
"""

import argparse
import os
import signal
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TIME_LIMIT = 120  # seconds a test may take
LONG_TIME_LIMIT = 1800  # the same where ASSENT_LONG_TESTS is set
SCRATCH_VARIABLES = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME",
                     "XDG_CACHE_HOME", "XDG_RUNTIME_DIR")


class Overdue(Exception):
    """A test exceeded its time limit."""


def raise_overdue(_signal, _frame):
    raise Overdue("the test exceeded its time limit")


class Report(unittest.TestResult):
    def __init__(self, verbose):
        super().__init__()
        self.verbose = verbose
        self.passed = 0
        self.failed = 0
        self.limit = LONG_TIME_LIMIT if os.environ.get("ASSENT_LONG_TESTS") else TIME_LIMIT
        self._home = None
        self._bad = False
        self._environment = {}

    def startTest(self, test):
        super().startTest(test)
        self._bad = False
        self._environment = dict(os.environ)
        self._home = tempfile.TemporaryDirectory(prefix="assent-test-home-",
                                                 ignore_cleanup_errors=True)
        for name in SCRATCH_VARIABLES:
            os.environ.pop(name, None)
        os.environ["HOME"] = self._home.name
        signal.alarm(self.limit)

    def stopTest(self, test):
        signal.alarm(0)
        self._home.cleanup()
        os.environ.clear()
        os.environ.update(self._environment)
        if self._bad:
            self.failed += 1
        super().stopTest(test)

    def _note(self, test, error):
        if not self._bad:
            print(f"FAILED {test.id()}")
        self._bad = True
        text = self._exc_info_to_string(error, test)
        print("\n".join("  " + line for line in text.strip().splitlines()), flush=True)

    def _good(self, test, word="ok"):
        self.passed += 1
        if self.verbose:
            print(f"{word} {test.id()}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._good(test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._note(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self._note(test, err)
        if not isinstance(test, unittest.TestCase):  # setUpClass or a module: no startTest
            self.failed += 1
            self._bad = False

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._note(subtest, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"skipped {test.id()}: {reason}", flush=True)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._bad = True
        print(f"FAILED {test.id()}: an expected failure passed", flush=True)

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._good(test, "expected failure")


def main(folder):
    """Runs the tests of `folder`; returns the exit code."""
    # A shell starts background jobs with SIGINT ignored; the tests must not inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=f"Runs the tests of {folder}.")
    parser.add_argument("-v", "--verbose", action="store_true", help="name each test")
    parser.add_argument("names", nargs="*", help="parts of names of tests to run; default: all")
    arguments = parser.parse_args()

    os.environ.setdefault("ASSENT", str(ROOT / "build" / "release" / "assent"))
    sys.dont_write_bytecode = True
    sys.path[:0] = [str(folder), str(ROOT / "tests")]
    loader = unittest.TestLoader()
    if arguments.names:
        loader.testNamePatterns = [f"*{name}*" for name in arguments.names]
    suite = loader.discover(str(folder), pattern="test_*.py", top_level_dir=str(folder))
    signal.signal(signal.SIGALRM, raise_overdue)
    report = Report(arguments.verbose)
    suite.run(report)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0
