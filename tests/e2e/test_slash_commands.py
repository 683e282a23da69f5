"""What the user tells the program itself at its prompt."""

import os
import re
import tempfile
import unittest
from pathlib import Path

from support import ASSENT, accept_partial, assent, call, environment, events, of_type, script_model
from terminal import Terminal


class SlashCommands(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.work = Path(self.scratch.name) / "work"
        self.work.mkdir()
        home = Path(self.scratch.name) / "home"
        home.mkdir()
        before = dict(os.environ)
        os.environ["HOME"] = str(home)
        self.addCleanup(lambda: os.environ.update(before))
        accept_partial()

    def terminal(self, *messages, options=()):
        model = script_model(self.scratch.name, *messages)
        terminal = Terminal([ASSENT, "--model", model, *options], cwd=self.work, rows=40,
                            columns=100, environment=environment())
        self.addCleanup(terminal.close)
        terminal.expect("assent>")
        return terminal

    def leave(self, terminal, code=0):
        terminal.line("/exit")
        self.assertEqual(terminal.wait_exit(), code)
        return events(assent("log", "--json").stdout)

    # covers: B-114, B-115
    def test_the_policy_is_set_and_recorded_once(self):
        terminal = self.terminal()
        terminal.line("/policy perhaps")
        terminal.expect_ever("they are ask and never")
        for _ in range(2):
            terminal.line("/policy never")
        terminal.expect_ever("ci (writes: this folder")
        log = self.leave(terminal)
        self.assertEqual([event["data"]["policy"] for event in of_type(log, "approval/policy")],
                         ["ask", "never"])

    # covers: B-086, B-133
    def test_a_preset_changes_only_what_it_must(self):
        terminal = self.terminal()
        terminal.line("/permission wide")
        terminal.expect_ever("presets are")
        terminal.line("/permission  read-only ")
        terminal.expect_ever("read-only (")
        log = self.leave(terminal)
        knobs = of_type(log, "sandbox/mode", "approval/policy", "permission/preset")
        self.assertEqual([(event["type"], *event["data"].values()) for event in knobs[-2:]],
                         [("sandbox/mode", "read-only"), ("permission/preset", "read-only")])

    #
    def test_what_was_allowed_for_a_while_is_listed_and_taken_back(self):
        write = {"text": "", "tool_calls": [
            call("write_file", {"path": "a.txt", "content": "x"}, "w")]}
        terminal = self.terminal(write, {"text": "first"}, write, {"text": "second"},
                                 options=["--preset", "careful"])
        terminal.line("/grants")
        terminal.expect_ever("nothing is allowed for a while")
        terminal.line("write it")
        terminal.expect_ever("[a]", timeout=30)
        terminal.settle(1.0)
        terminal.line("a")
        terminal.expect_ever("first", timeout=30)
        terminal.line("/grants")
        terminal.expect_ever("write_file: this very call")
        terminal.line("/grants revoke zzz")
        terminal.expect_ever("no such grant")
        terminal.line("/grants revoke all")
        terminal.expect_ever("1 taken back")
        terminal.line("write it again")
        terminal.settle(1.0)
        terminal.line("n")
        terminal.expect_ever("second", timeout=30)
        log = self.leave(terminal, 3)
        revoked = of_type(log, "grant/revoked")
        self.assertEqual(len(revoked), 1)
        self.assertRegex(revoked[0]["data"]["by"], r"^terminal:\S+$")
        self.assertEqual([event["data"]["outcome"] for event in of_type(log, "approval/decided")],
                         ["allowed-once", "rejected"])

    def test_an_unknown_command_lists_those_there_are(self):
        terminal = self.terminal()
        terminal.line("/polices")
        terminal.expect_ever("there is no /polices")
        terminal.expect_ever("/grants [revoke")
        self.assertEqual(re.findall("user/message", str(self.leave(terminal))), [])


if __name__ == "__main__":
    unittest.main()
