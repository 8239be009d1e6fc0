"""What else the machine does while something is measured: the processor time of processes that are not the bench's.

On Linux. A process is the bench's that descends from this one, or from one that inherited its mark: the supervisor of a
stack is nobody's child.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass
from pathlib import Path

_MARK = "LOCALBASE_BENCH"
# So often what has ended meanwhile is still counted as the bench's.
_SECONDS = 1.0
# Less is the system's own housekeeping.
_MENTIONED = 0.1
_TICKS = os.sysconf("SC_CLK_TCK")


class OtherLoad:
    """Counts from its start until `stop`. `stacks` are processes of stacks that are measured and ran before."""

    def __init__(self, stacks: list[int]) -> None:
        os.environ[_MARK] = str(os.getpid())
        self._mark = f"{_MARK}={os.getpid()}".encode()
        self._roots = {os.getpid(), *stacks}
        # Of every process that was seen: its environment is read once.
        self._is_marked: dict[int, bool] = {}
        self._processors = 0.0
        self._seconds = 0.0
        self._before = self._counted()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def stop(self) -> str:
        """A line that says what other processes took, where that was much; or nothing."""
        self._over.set()
        self._thread.join()
        self._look()
        share = self._processors / max(self._seconds, 1e-9)
        if share < _MENTIONED:
            return ""
        load = Path("/proc/loadavg").read_text().split()[0]
        return f"    meanwhile others took {share:.1f} of {os.cpu_count()} processors, load {load}\n"

    def _watch(self) -> None:
        while not self._over.wait(_SECONDS):
            self._look()

    def _look(self) -> None:
        now = self._counted()
        moment, busy, own = (new - old for new, old in zip(now, self._before, strict=True))
        self._before = now
        self._seconds += moment
        # Where a stack of the bench has ended, its time has gone with it.
        self._processors += max(0.0, busy - max(0.0, own))

    def _counted(self) -> tuple[float, float, float]:
        """The moment, the machine's processor time and that of the bench's processes, all in seconds."""
        uptime = float(Path("/proc/uptime").read_text().split()[0])
        user, nice, system, _, _, _, _, steal = map(int, Path("/proc/stat").read_text().split()[1:9])
        return uptime, (user + nice + system + steal) / _TICKS, self._own_seconds()

    def _own_seconds(self) -> float:
        processes = _processes()
        for pid in processes.keys() - self._is_marked.keys():
            self._is_marked[pid] = self._mark in _read(pid, "environ").split(b"\0")
        own = {pid for pid in processes if self._is_marked[pid] or pid in self._roots}
        # A child's number may be below its parent's: until a round adds none.
        while more := {pid for pid, each in processes.items() if pid not in own and each.parent in own}:
            own |= more
        return sum(processes[pid].seconds for pid in own)


@dataclass(frozen=True, slots=True)
class _Process:
    """A process's parent, and its processor time with that of its children that have ended."""

    parent: int
    seconds: float


def _processes() -> dict[int, _Process]:
    processes = {}
    for pid in [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]:
        # The name, in brackets, may hold anything.
        fields = _read(pid, "stat").rpartition(b")")[2].split()
        if fields:
            processes[pid] = _Process(int(fields[1]), sum(map(int, fields[11:15])) / _TICKS)
    return processes


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""
