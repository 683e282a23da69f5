"""What the black-box tests share: the program, run with a scratch HOME."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASSENT = os.environ.get("ASSENT", str(ROOT / "build" / "release" / "assent"))


# What a test's program may know of the machine: no key, no address, no setting of the user's.
KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "LOGNAME", "SHELL",
                  "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")


def environment(**extra):
    """A scrubbed environment with the test's own HOME, and what is given."""
    kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    kept.update(extra)
    return kept


def assent(*arguments, cwd=None, stdin="", timeout=60, wrapper=(), **extra):
    """Runs the program to its end; standard input is what `stdin` holds."""
    return subprocess.run([*wrapper, ASSENT, *arguments], cwd=cwd, input=stdin, text=True,
                          capture_output=True, timeout=timeout, env=environment(**extra))


def events(output):
    """The events that --json printed."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def of_type(log, *types):
    return [event for event in log if event["type"] in types]


def for_call(log, call_id):
    """The types of a call's events, in the log's order; its approval pair included."""
    asked = {event["data"]["id"] for event in of_type(log, "approval/asked")
             if event["data"].get("callId") == call_id}
    found = []
    for event in log:
        data = event["data"]
        if data.get("callId") == call_id or (event["type"] == "approval/decided" and
                                             data["id"] in asked):
            found.append(event["type"])
    return found


def results(log):
    return {event["data"]["callId"]: event["data"] for event in of_type(log, "tool/result")}


def tree_digest(folder):
    """One digest over every path below `folder` and its content."""
    digest = hashlib.sha256()
    for path in sorted(Path(folder).rglob("*")):
        digest.update(str(path.relative_to(folder)).encode() + b"\0")
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()


def accept_partial(preset=None):
    """The user's configuration in the scratch HOME."""
    folder = Path(os.environ["HOME"]) / ".config" / "assent"
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f'preset = "{preset}"\n'] if preset else []
    (folder / "config.toml").write_text("".join(lines) + "[sandbox]\naccept_partial = true\n")


def script_model(folder, *messages):
    """A file for --model script:FILE."""
    path = Path(folder) / "model.jsonl"
    path.write_text("".join(json.dumps(message) + "\n" for message in messages))
    return f"script:{path}"


def call(name, arguments, call_id="c1"):
    return {"id": call_id, "name": name, "arguments": arguments}
