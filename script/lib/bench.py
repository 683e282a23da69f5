"""The groups of script/bench; its contract is written there, that of its drivers in bench/."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "build" / "release" / "assent"
DRIVERS = ROOT / "build" / "release" / "bench"
RESULTS = ROOT / "bench" / "results.json"
RUNS = 25

# What the model of one_turn asks for, and what plain and bubblewrapped yardsticks run as well.
COMMAND = "echo done >> witness"
BUBBLEWRAP = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp",
              "--unshare-all", "--die-with-parent"]


@dataclass
class Figure:
    name: str
    value: float
    unit: str
    yardstick: str | None = None
    yardstick_value: float | None = None
    budget_value: float | None = None  # at most, in `unit`
    budget_ratio: float | None = None  # at most, of the yardstick

    @property
    def ratio(self):
        return self.value / self.yardstick_value if self.yardstick_value else None

    @property
    def over(self):
        return (self.budget_value is not None and self.value > self.budget_value) or (
            self.budget_ratio is not None and self.ratio is not None
            and self.ratio > self.budget_ratio)

    def line(self):
        text = f"  {self.name:<34} {self.value:>10.2f} {self.unit:<5}"
        if self.ratio is not None:
            text += f" {self.ratio:>6.2f} × {self.yardstick} ({self.yardstick_value:.2f})"
        budgets = []
        if self.budget_value is not None:
            budgets.append(f"{self.budget_value:g} {self.unit}")
        if self.budget_ratio is not None:
            budgets.append(f"{self.budget_ratio:g} ×")
        if budgets:
            text += f"  budget {', '.join(budgets)}: {'OVER' if self.over else 'within'}"
        return text


@dataclass
class Context:
    scratch: Path
    peers: dict
    environment: dict = field(default_factory=dict)

    def timed(self, folder, **commands):
        """{label: figures} of process_bench over the commands, run in `folder`."""
        arguments = []
        for label, command in commands.items():
            arguments += ["::"] * bool(arguments) + [label, *map(str, command)]
        run = subprocess.run([DRIVERS / "process_bench", str(RUNS), *arguments], cwd=folder,
                             env=self.environment, stdout=subprocess.PIPE, text=True)
        if run.returncode != 0:
            sys.exit(f"script/bench: process_bench ended with exit code {run.returncode}")
        return {figures["label"]: figures for figures in map(json.loads, run.stdout.splitlines())}


def startup(context):
    commands = {"assent": [PROGRAM, "--version"], "hello_world": [DRIVERS / "hello"]}
    for name, path in context.peers.items():
        if name != "bwrap":
            commands[name] = [path, "--version"]
    times = context.timed(context.scratch, **commands)
    hello = times["hello_world"]
    yield Figure("startup.time", times["assent"]["median_ms"], "ms", "hello_world",
                 hello["median_ms"], budget_ratio=2)
    yield Figure("startup.memory", times["assent"]["peak_mib"], "MiB", "hello_world",
                 hello["peak_mib"], budget_value=15)
    yield Figure("startup.hello_world", hello["median_ms"], "ms")
    for name in list(commands)[2:]:
        yield Figure(f"startup.{name}", times[name]["median_ms"], "ms", "hello_world",
                     hello["median_ms"])
        yield Figure(f"startup.{name}_memory", times[name]["peak_mib"], "MiB", "hello_world",
                     hello["peak_mib"])


def one_turn(context):
    folder = context.scratch / "one_turn"
    folder.mkdir()
    model = context.scratch / "model.jsonl"
    call = {"id": "call_1", "name": "bash", "arguments": {"command": COMMAND}}
    model.write_text(json.dumps({"text": "", "tool_calls": [call]}) + "\n"
                     + json.dumps({"text": "done", "tool_calls": []}) + "\n")
    # The call has to run without a question, also where the kernel enforces only a part.
    settings = Path(context.environment["HOME"]) / ".config" / "assent" / "config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text("[sandbox]\naccept_partial = true\n")
    commands = {
        "assent": [PROGRAM, "run", "--model", f"script:{model}", "say done"],
        "hello_world": [DRIVERS / "hello"],
        "plain": ["bash", "-c", COMMAND],
    }
    if "bwrap" in context.peers:
        commands["bubblewrap"] = [context.peers["bwrap"], *BUBBLEWRAP, "--bind", folder, folder,
                                  "--chdir", folder, "bash", "-c", COMMAND]
    times = context.timed(folder, **commands)
    # Figures of a call that did not run are worth nothing.
    expected = (RUNS + 1) * (len(commands) - 1)
    ran = (folder / "witness").read_text().count("done\n") if (folder / "witness").exists() else 0
    if ran != expected:
        sys.exit(f"script/bench: one_turn: the command ran {ran} times, not {expected}")
    assent = times["assent"]
    yardstick = "bubblewrap" if "bubblewrap" in times else "plain"
    yield Figure("one_turn.time", assent["median_ms"], "ms", yardstick,
                 times[yardstick]["median_ms"], budget_value=60)
    yield Figure("one_turn.memory", assent["peak_mib"], "MiB", "hello_world",
                 times["hello_world"]["peak_mib"], budget_value=40)
    yield Figure("one_turn.cpu", assent["cpu_ms"], "ms", yardstick, times[yardstick]["cpu_ms"])
    for name in list(commands)[1:]:
        yield Figure(f"one_turn.{name}", times[name]["median_ms"], "ms")


def binary_size(context):
    stripped = context.scratch / "stripped"
    if subprocess.run(["strip", "-o", stripped, PROGRAM]).returncode != 0:
        sys.exit(f"script/bench: cannot strip {PROGRAM}")
    yield Figure("binary_size.stripped", stripped.stat().st_size / 1e6, "MB", budget_value=15)


def driver_group(path):
    """The group of a bench driver that measures inside its own process."""
    def group(context):
        folder = context.scratch / path.name
        folder.mkdir()
        run = subprocess.run([path], cwd=folder, env=context.environment, stdout=subprocess.PIPE,
                             text=True)
        if run.returncode != 0:
            sys.exit(f"script/bench: {path.name} ended with exit code {run.returncode}")
        for line in run.stdout.splitlines():
            figure = json.loads(line)
            yardstick = figure.get("yardstick") or {}
            budget = figure.get("budget") or {}
            yield Figure(f"{path.name.removesuffix('_bench')}.{figure['name']}", figure["value"],
                         figure["unit"], yardstick.get("name"), yardstick.get("value"),
                         budget.get("value"), budget.get("ratio"))
    return group


def all_groups():
    groups = {"startup": startup, "one_turn": one_turn, "binary_size": binary_size}
    for path in sorted(DRIVERS.glob("*_bench")):
        if path.name != "process_bench":
            groups[path.name.removesuffix("_bench")] = driver_group(path)
    return groups


def peers_of(arguments):
    peers = {}
    for argument in arguments:
        name, _, path = argument.partition("=")
        path = shutil.which(path or name)
        if path is None:
            sys.stderr.write(f"script/bench: no program for the peer {argument}\n")
            sys.exit(2)
        peers[name] = path
    return peers


def main():
    groups = all_groups()
    parser = argparse.ArgumentParser(prog="script/bench")
    parser.add_argument("--only", action="append", choices=list(groups), default=[])
    parser.add_argument("--peer", action="append", default=[], metavar="NAME[=PATH]")
    parser.add_argument("--require", action="store_true")
    arguments = parser.parse_args()

    figures = []
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as scratch:
        home = Path(scratch) / "home"
        home.mkdir()
        context = Context(Path(scratch), peers_of(arguments.peer),
                          {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
        for name in arguments.only or groups:
            print(name, flush=True)
            for figure in groups[name](context):
                print(figure.line(), flush=True)
                figures.append(figure)

    results = {}
    if arguments.only and RESULTS.exists():
        kept = json.loads(RESULTS.read_text())
        results = {name: value for name, value in kept.items()
                   if name.split(".")[0] not in arguments.only}
    for figure in figures:
        ratio = None if figure.ratio is None else round(figure.ratio, 3)
        results[figure.name] = {"value": round(figure.value, 4), "unit": figure.unit,
                                "ratio": ratio, "yardstick": figure.yardstick}
    RESULTS.write_text(json.dumps(results, indent=2, ensure_ascii=False) + "\n")
    return 1 if arguments.require and any(figure.over for figure in figures) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
