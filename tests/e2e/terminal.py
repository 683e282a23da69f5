"""Drives a program under a pseudo-terminal, as a human at a keyboard would."""

import codecs
import errno
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

from screen import Screen

KEYS = {
    "enter": "\r", "escape": "\x1b", "tab": "\t", "backspace": "\x7f", "space": " ",
    "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
    "home": "\x1b[H", "end": "\x1b[F", "delete": "\x1b[3~", "page-up": "\x1b[5~",
    "page-down": "\x1b[6~", "shift-tab": "\x1b[Z", "alt-enter": "\x1b\r",
    **{f"ctrl-{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}


class Timeout(AssertionError):
    """What was awaited did not come; the message shows the screen."""


class Terminal:
    """One program and its terminal; use it in a `with`. Waits raise Timeout.

    `sent` and `received` hold every byte of both directions. `screen` is what a human sees.
    """

    def __init__(self, command, *, rows=24, columns=80, cwd=None, environment=None, timeout=20):
        self.timeout = timeout
        self.screen = Screen(rows, columns)
        self.received = b""
        self.sent = b""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._open = True
        environment = dict(os.environ if environment is None else environment)
        environment.setdefault("TERM", "xterm-256color")
        environment.setdefault("LANG", "C.UTF-8")
        self._master, slave = pty.openpty()
        self._set_size(rows, columns)

        def own_terminal():
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=slave, stdout=slave, stderr=slave, cwd=cwd,
            env=environment, start_new_session=True, preexec_fn=own_terminal)
        os.close(slave)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Hangs up, as a closed window does; kills what does not go."""
        if self._master is not None:
            os.close(self._master)
            self._master = None
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            # The session that start_new_session made: nothing but the program and its children.
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def _set_size(self, rows, columns):
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        self._set_size(rows, columns)

    # Keyboard

    def send(self, text):
        """Types `text` as it is."""
        data = text.encode()
        self.sent += data
        while data:
            _, writable, _ = select.select([], [self._master], [], 0.05)
            if writable:
                data = data[os.write(self._master, data[:512]):]
            self.pump(0)

    def key(self, *names):
        for name in names:
            self.send(KEYS[name])

    def line(self, text):
        self.send(text)
        self.key("enter")

    def paste(self, text):
        """What a terminal sends for a paste: bracketed where the program asked for it."""
        self.send(f"\x1b[200~{text}\x1b[201~" if 2004 in self.screen.modes else text)

    # Screen

    def pump(self, seconds):
        """Reads what comes within `seconds`; False once the program closed the terminal."""
        if not self._open:
            return False
        ready, _, _ = select.select([self._master], [], [], seconds)
        if not ready:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        if not data:
            self._open = False
            return False
        self.received += data
        self.screen.feed(self._decoder.decode(data))
        if self.screen.replies:
            replies, self.screen.replies = self.screen.replies, ""
            os.write(self._master, replies.encode())
        return True

    def wait_until(self, condition, what, timeout=None):
        """Reads until `condition()` holds."""
        end = time.monotonic() + (timeout or self.timeout)
        while not condition():
            remaining = end - time.monotonic()
            if remaining <= 0 or not self.pump(min(remaining, 0.2)):
                if condition():
                    return
                why = "the program closed the terminal" if not self._open else "time is up"
                raise Timeout(f"waited for {what}, but {why}; the screen:\n{self.dump()}")

    def expect(self, *texts, timeout=None):
        """Waits until all `texts` are on the screen at once."""
        self.wait_until(lambda: all(text in self.screen.text() for text in texts),
                        f"{texts!r} on the screen", timeout)

    def expect_ever(self, *texts, timeout=None):
        """Waits until all `texts` are on the screen or above it."""
        self.wait_until(lambda: all(text in self.screen.everything() for text in texts),
                        f"{texts!r} on the screen or above it", timeout)

    def expect_gone(self, text, timeout=None):
        self.wait_until(lambda: text not in self.screen.text(), f"{text!r} to go", timeout)

    def settle(self, quiet=0.3):
        """Reads until nothing came for `quiet` seconds."""
        end = time.monotonic() + self.timeout
        seen = -1
        while seen != len(self.received) and time.monotonic() < end:
            seen = len(self.received)
            self.pump(quiet)

    def wait_exit(self, timeout=None):
        """Reads to the end; the exit code, or minus the signal."""
        end = time.monotonic() + (timeout or self.timeout)
        while self.process.poll() is None or self._open:
            if time.monotonic() > end:
                raise Timeout(f"the program did not end; the screen:\n{self.dump()}")
            if not self.pump(0.1) and self.process.poll() is None:
                time.sleep(0.02)
        return self.process.returncode

    def dump(self):
        """The screen in a frame, for messages."""
        edge = "+" + "-" * self.screen.columns + "+"
        return "\n".join([edge, *self.screen.lines(), edge])
