"""script/style finds what it must find."""

import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Style(unittest.TestCase):
    def test_rules_find_what_they_must(self):
        run = subprocess.run([ROOT / "script/style", "--self-test"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertRegex(run.stdout, r"^\d\d+ passed, 0 failed\n$")


if __name__ == "__main__":
    unittest.main()
