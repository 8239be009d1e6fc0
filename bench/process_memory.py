"""Memory and processor time of processes that belong together, on Linux: those that inherited a variable, or that
containers hold.

PSS counts what processes share once, divided among them; the sum is what the machine would have back.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

_PROC = Path("/proc")


def inheriting(name: str, value: str) -> list[int]:
    """The processes whose environment has the variable; those of other users only where this runs as root."""
    variable = f"{name}={value}".encode()
    return [pid for pid in _all() if variable in _read(_PROC / str(pid) / "environ").split(b"\0")]


def descending(parents: list[int]) -> list[int]:
    """The processes and all that they started."""
    pids = set(parents)
    # A child's number may be below its parent's: until a round adds none.
    while more := {pid for pid in _all() if pid not in pids and _parent(pid) in pids}:
        pids |= more
    return sorted(pids)


def pss(pids: list[int]) -> int:
    """Bytes. Those that ended meanwhile have none; other users' are read by sudo, where it needs no password."""
    return sum(_pss(pid) for pid in pids)


def processor_seconds(pids: list[int]) -> float:
    """The time of the processors that they have had, and that of their children that have ended."""
    return sum(sum(map(int, _fields(pid)[11:15])) for pid in pids) / os.sysconf("SC_CLK_TCK")


def _pss(pid: int) -> int:
    path = _PROC / str(pid) / "smaps_rollup"
    text = _read(path)
    if not text and path.exists() and os.geteuid():
        command = ["sudo", "-n", "cat", str(path)]
        text = subprocess.run(command, capture_output=True, check=True).stdout
    match = re.search(rb"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(match[1]) * 1024 if match else 0


def _parent(pid: int) -> int:
    fields = _fields(pid)
    return int(fields[1]) if fields else 0


def _fields(pid: int) -> list[bytes]:
    # The name, in brackets, may hold anything.
    return _read(_PROC / str(pid) / "stat").rpartition(b")")[2].split()


def _all() -> list[int]:
    return [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit()]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""
