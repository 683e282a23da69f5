"""The main job against an OpenAI-style server over HTTP, whole and damaged."""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

import node
from support import accept_partial, assent, events, for_call, of_type, results

HERE = Path(__file__).resolve().parent
AIMOCK = "@copilotkit/aimock@1.43.0"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class MainJob(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tools = node.ensure(AIMOCK)
        cls.port = free_port()
        cls.fixtures = tempfile.TemporaryDirectory()
        shutil.copy(HERE / "aimock" / "fixtures.json", cls.fixtures.name)
        script = tools.folder / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
        cls.server = subprocess.Popen(
            [tools.program, script, "-p", str(cls.port), "-h", "127.0.0.1", "-f",
             cls.fixtures.name, "--strict", "-c", "7"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=tools.environment())
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{cls.port}/health", timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("the mock server did not start")

    @classmethod
    def tearDownClass(cls):
        cls.server.terminate()
        cls.server.wait(timeout=10)
        cls.fixtures.cleanup()

    def setUp(self):
        accept_partial()
        self.work = tempfile.TemporaryDirectory()
        self.addCleanup(self.work.cleanup)
        (Path(self.work.name) / "notes.txt").write_text("write hello\n")

    def proxy(self, mode):
        started = subprocess.Popen(
            [sys.executable, str(HERE / "cutting_proxy.py"), "--target", str(self.port), "--mode",
             mode], stdout=subprocess.PIPE, text=True)
        self.addCleanup(started.stdout.close)
        self.addCleanup(started.wait)
        self.addCleanup(started.terminate)
        return int(started.stdout.readline())

    def run_task(self, task, port=None, *more):
        return assent("run", task, "--json", "--model", "mock", "--base-url",
                      f"http://127.0.0.1:{port or self.port}/v1", *more, cwd=self.work.name,
                      OPENAI_API_KEY="test-key-of-no-value")

    # covers, P-030
    def test_it_streams_and_runs_parallel_calls(self):
        run = self.run_task("make hello")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual((Path(self.work.name) / "hello.txt").read_text(), "hello\n")
        log = events(run.stdout)
        self.assertEqual(results(log)["call_read"]["content"], "write hello\n")
        self.assertEqual(results(log)["call_bash"]["content"], "hello\n")
        for call_id in ["call_read", "call_write", "call_bash"]:
            self.assertEqual(for_call(log, call_id), ["tool/call", "tool/cleared", "tool/started",
                                                      "tool/result"])
        # Both calls of the first message are cleared before either starts.
        order = [event["type"] for event in log if event["type"].startswith("tool/")]
        self.assertEqual(order[:6], ["tool/call", "tool/call", "tool/cleared", "tool/cleared",
                                     "tool/started", "tool/started"])
        self.assertNotIn("test-key-of-no-value", run.stdout + run.stderr)

    def test_a_429_is_waited_for_and_tried_again(self):
        run = self.run_task("make hello", self.proxy("limit:2"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue((Path(self.work.name) / "hello.txt").exists())

    def test_a_stream_that_breaks_off_runs_none_of_its_calls(self):
        run = self.run_task("make hello", self.proxy("cut:1900"))
        log = events(run.stdout)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertEqual(of_type(log, "tool/call"), [])
        self.assertFalse((Path(self.work.name) / "hello.txt").exists())
        self.assertEqual(log[-1]["data"]["reason"], "error")
        self.assertTrue(log[-1]["data"]["detail"])

    def test_a_malformed_call_is_answered_and_never_runs(self):
        run = self.run_task("make hello", self.proxy("bad-arguments"))
        answers = results(events(run.stdout)).values()
        codes = [answer.get("error", {}).get("code") for answer in answers]
        self.assertIn("INVALID_ARGS", codes)

    def test_servers_that_say_no_end_the_task_with_one_clear_line(self):
        for task, words in [("wrong key", "OPENAI_API_KEY"), ("no credit", "quota")]:
            with self.subTest(task=task):
                run = self.run_task(task)
                self.assertEqual(run.returncode, 1)
                self.assertIn(words, run.stderr)

    def test_a_dead_server_is_named(self):
        port = free_port()
        run = self.run_task("make hello", port)
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"127.0.0.1:{port}", run.stderr)

    def test_prepared_answers_are_refused_for_a_real_model(self):
        run = self.run_task("make hello", None, "--answers", "y")
        self.assertEqual(run.returncode, 2)
        self.assertIn("--answers", run.stderr)
        self.assertFalse((Path(self.work.name) / "hello.txt").exists())


if __name__ == "__main__":
    unittest.main()
