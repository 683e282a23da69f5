"""Hooks and child agents, through the built program."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

from support import accept_partial, assent, call, events, of_type, results, script_model


class Pipeline(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.home = Path(self.scratch.name, "home")
        self.work = Path(self.scratch.name, "work")
        self.home.mkdir()
        self.work.mkdir()
        before = dict(os.environ)
        os.environ["HOME"] = str(self.home)
        self.addCleanup(lambda: os.environ.update(before))

    def run_script(self, *messages):
        model = script_model(self.scratch.name, *messages)
        return assent("run", "--json", "--model", model, "do it", cwd=self.work)

    def configure(self, text):
        accept_partial()
        config = self.home / ".config/assent/config.toml"
        config.write_text(config.read_text() + text)

    def test_a_hook_of_the_user_denies_and_says_why(self):
        hook = Path(self.scratch.name, "hook.py")
        hook.write_text('import json, sys\n'
                        'call = json.load(sys.stdin)["call"]\n'
                        'deny = call["name"] == "write_file"\n'
                        'print(json.dumps({"decision": "deny", "reason": "no writing here"} if deny'
                        ' else {"decision": "none", "context": "seen"}))\n')
        self.configure('\n[[hook]]\nevent = "pre_tool"\n'
                       f'command = ["{sys.executable}", "{hook}"]\n')
        run = self.run_script({"text": "", "tool_calls": [
            call("write_file", {"path": "a", "content": "x"}, "w"),
            call("bash", {"command": "true"}, "b")]})
        log = events(run.stdout)
        found = results(log)
        self.assertIn("no writing here", found["w"]["content"])
        self.assertEqual(found["w"]["error"], {"by": "hook", "code": "DENIED", "rule": ""})
        self.assertIn("[from a hook of the user: seen]", found["b"]["content"])
        self.assertFalse((self.work / "a").exists())
        self.assertEqual(len(of_type(log, "hook/invoked")), 2)
        self.assertEqual([event["data"]["decision"] for event in of_type(log, "hook/result")],
                         ["deny", "none"])

    def test_a_hook_that_is_missing_closes_everything(self):
        self.configure('\n[[hook]]\nevent = "pre_tool"\ncommand = ["/nonexistent"]\n')
        run = self.run_script({"text": "", "tool_calls": [
            call("bash", {"command": "touch a"}, "b")]})
        self.assertIn("the hook /nonexistent failed", results(events(run.stdout))["b"]["content"])
        self.assertFalse((self.work / "a").exists())

    def test_a_hook_that_is_written_wrongly_stops_the_program(self):
        for text in ('[[hook]]\ncommand = ["x"]', '[[hook]]\nevent = "pre_tool"',
                     '[[hook]]\nevent = "pre_tool"\ncommand = "x"',
                     '[[hook]]\nevent = "pre_tool"\ncommand = ["x"]\ntimeout = "soon"',
                     '[[hook]]\nevent = "pre_tool"\ncommand = ["x"]\non_failure = "allow"',
                     '[hook]\nevent = "pre_tool"'):
            config = self.home / ".config/assent/config.toml"
            config.parent.mkdir(parents=True, exist_ok=True)
            config.write_text(text + "\n")
            run = self.run_script({"text": "hello"})
            self.assertEqual(run.returncode, 2, text)
            self.assertRegex(run.stderr, r"config.toml:\d+: .*hook", text)

    def test_a_child_reads_and_reports(self):
        self.configure("")
        (self.work / "note").write_text("the answer is 42")
        run = self.run_script(
            {"text": "", "tool_calls": [call("spawn_agent", {"task": "find the answer"}, "s")]},
            {"text": "", "tool_calls": [call("read_file", {"path": "note"}, "r"),
                                        call("bash", {"command": "touch a"}, "b")]},
            {"text": "It is 42."}, {"text": "done"})
        self.assertEqual(run.returncode, 0, run.stderr)
        report = results(events(run.stdout))["s"]["content"]
        self.assertTrue(report.startswith("It is 42.\n[session of the child: "), report)
        child = report.split(": ")[-1].rstrip("]\n")
        log = events(assent("log", child, "--json", cwd=self.work).stdout)
        found = results(log)
        self.assertEqual(found["r"]["content"], "the answer is 42")
        self.assertEqual(found["b"]["error"]["code"], "UNKNOWN_TOOL")
        self.assertFalse((self.work / "a").exists())
        # The list says whose it is, and the last session is the user's own.
        own = next(line for line in assent("log").stdout.splitlines()).split()[1]
        self.assertNotEqual(own, child)
        self.assertIn(f"child of {own}", assent("sessions").stdout)


if __name__ == "__main__":
    unittest.main()
