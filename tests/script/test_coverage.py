"""script/coverage-of-requirements reads the covers lines of the tests."""

import subprocess
import unittest

from checkout import ROOT, Checkout


class Coverage(Checkout):
    def setUp(self):
        super().setUp()
        self.write("docs/requirements.txt", "A-001\nA-002\nA-003\nA-004\nB-001\n")

    def coverage(self, *arguments):
        return self.run_script(self.root / "script/coverage-of-requirements", *arguments)

    def test_names_tests_and_what_is_missing(self):
        self.write("src/x/x_test.cc", "// covers: P-010, A-002, K-01\n// Why.\n"
                   "TEST_F(X,\n       Works) {\n")
        self.write("tests/e2e/test_x.py", "    # covers: A-002, B-001\n    @slow\n"
                   "    def test_it(self):\n")
        run = self.coverage()
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout, "named by no test:\n  A-001 A-003…A-004\n"
                                     "2 of 5 requirements are named by a test\n")
        run = self.coverage("--all")
        self.assertIn("A-002\n  src/x/x_test.cc: X.Works\n  tests/e2e/test_x.py: test_it\nA-003",
                      run.stdout)
        self.assertEqual(self.coverage("--require").returncode, 1)

    def test_requires_all(self):
        self.write("src/x/x_test.cc", "// covers: A-001, A-002, A-003, A-004, B-001\n"
                   "TEST(X, Y) {\n")
        run = self.coverage("--require")
        self.assertEqual((run.returncode, run.stdout),
                         (0, "5 of 5 requirements are named by a test\n"))

    def test_refuses_lines_that_cover_nothing(self):
        for line, message in (
                ("// covers: A-009\nTEST(X, Y) {", "no such requirement: A-009"),
                ("// covers: A-001 A-002\nTEST(X, Y) {", "not a list of numbers"),
                ("// covers: A-001…A-003\nTEST(X, Y) {", "not a list of numbers"),
                ("// covers:\nTEST(X, Y) {", "not a list of numbers"),
                ("// covers: A-001\nvoid f() {", "stands above no test"),
                ("// covers: A-001\n\nTEST(X, Y) {", "stands above no test")):
            with self.subTest(line=line):
                self.write("src/x/x_test.cc", line + "\n")
                run = self.coverage()
                self.assertEqual(run.returncode, 2)
                self.assertIn("src/x/x_test.cc:1: " + message, run.stderr)

    def test_the_lines_of_this_project_hold(self):
        run = subprocess.run([ROOT / "script/coverage-of-requirements"], text=True,
                             capture_output=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
