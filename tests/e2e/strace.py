"""Which system calls a program and its children made, as strace saw them."""

import re
from dataclasses import dataclass

LINE = re.compile(r"^(?P<pid>\d+)\s+(?P<name>\w+)\((?P<arguments>.*)\)\s+=\s"
                  r"(?P<result>\S+)(?P<note>.*)$")
UNFINISHED = re.compile(r"^(?P<pid>\d+)\s+(?P<name>\w+)\((?P<start>.*?)\s*<unfinished \.\.\.>$")
RESUMED = re.compile(r"^(?P<pid>\d+)\s+<\.\.\. (?P<name>\w+) resumed>(?P<rest>.*)$")


@dataclass(frozen=True)
class Call:
    pid: int
    name: str
    arguments: str  # as strace prints them
    result: str  # a number, or "?" where the process ended in it
    note: str  # what follows the result, e.g. "ENOENT (No such file or directory)"

    @property
    def succeeded(self):
        return not self.result.startswith(("-", "?"))


class Strace:
    """Run a program with `wrapper` in front, then read `calls()`.

        trace = Strace(folder, "execve,connect")
        assent("run", "…", wrapper=trace.wrapper)
        trace.calls("execve")
    """

    def __init__(self, folder, what, string_limit=4096):
        self.path = f"{folder}/strace.txt"
        self.wrapper = ["strace", "-f", "-qq", "-s", str(string_limit), "-e", f"trace={what}",
                        "-e", "signal=none", "-o", self.path]

    def calls(self, *names):
        """The calls in the order of their ends, those of `names` where some are given."""
        with open(self.path, encoding="utf-8", errors="replace") as file:
            found = parse(file.read())
        return [call for call in found if not names or call.name in names]


def parse(text):
    calls = []
    open_calls = {}
    for line in text.splitlines():
        started = UNFINISHED.match(line)
        if started:
            open_calls[started["pid"], started["name"]] = started["start"]
            continue
        resumed = RESUMED.match(line)
        if resumed:
            start = open_calls.pop((resumed["pid"], resumed["name"]), "")
            line = f"{resumed['pid']} {resumed['name']}({start}{resumed['rest']}"
        call = LINE.match(line)
        if call:
            calls.append(Call(int(call["pid"]), call["name"], call["arguments"], call["result"],
                              call["note"].strip()))
    return calls
