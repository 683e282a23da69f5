"""script/lint and script/fuzz report what their tools found."""

import os
import subprocess
import unittest

from checkout import Checkout

TIDY = """
for file; do :; done
echo "$PWD/build/lint/include/shell/shell/tree.h:3:1: error: bad header [check]"
echo "    3 | int X;"
echo "12 warnings generated." >&2
[[ $file == *good.cc ]]
"""


class Tools(Checkout):
    def setUp(self):
        super().setUp()
        self.program("script/bootstrap", "exit 0\n")
        self.program("script/lib/build-preset", "exit 0\n")


class Lint(Tools):
    def setUp(self):
        super().setUp()
        self.program("script/style", "exit 0\n")
        self.program("bin/clang-format", "exit 0\n")
        self.program("bin/clang-tidy-19", TIDY)
        for name in ("good", "bad", "worse"):
            self.write(f"src/shell/{name}.cc", "")

    def lint(self, *arguments):
        return self.run_script(self.root / "script/lint", *arguments,
                               PATH=f"{self.root}/bin:{os.environ['PATH']}")

    def test_each_finding_is_shown_once_under_the_name_in_src(self):
        run = self.lint("src/shell/bad.cc", "src/shell/worse.cc")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stdout, "style: good\nformat: good\n"
                         "src/shell/tree.h:3:1: error: bad header [check]\n    3 | int X;\n"
                         "tidy (2 files): FAILED\n")

    def test_good_files_pass(self):
        self.program("bin/clang-tidy-19", "exit 0\n")
        run = self.lint("--all")
        self.assertEqual((run.returncode, run.stdout),
                         (0, "style: good\nformat: good\ntidy (3 files): good\n"))

    def test_names_the_files_to_format(self):
        self.program("bin/clang-format", "echo 'src/shell/bad.cc:1:1: warning: code should be "
                     "clang-formatted [-Wclang-format-violations]' >&2\n")
        run = self.lint("src/shell/good.cc")
        self.assertEqual(run.returncode, 1)
        self.assertIn("run clang-format -i on: src/shell/bad.cc\nformat: FAILED\n", run.stdout)

    def test_looks_at_what_differs_from_main(self):
        def git(*arguments):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org",
                            *arguments], cwd=self.root, check=True, capture_output=True)
        git("init", "-b", "main")
        git("add", "-A")
        git("commit", "-m", "all")
        self.assertIn("tidy: no file differs from main\n", self.lint().stdout)
        self.write("src/shell/good.cc", "int x;\n")
        self.assertIn("tidy (1 files): good\n", self.lint().stdout)
        self.write("src/shell/new.cc", "")
        self.assertIn("tidy (2 files): FAILED\n", self.lint().stdout)


class Fuzz(Tools):
    def setUp(self):
        super().setUp()
        self.write("fuzz/good_fuzz.cc", "")
        self.write("fuzz/corpus/good_fuzz/seed", "")
        self.program("build/fuzz/fuzz/good_fuzz", 'echo "$@" >arguments\n'
                     "echo 'stat::number_of_executed_units: 12' >&2\n")

    def test_runs_every_fuzzer_over_seeds_and_finds(self):
        run = self.run_script(self.root / "script/fuzz", "3")
        self.assertEqual((run.returncode, run.stdout),
                         (0, "good_fuzz: 12 inputs, none failed\n1 passed, 0 failed\n"))
        words = (self.root / "arguments").read_text().split()
        self.assertIn("-max_total_time=3", words)
        self.assertEqual(words[-2:], ["build/fuzz/corpus/good_fuzz", "fuzz/corpus/good_fuzz"])

    def test_shows_a_failing_input_and_how_to_run_it_again(self):
        self.write("fuzz/bad_fuzz.cc", "")
        self.program("build/fuzz/fuzz/bad_fuzz", "echo '==1==ERROR: heap-buffer-overflow' >&2\n"
                     "echo 'artifact_prefix=x; Test unit written to x-crash' >&2\nexit 77\n")
        run = self.run_script(self.root / "script/fuzz", "3")
        self.assertEqual(run.returncode, 1)
        self.assertIn("heap-buffer-overflow", run.stderr)
        self.assertEqual(run.stdout, "bad_fuzz: FAILED\n"
                         "  again: build/fuzz/fuzz/bad_fuzz x-crash\n"
                         "good_fuzz: 12 inputs, none failed\n1 passed, 1 failed\n")

    def test_refuses_what_is_no_number(self):
        self.assertEqual(self.run_script(self.root / "script/fuzz", "1.5").returncode, 2)
        self.assertEqual(self.run_script(self.root / "script/fuzz", "--nonsense").returncode, 2)


if __name__ == "__main__":
    unittest.main()
