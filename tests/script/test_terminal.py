"""The pseudo-terminal and the screen of the black-box tests."""

import sys
import tempfile
import unittest

from checkout import ROOT

sys.path.insert(0, str(ROOT / "tests/e2e"))
from screen import Screen  # noqa: E402
from strace import Call, Strace, parse  # noqa: E402
from terminal import Terminal, Timeout  # noqa: E402


class ScreenShows(unittest.TestCase):
    def test_what_a_terminal_would(self):
        for written, shown in (
                ("a\r\nb", "a\nb"),
                ("abcdefghijk", "abcdefghij\nk"),
                ("abcdefghij\r\nk", "abcdefghij\nk"),
                ("abc\rX", "Xbc"),
                ("abc\b\bX", "aXc"),
                ("a\tb", "a       b"),
                ("\x1b[1;31mred\x1b[0m", "red"),
                ("abc\x1b[2D\x1b[K", "a"),
                ("abc\x1b[1K", ""),
                ("a\r\nb\x1b[A\x1b[2K\rc", "c\nb"),
                ("\x1b[2;3Hx\x1b[Hy", "y\n  x"),
                ("one\r\ntwo\x1b[1;1H\x1b[J", ""),
                ("a\r\nb\x1b[1;1H\x1b[L", "\na\nb"),
                ("a\r\nb\x1b[1;1H\x1b[M", "b"),
                ("abc\x1b[1;2H\x1b[P", "ac"),
                ("abc\x1b[1;2H\x1b[@", "a bc"),
                ("\u4e2d\u6587x", "\u4e2d\u6587x"),
                ("123456789\u4e2d", "123456789\n\u4e2d"),
                ("e\u0301!", "e\u0301!"),
                ("main\x1b[?1049h\x1b[Hother\x1b[?1049l", "main"),
                ("\x1b7ab\x1b8X", "Xb"),
                ("a\x1b]0;title\x07b\x1b]8;;x\x1b\\c", "abc"),
                ("1\r\n2\r\n3\x1b[1;2r\x1b[2;1H\nx", "2\nx\n3")):
            with self.subTest(written=written):
                whole, pieces = Screen(4, 10), Screen(4, 10)
                whole.feed(written)
                for char in written:
                    pieces.feed(char)
                self.assertEqual((whole.text(), pieces.text()), (shown, shown))

    def test_lines_that_leave_at_the_top_are_kept(self):
        screen = Screen(2, 10)
        screen.feed("1\r\n2\r\n3\r\n4")
        self.assertEqual((screen.scrollback, screen.lines()), (["1", "2"], ["3", "4"]))
        screen.resize(1, 10)
        self.assertEqual(screen.everything(), "1\n2\n3\n4")

    def test_modes_bells_and_replies(self):
        screen = Screen(4, 10)
        screen.feed("ab\x07\x1b[?2004h\x1b[6n\x1b]2;name\x07")
        self.assertEqual((screen.modes, screen.bells, screen.replies, screen.title),
                         ({2004}, 1, "\x1b[1;3R", "name"))


class TerminalDrives(unittest.TestCase):
    def test_a_program_that_asks_and_answers(self):
        script = 'stty size; read -p "name? " name; printf "hello %s\\n" "$name"; exit 3'
        with Terminal(["bash", "-c", script], rows=30, columns=90) as terminal:
            terminal.expect("30 90", "name?")
            terminal.line("Ada")
            terminal.expect("hello Ada")
            self.assertEqual(terminal.wait_exit(), 3)

    def test_keys_sizes_and_signals(self):
        script = 'trap "stty size; exit 5" WINCH; echo ready; while :; do read -t 1; done'
        with Terminal(["bash", "-c", script]) as terminal:
            terminal.expect("ready")
            terminal.resize(10, 40)
            terminal.expect("10 40")
            self.assertEqual(terminal.wait_exit(), 5)
        with Terminal(["sleep", "60"]) as terminal:
            terminal.settle()
            terminal.key("ctrl-c")
            self.assertEqual(terminal.wait_exit(), -2)

    def test_a_wait_that_fails_shows_the_screen(self):
        with Terminal(["bash", "-c", "echo here; sleep 60"]) as terminal:
            with self.assertRaisesRegex(Timeout, "time is up(?s:.*)here"):
                terminal.expect("nothing", timeout=0.5)
        with Terminal(["echo", "gone"]) as terminal:
            with self.assertRaisesRegex(Timeout, "closed the terminal(?s:.*)gone"):
                terminal.expect("nothing")

    def test_closing_ends_a_program_that_ignores_the_hangup(self):
        with Terminal(["bash", "-c", "trap '' HUP; echo on; sleep 60"]) as terminal:
            terminal.expect("on")
        self.assertEqual(terminal.process.returncode, -9)


class StraceSees(unittest.TestCase):
    def test_calls_of_children(self):
        import subprocess
        with tempfile.TemporaryDirectory() as folder:
            trace = Strace(folder, "execve")
            subprocess.run([*trace.wrapper, "sh", "-c", "/bin/true; /bin/true x"], check=True)
            seen = [call.arguments for call in trace.calls("execve") if call.succeeded]
        self.assertEqual(len(seen), 3)
        self.assertIn('["/bin/true", "x"]', seen[2])

    def test_joins_what_was_interrupted(self):
        self.assertEqual(
            parse('7 connect(3, {a}, 16 <unfinished ...>\n8 close(3) = 0\n'
                  '7 <... connect resumed>) = -1 EPERM (Operation not permitted)\n'),
            [Call(8, "close", "3", "0", ""),
             Call(7, "connect", "3, {a}, 16", "-1", "EPERM (Operation not permitted)")])


if __name__ == "__main__":
    unittest.main()
