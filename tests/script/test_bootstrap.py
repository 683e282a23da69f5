"""script/bootstrap installs what is missing, and says what to do where it cannot."""

import time
import unittest

from checkout import Checkout

# What the script itself needs of a system.
NEEDED = ("bash", "cat", "env", "grep", "id", "mktemp", "rm", "sed", "tail")
BOOKWORM = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_CODENAME=bookworm\n'


class Bootstrap(Checkout):
    def setUp(self):
        super().setUp()
        self.script = self.root / "script/bootstrap"
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for name in NEEDED:
            (self.bin / name).symlink_to(f"/usr/bin/{name}")
        self.write("os-release", BOOKWORM)
        # Every header and every other program is there; ninja and strace are not.
        text = self.script.read_text()
        text = text.replace("/etc/os-release", f'"{self.root}/os-release"')
        text = text.replace("/var/lib/apt/lists", f'"{self.root}"/lists')
        self.script.write_text(text)
        for name in ("g++", "cmake", "ccache", "pkg-config", "make", "python3", "git", "node",
                     "npm", "clang-format", "clang-tidy-19", "clang++-19"):
            self.program(f"bin/{name}", "exit 1\n")
        self.user("0")
        self.apt("echo apt-get \"$@\" >>calls\n")

    def user(self, number):
        (self.bin / "id").unlink()
        self.program("bin/id", f"echo {number}\n")

    def apt(self, body):
        self.program("bin/apt-get", body)

    def calls(self):
        path = self.root / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def bootstrap(self, *groups):
        return self.run_script(self.script, *groups, PATH=str(self.bin))

    def test_is_silent_and_instant_when_nothing_is_missing(self):
        self.program("bin/ninja", "exit 1\n")
        start = time.monotonic()
        run = self.bootstrap()
        self.assertLess(time.monotonic() - start, 2)
        self.assertEqual((run.returncode, run.stdout, run.stderr, self.calls()), (0, "", "", []))

    def test_installs_what_is_missing_after_reading_the_lists(self):
        run = self.bootstrap("test")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stderr, "installing 2 packages: ninja-build strace\n")
        update, install = self.calls()
        self.assertTrue(update.endswith(" update"), update)
        self.assertTrue(install.endswith(" install --no-install-recommends ninja-build strace"),
                        install)

    def test_does_not_read_lists_that_are_there(self):
        self.write("lists/mirror_Packages", "")
        self.assertEqual(self.bootstrap("test").returncode, 0)
        self.assertEqual(len(self.calls()), 1)

    def test_reads_the_lists_again_where_they_are_stale(self):
        self.write("lists/mirror_Packages", "")
        self.apt('echo apt-get "$@" >>calls\n[[ $* == *update ]] && exit 0\n'
                 '[[ $(grep -c . calls) -gt 1 ]]\n')
        self.assertEqual(self.bootstrap("test").returncode, 0)
        self.assertEqual([call.split()[-1] for call in self.calls()],
                         ["strace", "update", "strace"])

    def test_shows_why_apt_failed(self):
        self.apt("echo E: the mirror is gone >&2\nexit 100\n")
        run = self.bootstrap()
        self.assertEqual(run.returncode, 1)
        self.assertIn("| E: the mirror is gone", run.stderr)
        self.assertIn("Check that the network and the package sources of apt work", run.stderr)

    def test_uses_sudo_where_it_lets_in(self):
        self.user("1000")
        self.program("bin/sudo", 'echo sudo "$@" >>calls\n[[ $1 == -n ]] && exit 0\nexec "$@"\n')
        self.assertEqual(self.bootstrap().returncode, 0)
        self.assertTrue(any(call.startswith("apt-get ") for call in self.calls()), self.calls())

    def test_says_what_root_has_to_run(self):
        self.user("1000")
        for sudo in (None, "exit 1\n"):
            with self.subTest(sudo=sudo):
                if sudo:
                    self.program("bin/sudo", sudo)
                run = self.bootstrap()
                self.assertEqual(run.returncode, 1)
                self.assertIn("As root, run:", run.stderr)
                self.assertIn("apt-get install --no-install-recommends ninja-build", run.stderr)
                self.assertEqual(self.calls(), [])

    def test_installs_nothing_on_another_system(self):
        self.write("os-release", 'PRETTY_NAME="Other Linux 9"\nVERSION_CODENAME=nine\n')
        run = self.bootstrap()
        self.assertEqual(run.returncode, 1)
        self.assertIn("this is Other Linux 9", run.stderr)
        self.assertIn("  ninja-build", run.stderr)
        self.assertEqual(self.calls(), [])

    def test_refuses_a_group_that_does_not_exist(self):
        run = self.bootstrap("nonsense")
        self.assertEqual(run.returncode, 2)
        self.assertIn("no group 'nonsense'", run.stderr)


if __name__ == "__main__":
    unittest.main()
