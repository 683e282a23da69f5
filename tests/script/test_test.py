"""script/test and .ci/run count what ran and show what failed."""

import json
import unittest

from checkout import Checkout

LISTS = """
cmake_minimum_required(VERSION 3.25)
project(small LANGUAGES NONE)
enable_testing()
add_custom_target(good_test {good})
add_custom_target(bad_test)
add_custom_target(dead_test)
foreach(name ${{TESTS}})
  add_test(NAME ${{name}} COMMAND ${{CMAKE_SOURCE_DIR}}/${{name}}_test)
endforeach()
"""
PRESETS = {
    "version": 6,
    "configurePresets": [
        {"name": name, "generator": "Ninja", "binaryDir": "${sourceDir}/build/" + name,
         "cacheVariables": {"TESTS": "good;bad;dead"}} for name in ("dev", "release")]}
# What a gtest program does, as far as script/test can see: GTEST_OUTPUT is json:FOLDER/.
REPORT = """
cat >"${{GTEST_OUTPUT#json:}}{name}_test.json" <<'END'
{report}
END
"""


def report(*results):
    cases = [{"status": "RUN", "result": "SKIPPED" if result == "skip" else "COMPLETED",
              **({"failures": [{}]} if result == "bad" else {})} for result in results]
    return json.dumps({"failures": results.count("bad"), "errors": 0,
                       "testsuites": [{"testsuite": cases}]})


class Test(Checkout):
    def setUp(self):
        super().setUp()
        self.program("script/bootstrap", "exit 0\n")
        # A project without a language has no headers to verify.
        build = self.root / "script/lib/build-preset"
        build.rename(build.with_name("build-small"))
        self.program("script/lib/build-preset",
                     '[[ $2 == all_verify_interface_header_sets ]] ||\n'
                     '  exec "${0%/*}/build-small" "$@"\n')
        self.program("script/style", "echo '4 passed, 0 failed'\n")
        self.program("tests/script/run", "echo '2 passed, 0 failed'\n")
        self.program("tests/e2e/run", "echo '3 passed, 0 failed'\n")
        self.lists()
        self.write("CMakePresets.json", json.dumps(PRESETS))
        for name in ("good", "bad", "dead"):
            self.gtest(name, "ok")

    def lists(self, good=""):
        self.write("CMakeLists.txt", LISTS.format(good=good))

    def gtest(self, name, *results, body=""):
        self.program(f"{name}_test", body + REPORT.format(name=name, report=report(*results)) +
                     ("exit 1\n" if "bad" in results else ""))

    def run_test(self, *arguments, script="script/test"):
        run = self.run_script(self.root / script, *arguments)
        lines = run.stdout.splitlines()
        return run.returncode, lines[-1], "\n".join(lines[:-1]), run.stderr

    def test_counts_cases_and_checks(self):
        self.gtest("good", "ok", "ok", "skip")
        code, last, shown, errors = self.run_test()
        self.assertEqual((code, last, errors), (0, "14 passed, 0 failed", ""))
        for suite in ("style", "good", "bad", "dead", "headers", "scripts", "e2e"):
            self.assertRegex(shown, rf"(?m)^{suite} +\d+ passed  [\d.]+ s$")

    def test_shows_what_failed(self):
        self.gtest("bad", "ok", "bad", body="echo bad_test.cc:7: Failure\n")
        self.program("dead_test", "echo last words\nkill -SEGV $$\n")
        code, last, shown, _ = self.run_test(script=".ci/run")
        self.assertEqual((code, last), (1, "12 passed, 2 failed"))
        self.assertRegex(shown, r"(?m)^bad +1 passed, 1 FAILED")
        self.assertIn("  bad_test.cc:7: Failure", shown)
        self.assertRegex(shown, r"(?m)^dead +0 passed, 1 FAILED")
        self.assertIn("last words", shown)
        self.assertNotIn("good_test", shown)

    def test_a_suite_that_dies_without_a_count_failed(self):
        self.program("tests/e2e/run", "echo Traceback\nexit 1\n")
        self.program("script/style", "echo '3 passed, 2 failed'\nexit 1\n")
        code, last, shown, _ = self.run_test("style", "e2e")
        self.assertEqual((code, last), (1, "3 passed, 3 failed"))
        self.assertIn("  Traceback", shown)

    def test_a_failing_build_is_shown_and_fails(self):
        self.lists(good="ALL COMMAND echo 'a.cc:1: error: no' && false")
        code, last, _, errors = self.run_test("good", "headers")
        self.assertEqual((code, last), (1, "1 passed, 1 failed"))
        self.assertIn("a.cc:1: error: no", errors)
        code, last, shown, _ = self.run_test()
        self.assertEqual(code, 1)
        for preset in ("dev", "release"):
            self.assertRegex(shown, rf"(?m)^build {preset} +0 passed, 1 FAILED")

    def test_runs_the_suites_named(self):
        code, last, shown, _ = self.run_test("good")
        self.assertEqual((code, last), (0, "1 passed, 0 failed"))
        self.assertRegex(shown, r"^good [^\n]*$")

    def test_a_name_that_is_no_suite_fails(self):
        code, last, _, errors = self.run_test("nonsense")
        self.assertEqual((code, last), (1, "0 passed, 1 failed"))
        self.assertIn("nonsense", errors)

    def test_a_failing_bootstrap_fails(self):
        self.program("script/bootstrap", "exit 1\n")
        self.assertEqual(self.run_test(script=".ci/run")[:2], (1, "0 passed, 1 failed"))


if __name__ == "__main__":
    unittest.main()
