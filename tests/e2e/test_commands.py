"""Commands, exit codes and bad input."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import (ASSENT, accept_partial, assent, call, environment, events, of_type, results,
                     script_model, tree_digest)
from terminal import Terminal



class Commands(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.work = Path(self.scratch.name) / "work"
        self.work.mkdir()

    def run_script(self, *messages, options=(), task="do it"):
        model = script_model(self.scratch.name, *messages)
        return assent("run", task, "--json", "--model", model, *options, cwd=self.work)

    def test_bad_arguments_end_with_2_and_one_line(self):
        for arguments, words in [(["--nothing"], "--help"),
                                 (["runn"], "did you mean \"run\""),
                                 (["run"], "task"),
                                 (["run", "x y", "--preset", "wide"], "presets"),
                                 (["run", "x y", "-C", "/nonexistent"], "not a folder"),
                                 (["run", "x y", "-C", "/"], "whole file system"),
                                 (["log", "zzz"], "zzz"),
                                 (["run", "x y", "--model", "script:/none"], "/none")]:
            with self.subTest(arguments=arguments):
                run = assent(*arguments, cwd=self.work)
                self.assertIn(run.returncode, (1, 2), run.stderr)
                self.assertIn(words, run.stderr)
                self.assertLessEqual(len(run.stderr.splitlines()), 2)
                self.assertEqual(run.stdout, "")

    def test_without_a_model_it_says_what_to_set(self):
        run = assent("run", "do it", cwd=self.work)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("OPENAI_API_KEY", run.stderr)
        self.assertIn("assent demo", run.stderr)

    def test_a_configuration_that_cannot_be_understood_stops_the_program(self):
        config = Path(os.environ["HOME"]) / ".config" / "assent" / "config.toml"
        config.parent.mkdir(parents=True)
        for text, words in [("[sandbox]\nacept_partial = true\n", ":2: sandbox.acept_partial"),
                            ("preset = 3\n", ":1: preset: expected"), ("a = \n", ":1:"),
                            ("preset = \"wide\"\n", "presets are")]:
            with self.subTest(text=text):
                config.write_text(text)
                run = self.run_script({"text": "hello"})
                self.assertEqual(run.returncode, 2)
                self.assertIn(words, run.stderr)

    # covers: B-081, A-024, A-025
    def test_ordinary_work_asks_nobody_where_the_partial_tier_is_accepted(self):
        accept_partial()
        run = self.run_script({"text": "", "tool_calls": [
            call("bash", {"command": "ls; echo x > f; cat f"}, "a"),
            call("write_file", {"path": "g", "content": "y"}, "b"),
            call("read_file", {"path": "f"}, "c")]})
        log = events(run.stdout)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(of_type(log, "approval/asked"), [])
        self.assertEqual((self.work / "g").read_text(), "y")

    def test_where_it_is_not_accepted_every_change_is_asked_about(self):
        run = self.run_script({"text": "", "tool_calls": [
            call("bash", {"command": "echo x > f"}, "a"),
            call("read_file", {"path": "h"}, "b")]})
        log = events(run.stdout)
        self.assertEqual(len(of_type(log, "approval/asked")), 1)
        self.assertEqual(results(log)["a"]["error"]["code"], "UNAVAILABLE")
        self.assertEqual(tree_digest(self.work), tree_digest(tempfile.mkdtemp()))

    # covers: B-137, A-027
    def test_full_access_without_a_human_asks_nothing_and_runs(self):
        target = Path(self.scratch.name) / "outside"
        run = self.run_script(
            {"text": "", "tool_calls": [call("bash", {"command": f"echo x > {target}"}, "a")]},
            {"text": "", "tool_calls": [call("ask_user_question",
                                             {"questions": [{"question": "ok?"}]}, "b")]},
            options=["--preset", "danger-full-access"])
        log = events(run.stdout)
        self.assertEqual(target.read_text(), "x\n")
        self.assertEqual(of_type(log, "approval/asked"), [])
        self.assertEqual(results(log)["b"]["error"]["code"], "NO_PROVIDER")

    # covers: B-121
    def test_never_refuses_and_ends_with_3(self):
        accept_partial()
        run = self.run_script({"text": "", "tool_calls": [
            call("bash", {"command": "true", "sandbox_permissions": "danger-full-access",
                          "justification": "because"}, "a")]}, options=["--preset", "ci"])
        self.assertEqual(run.returncode, 3)
        self.assertIn("approval prompts are disabled",
                      results(events(run.stdout))["a"]["content"])

    # covers: B-140
    def test_secrets_of_the_home_folder_and_our_own_state_cannot_be_read(self):
        accept_partial()
        home = Path(os.environ["HOME"])
        (home / ".ssh").mkdir()
        (home / ".ssh" / "id").write_text("key-material")
        run = self.run_script({"text": "", "tool_calls": [
            call("bash", {"command": f"cat {home}/.ssh/id {home}/.local/state/assent/*"}, "a"),
            call("read_file", {"path": f"{home}/.ssh/id"}, "b")]})
        contents = [result["content"] for result in results(events(run.stdout)).values()]
        self.assertNotIn("key-material", "".join(contents))
        self.assertTrue(all("ermission denied" in content for content in contents), contents)

    #
    def test_each_run_is_a_session_of_its_own(self):
        # K-22: no fixed name that a later run could inherit anything from.
        for _ in range(2):
            self.run_script({"text": "hello"})
        names = [line.split()[0] for line in assent("sessions").stdout.splitlines() if line.strip()]
        self.assertEqual(len(set(names)), 2, names)
        self.assertNotIn("terminal_default", names)

    def test_log_and_sessions_show_what_was_recorded(self):
        self.run_script({"text": "hello"})
        listed = assent("sessions").stdout
        self.assertIn(str(self.work.resolve()), listed)
        identity = listed.split()[0]
        lines = [json.loads(line) for line in assent("log", identity, "--json").stdout.splitlines()]
        self.assertEqual(lines[0]["type"], "session/opened")
        self.assertEqual(lines[-1]["type"], "turn/end")
        for before, after in zip(lines, lines[1:]):
            self.assertEqual(after["prev_hash"], before["hash"])
        self.assertIn("turn/end", assent("log").stdout)

    def test_a_killed_run_is_repaired_and_nothing_of_it_stays(self):
        accept_partial()
        model = script_model(self.scratch.name, {"text": "", "tool_calls": [
            call("bash", {"command": "touch started; sleep 777"}, "a")]})
        run = subprocess.Popen([ASSENT, "run", "go on", "--model", model], cwd=self.work,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=environment())
        for _ in range(200):
            if (self.work / "started").exists():
                break
            subprocess.run(["sleep", "0.05"])
        run.kill()
        run.wait()
        subprocess.run(["sleep", "0.5"])
        left = subprocess.run(["pgrep", "-f", "sleep 777"], capture_output=True, text=True)
        self.assertEqual(left.stdout, "")
        with Terminal([ASSENT, "-c", "--model", model], cwd=self.work,
                      environment=environment()) as terminal:
            terminal.expect("assent>")
            terminal.line("/exit")
            terminal.wait_exit()
        types = [json.loads(line)["type"] for line in assent("log", "--json").stdout.splitlines()]
        self.assertIn("turn/end", types)
        self.assertEqual(types.count("tool/result"), 1)

    def test_doctor_names_the_tier_and_its_exit_code_says_it_too(self):
        run = assent("doctor", "--json")
        said = json.loads(run.stdout)
        self.assertEqual({"full": 0, "partial": 1, "none": 3}[said["sandbox"]], run.returncode)
        self.assertEqual(said["sandbox"] == "full", said["missing"] == [])

    def test_help_and_version(self):
        self.assertRegex(assent("--version").stdout, r"^assent \d+\.\d+\.\d+\n$")
        for command in [[], ["run"], ["demo"], ["log"], ["sessions"], ["doctor"]]:
            text = assent(*command, "--help").stdout
            self.assertIn("Example: assent", text)
            self.assertLessEqual(len(text.splitlines()), 40)


class AtTheTerminal(unittest.TestCase):
    #
    def test_the_demo_asks_three_times_and_once_more(self):
        with Terminal([ASSENT, "demo"], rows=40, columns=100,
                      environment=environment()) as terminal:
            for answer, words in [("y", "report.txt"), ("n too early", "CHANGES.txt"),
                                  ("", "stale.log")]:
                terminal.expect("gives this one", timeout=60)
                terminal.expect_ever(words)
                terminal.expect_ever("[n] deny")
                terminal.settle(1.0)
                terminal.line(answer)
            terminal.expect_ever("the model asks", timeout=60)
            terminal.settle(1.0)
            terminal.line("1")
            self.assertEqual(terminal.wait_exit(timeout=60), 0)
        log = events(assent("log", "--json").stdout)
        decided = [event["data"] for event in of_type(log, "approval/decided")]
        self.assertEqual([one["outcome"] for one in decided],
                         ["allowed-once", "rejected", "rejected"])
        self.assertEqual(decided[1]["feedback"], "too early")
        self.assertTrue(all(one["by"].startswith("terminal:") for one in decided))
        self.assertIn("too early", results(log)["ask-2"]["content"])

    #
    def test_what_was_typed_before_a_question_is_no_answer_to_it(self):
        with Terminal([ASSENT, "demo"], rows=40, columns=100,
                      environment=environment()) as terminal:
            terminal.send("y\ry\ry\r")
            for _ in range(3):
                terminal.expect_ever("gives this one", timeout=60)
                terminal.settle(1.0)
                terminal.line("n")
            terminal.wait_exit(timeout=60)
        log = events(assent("log", "--json").stdout)
        self.assertEqual([event["data"]["outcome"] for event in of_type(log, "approval/decided")],
                         ["rejected"] * 3)


if __name__ == "__main__":
    unittest.main()
