"""The demo against an outside observer: the tree, strace, and a compiler of our own."""

import itertools
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import assent, events, for_call, of_type, results

ESCALATIONS = ["ask-1", "ask-2", "ask-3"]


class Observed:
    """One demo run under strace."""

    def __init__(self, answers):
        with tempfile.TemporaryDirectory() as scratch:
            trace = Path(scratch) / "trace"
            self.run = assent("demo", "--json", "--keep", "--answers", answers,
                              wrapper=["strace", "-f", "-qq", "-s", "4096", "-e", "trace=execve",
                                       "-o", str(trace)])
            self.trace = trace.read_text(errors="replace")
        self.log = events(self.run.stdout)
        project = re.search(r"^  (/.*/project)$", self.run.stderr, re.MULTILINE)
        assert project, self.run.stderr
        self.project = Path(project.group(1))
        self.outside = self.project.parent / "outside"

    def executed(self, command):
        """How often a shell was started with this command."""
        return len([line for line in self.trace.splitlines()
                    if "/bin/bash" in line and command in line and " = 0" in line])

    def tests_pass(self):
        done = subprocess.run(["make", "-B", "-s", "test"], cwd=self.project, capture_output=True)
        return done.returncode == 0


class Demo(unittest.TestCase):
    def check(self, answers):
        seen = Observed(",".join(answers))
        allowed = [answer == "y" for answer in answers[:3]]
        # Three rejections in a row end the turn before the question.
        blocked = allowed == [False, False, False]
        asked = of_type(seen.log, "approval/asked")
        questions = of_type(seen.log, "question/asked")
        self.assertEqual(len(asked), 3)
        self.assertEqual(len(questions), 0 if blocked else 1)
        self.assertEqual(len({event["data"]["digest"] for event in asked}), 3)
        for event in asked:
            self.assertTrue(event["data"]["reason"].startswith(
                "escalate sandbox to danger-full-access: "))
        # The tree says what the log says.
        self.assertEqual((seen.outside / "report.txt").exists(), allowed[0])
        self.assertEqual((seen.outside / "CHANGES.txt").exists(), allowed[1])
        self.assertEqual((seen.outside / "stale.log").exists(), not allowed[2])
        # So does the kernel: each command was tried once inside, and once more where allowed.
        self.assertEqual(seen.executed("cp report.txt"), 1 + allowed[0])
        self.assertEqual(seen.executed("stale.log"), 1 + allowed[2])
        for call_id, yes in zip(ESCALATIONS, allowed):
            middle = ["tool/cleared", "tool/started"] if yes else []
            self.assertEqual(for_call(seen.log, call_id),
                             ["tool/call", "approval/asked", "approval/decided", *middle,
                              "tool/result"], call_id)
            error = results(seen.log)[call_id].get("error")
            self.assertEqual(error and error["code"], None if yes else "REJECTED")
        # The first tries were refused by the kernel, with its evidence in front of the result.
        for call_id in ["try-1", "try-2", "try-3"]:
            content = results(seen.log)[call_id]["content"]
            self.assertIn("[sandbox: file access denied under workspace-write mode]", content)
            self.assertIn("[sandbox: escalation available — retry this exact", content)
        self.assertTrue(seen.tests_pass())
        end = of_type(seen.log, "turn/end")[-1]["data"]
        self.assertEqual(end["reason"], "blocked" if blocked else "completed")
        self.assertEqual(seen.run.returncode, 3 if blocked else 0, seen.run.stderr)
        self.assertEqual([event["seq"] for event in seen.log], list(range(len(seen.log))))

    # covers, B-056, B-057, B-058, B-073, B-079, B-081, B-124
    def test_all_sixteen_answers(self):
        for answers in itertools.product("yn", repeat=4):
            with self.subTest(answers=answers):
                self.check(answers)

    def test_it_ends_by_itself_without_a_terminal_and_without_answers(self):
        run = assent("demo", "--json", timeout=60)
        log = events(run.stdout)
        decided = [event["data"]["outcome"] for event in of_type(log, "approval/decided")]
        self.assertEqual(decided, ["unavailable"] * 3)
        self.assertEqual(results(log)["question"]["error"]["code"], "NO_PROVIDER")
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_too_few_answers_deny(self):
        log = events(assent("demo", "--json", "--answers", "y").stdout)
        decided = [event["data"]["outcome"] for event in of_type(log, "approval/decided")]
        self.assertEqual(decided, ["allowed-once", "rejected", "rejected"])
        self.assertEqual(results(log)["question"]["error"]["code"], "ASK_ABORTED")


if __name__ == "__main__":
    unittest.main()
