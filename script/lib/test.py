"""Runs the suites of script/test and script/sanitize; their contracts are written there."""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# ctest's own limit for a test that names none, in seconds; a hanging test is a failing one.
TIMEOUT = {False: "120", True: "1800"}
COUNT = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
CTEST_LINE = re.compile(r"\s*\d+/\d+ Test\s+#\d+: (\S+) \.+\**\s*(\S.*?)\s+([\d.]+) sec\s*$")


class Tally:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def add(self, suite, passed, failed, seconds, output=""):
        """Prints the line of a suite, with its output if something failed."""
        self.passed += passed
        self.failed += failed
        line = f"{suite:<12} {passed:>5} passed"
        line += f", {failed} FAILED" if failed else ""
        print(f"{line}  {seconds:.1f} s", flush=True)
        if failed and output.strip():
            print("\n".join("  " + text for text in output.strip().splitlines()), flush=True)


def build(preset, *targets):
    """True where the build succeeds; the compiler's output goes to standard error."""
    return subprocess.run(["script/lib/build-preset", preset, *targets]).returncode == 0


def gtest_counts(folder, program):
    """(passed, failed) of the program's cases, or None where it left no report."""
    passed = failed = 0
    reports = list(folder.glob(f"{program}.json")) + list(folder.glob(f"{program}_[0-9]*.json"))
    for report in reports:
        try:
            result = json.loads(report.read_text())
        except (OSError, ValueError):
            return None
        report.unlink()
        bad = result["failures"] + result.get("errors", 0)
        failed += bad
        for suite in result["testsuites"]:
            for case in suite["testsuite"]:
                ran = case["status"] == "RUN" and case["result"] == "COMPLETED"
                passed += ran and "failures" not in case
    return (passed, failed) if reports else None


def ctest_programs(tree):
    listing = subprocess.run(["ctest", "--test-dir", str(tree), "--show-only=json-v1"],
                             capture_output=True, text=True, check=True)
    tests = json.loads(listing.stdout)["tests"]
    return {test["name"]: Path(test["command"][0]).name for test in tests if test.get("command")}


def unit_tests(tally, preset, names, long):
    """Runs ctest and reports each of its tests as it ends, case by case where gtest counts."""
    tree = ROOT / "build" / preset
    programs = ctest_programs(tree)
    reports = tree / "test-results"
    reports.mkdir(exist_ok=True)
    for stale in reports.iterdir():
        stale.unlink()
    command = ["ctest", "--test-dir", str(tree), "--output-on-failure", "--timeout", TIMEOUT[long],
               "-j", str(os.cpu_count() or 1)]
    if not long:
        command += ["-LE", "long"]
    if names:
        command += ["-R", "^(" + "|".join(map(re.escape, names)) + ")$"]
    environment = dict(os.environ, GTEST_OUTPUT=f"json:{reports}/")
    ctest = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             stdin=subprocess.DEVNULL, text=True, errors="replace",
                             env=environment)
    suite = None
    output = []

    def report():
        if suite is None:
            return
        name, status, seconds = suite
        counts = gtest_counts(reports, programs.get(name, name))
        failed = not status.startswith("Passed")
        if counts is None:
            counts = (0, 1) if failed else (1, 0)
        elif failed and counts[1] == 0:
            counts = (counts[0], 1)
        text = "\n".join(output)
        if failed and status.rstrip(".").removeprefix("***") != "Failed":
            text = f"{status.removeprefix('***')}\n{text}"
        tally.add(name, *counts, float(seconds), text)

    # With --output-on-failure what a test printed follows its line.
    for line in ctest.stdout:
        ended = CTEST_LINE.match(line)
        if ended:
            report()
            suite, output = ended.groups(), []
        elif re.match(r"\s*Start\s+\d+: |\d+% tests passed", line):
            report()
            suite = None
        elif suite is not None:
            output.append(line.rstrip())
    ctest.wait()
    report()


def counted(tally, suite, command, environment=None):
    """Runs a command that ends with a line "N passed, N failed"."""
    start = time.monotonic()
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         stdin=subprocess.DEVNULL, text=True, errors="replace", env=environment)
    counts = COUNT.findall(run.stdout)
    passed, failed = map(int, counts[-1]) if counts else (0, 0)
    if run.returncode != 0 and failed == 0:
        failed = 1
    tally.add(suite, passed, failed, time.monotonic() - start, COUNT.sub("", run.stdout))


def main():
    parser = argparse.ArgumentParser(prog="script/test")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--preset", default="dev", help="for the unit tests; others run only these")
    parser.add_argument("suites", nargs="*", metavar="SUITE")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    if arguments.long:
        os.environ["ASSENT_LONG_TESTS"] = "1"

    other = ("style", "headers", "scripts", "e2e") if arguments.preset == "dev" else ()
    wanted = arguments.suites or list(other)
    modules = [name for name in arguments.suites if name not in other]
    tally = Tally()

    if "style" in wanted:
        counted(tally, "style", ["script/style"])
    if modules or not arguments.suites:
        if not build(arguments.preset, *[f"{name}_test" for name in modules]):
            tally.add(f"build {arguments.preset}", 0, 1, 0)
        else:
            unit_tests(tally, arguments.preset, modules, arguments.long)
    if "headers" in wanted:
        start = time.monotonic()
        good = build("dev", "all_verify_interface_header_sets")
        tally.add("headers", int(good), int(not good), time.monotonic() - start)
    if "scripts" in wanted:
        counted(tally, "scripts", ["tests/script/run"])
    if "e2e" in wanted:
        if not build("release"):
            tally.add("build release", 0, 1, 0)
        else:
            counted(tally, "e2e", ["tests/e2e/run"])

    print(f"{tally.passed} passed, {tally.failed} failed", flush=True)
    sys.exit(1 if tally.failed or not tally.passed else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
