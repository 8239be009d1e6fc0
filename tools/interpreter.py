"""`python3 tools/interpreter.py`: prints the Python that `make` takes where none is named.

That is `python3`, unless the system's own is of the same version and far faster: a Python that was compiled without
profile-guided optimization, as pyenv compiles by default, takes 1.7 times the processor time for everything. Both are
measured; their build settings do not say it (Debian's name no optimization and have all).
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable

_ROUNDS = 3
# Another Python is worth its surprise only from here on, far beyond what measuring may err.
_WORTH = 1.25
# Prints the version and the processor seconds of calls, texts, patterns and JSON. Virtual environments can be made.
_PROGRAM = """
import ensurepip, sys, venv
import json, re, time

class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def moved(self, by):
        return Point(self.x + by.x, self.y + by.y)

def work():
    point, step, seen = Point(0, 0), Point(1, 2), {}
    for number in range(40000):
        point = point.moved(step)
        seen[number & 255] = "-".join(("a", str(point.x)))
    for _ in range(4000):
        re.sub(r"(\\w+)-(\\d+)", r"\\2-\\1", "one-12 two-34")
    for _ in range(200):
        json.loads(json.dumps({"rows": [[1, "text", None]] * 40}))

began = time.process_time()
work()
print(sys.version_info[0], sys.version_info[1], time.process_time() - began)
"""


def fastest(programs: Iterable[str]) -> str:
    """The first of `programs`, unless another of its version is far faster. One that fails is left out."""
    first, *others = programs
    seconds: dict[str, float] = {}
    versions: dict[str, str] = {}
    # In turns, so that other work on the machine slows all of them.
    for _ in range(_ROUNDS):
        for program in (first, *others):
            if (measured := _measure(program)) is not None:
                versions[program], spent = measured
                seconds[program] = min(spent, seconds.get(program, spent))
    if first not in seconds:
        return first
    rivals = [each for each in others if each in seconds and versions[each] == versions[first]]
    best = min(rivals, key=seconds.__getitem__, default=first)
    return best if seconds[best] * _WORTH < seconds[first] else first


def _measure(program: str) -> tuple[str, float] | None:
    path = shutil.which(program)
    if path is None:
        return None
    done = subprocess.run([path, "-c", _PROGRAM], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    major, minor, seconds = done.stdout.split()
    return f"{major}.{minor}", float(seconds)


if __name__ == "__main__":
    sys.stdout.write(f"{fastest(('python3', '/usr/bin/python3'))}\n")
