"""script/bench measures what ran, beside its yardsticks."""

import json
import shutil
import subprocess
import unittest

from checkout import ROOT, Checkout

ASSENT = """
[[ $1 == run ]] && exec bash -c 'echo done >> witness'
exit 0
"""


class Bench(Checkout):
    def setUp(self):
        super().setUp()
        self.program("script/bootstrap", "exit 0\n")
        self.program("script/lib/build-preset", "exit 0\n")
        shutil.copytree(ROOT / "bench", self.root / "bench",
                        ignore=shutil.ignore_patterns("results.json"))
        drivers = self.root / "build/release/bench"
        drivers.mkdir(parents=True)
        subprocess.run(["g++", "-std=c++20", "-o", drivers / "process_bench",
                        ROOT / "bench/process_bench.cc"], check=True)
        shutil.copy("/bin/true", drivers / "hello")
        self.program("build/release/assent", ASSENT)

    def bench(self, *arguments):
        return self.run_script(self.root / "script/bench", *arguments)

    def results(self):
        return json.loads((self.root / "bench/results.json").read_text())

    def test_without_a_program_there_is_nothing_to_measure(self):
        (self.root / "build/release/assent").unlink()
        run = self.bench()
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("no build/release/assent to measure", run.stderr)

    def test_writes_each_figure_with_its_yardstick(self):
        run = self.bench("--only", "startup", "--only", "one_turn", "--peer", "other=/bin/true")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        results = self.results()
        self.assertEqual(set(results["startup.time"]), {"value", "unit", "ratio", "yardstick"})
        self.assertEqual(results["startup.time"]["yardstick"], "hello_world")
        self.assertEqual(results["one_turn.time"]["yardstick"], "plain")
        self.assertAlmostEqual(
            results["startup.time"]["ratio"],
            results["startup.time"]["value"] / results["startup.hello_world"]["value"], places=2)
        self.assertGreater(results["startup.other"]["value"], 0)
        self.assertIn("budget 40 MiB: within", run.stdout)

    def test_one_group_leaves_the_others_as_they_are(self):
        self.write("bench/results.json", '{"one_turn.time": {"value": 7}, "startup.x": {}}')
        self.assertEqual(self.bench("--only", "startup").returncode, 0)
        results = self.results()
        self.assertEqual(results["one_turn.time"], {"value": 7})
        self.assertNotIn("startup.x", results)

    def test_a_turn_whose_call_did_not_run_is_no_figure(self):
        self.program("build/release/assent", "exit 0\n")
        run = self.bench("--only", "one_turn")
        self.assertEqual(run.returncode, 1)
        self.assertIn("the command ran 26 times, not 52", run.stderr)

    def test_a_program_that_fails_is_no_figure(self):
        self.program("build/release/assent", "echo no such option >&2\nexit 3\n")
        run = self.bench("--only", "startup")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no such option\nassent: ", run.stderr)
        self.assertIn("ended with exit code 3", run.stderr)

    def test_drivers_bring_their_own_figures_and_budgets(self):
        self.program("build/release/bench/fold_bench", "cat <<'END'\n" + json.dumps(
            {"name": "events", "value": 30, "unit": "ns", "budget": {"ratio": 2},
             "yardstick": {"name": "reading", "value": 10}}) + "\nEND\n")
        run = self.bench("--only", "fold", "--require")
        self.assertEqual(run.returncode, 1)
        self.assertIn("3.00 × reading (10.00)  budget 2 ×: OVER", run.stdout)
        self.assertEqual(self.results()["fold.events"],
                         {"value": 30, "unit": "ns", "ratio": 3.0, "yardstick": "reading"})
        self.assertEqual(self.bench("--only", "fold").returncode, 0)

    def test_unknown_groups_and_peers_are_refused(self):
        self.assertEqual(self.bench("--only", "nonsense").returncode, 2)
        run = self.bench("--peer", "no-such-program")
        self.assertEqual((run.returncode, run.stderr),
                         (2, "script/bench: no program for the peer no-such-program\n"))


if __name__ == "__main__":
    unittest.main()
