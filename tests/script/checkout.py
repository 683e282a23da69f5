"""A small checkout with this project's scripts, for tests of the scripts."""

import os
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Checkout(unittest.TestCase):
    """Each test has a folder of its own, `self.root`, with copies of script/ and .ci/."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="assent-scripts-")
        self.addCleanup(scratch.cleanup)
        self.root = Path(scratch.name) / "a checkout"
        for folder in ("script", ".ci"):
            shutil.copytree(ROOT / folder, self.root / folder,
                            ignore=shutil.ignore_patterns("__pycache__"))

    def write(self, path, text, executable=False):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if executable:
            path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        return path

    def program(self, path, body):
        return self.write(path, "#!/bin/bash\n" + body, executable=True)

    def run_script(self, *command, cwd=None, **environment):
        kept = {name: value for name, value in os.environ.items()
                if not name.endswith(("_API_KEY", "_BASE_URL"))}
        return subprocess.run(list(map(str, command)), cwd=cwd or self.root, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=100,
                              env={**kept, **environment})
