"""The walls of the house: which rooms know which, as src/CMakeLists.txt has it."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rooms():
    """Module name → the modules that it may include."""
    text = re.sub(r"#.*", "", (ROOT / "src/CMakeLists.txt").read_text(encoding="utf-8"))
    found = {}
    for body in re.findall(r"assent_module\(([^)]*)\)", text):
        words = body.split()
        uses = words[words.index("USES") + 1:] if "USES" in words else []
        for end in ("PRIVATE", "TEST_USES", "TEST_PRIVATE"):
            if end in uses:
                uses = uses[:uses.index(end)]
        found[words[0]] = set(uses)
    return found


def sources(folder):
    return [path for path in (ROOT / "src" / folder).rglob("*")
            if path.suffix in (".h", ".cc") and "_test" not in path.name
            and path.parent.name != "testing"]


class House(unittest.TestCase):
    # covers: A-008, B-001, B-082, B-091, B-129, B-138, B-139
    def test_permission_approval_and_question_do_not_know_each_other(self):
        three = {"permission", "approval", "question"}
        known = rooms()
        for room in three:
            self.assertEqual(known[room] & (three - {room}), set(), room)
            self.assertEqual(known[room] & {"tool", "builtin", "agent", "terminal", "app"}, set())
        # What they share are the session's events.
        self.assertIn("event", known["permission"] & known["approval"])

    #
    def test_no_channel_is_known_below_it(self):
        known = rooms()
        for room, uses in known.items():
            if room != "app":
                self.assertNotIn("terminal", uses, room)
                self.assertNotIn("app", uses, room)

    #
    def test_no_tool_can_ask_a_human_for_permission(self):
        words = ("ApprovalService", "approval::Gate", "approval::Handler", "approval::Inbox",
                 "approval/service.h", "approval/gate.h", "approval/inbox.h")
        for path in sources("builtin"):
            text = path.read_text(encoding="utf-8")
            for word in words:
                self.assertNotIn(word, text, path)

    #
    def test_the_misspelt_local_of_the_source_was_not_carried_over(self):
        for path in (ROOT / "src").rglob("*.cc"):
            self.assertNotIn("ploicy", path.read_text(encoding="utf-8").lower(), path)

    #
    def test_the_gate_logs_nothing_and_runs_nothing(self):
        text = "".join((ROOT / "src/approval" / name).read_text(encoding="utf-8")
                       for name in ("gate.h", "gate.cc"))
        for word in ("session", "event::", "append(", "tool::", "print"):
            self.assertNotIn(word + "::" if word == "session" else word, text)


if __name__ == "__main__":
    unittest.main()
