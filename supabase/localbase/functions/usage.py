"""Resources that processes and threads use, as the system accounts them: `/proc` on Linux, `ps` elsewhere."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

_LINUX = sys.platform == "linux"
_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")
# A tenth of the share of others, where processors are short: enough for pictures to get done.
_LOW_PRIORITY = 10


def resident_bytes(pids: Iterable[int]) -> dict[int, int]:
    """Resident memory of processes. One that has ended is left out."""
    if not _LINUX:
        return _by_ps(list(pids))
    sizes = {}
    for pid in pids:
        with contextlib.suppress(OSError, IndexError):
            sizes[pid] = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    return sizes


def _by_ps(pids: list[int]) -> dict[int, int]:
    if not pids:
        return {}
    command = ["ps", "-o", "pid=,rss=", "-p", ",".join(map(str, pids))]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {int(pid): int(size) * 1024 for pid, size in (line.split() for line in shown.splitlines())}


def cpu_seconds(pid: int, thread: int | None = None) -> float:
    """Processor time of a process, or of one of its threads; 0 where the system does not say it."""
    if not _LINUX:
        return 0.0
    path = f"/proc/{pid}/stat" if thread is None else f"/proc/{pid}/task/{thread}/stat"
    try:
        # The name, in brackets, may hold blanks: the fields behind it are counted.
        fields = Path(path).read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def lower_priority(pid: int, thread: int | None) -> None:
    """Lets all others go before a thread, and before its process's session. Linux has priorities for both.

    Without a thread only before the session: a thread never gets its place back.
    """
    if _LINUX:
        if thread is not None:
            with contextlib.suppress(OSError):  # it has ended
                os.setpriority(os.PRIO_PROCESS, thread, _LOW_PRIORITY)
        _set_session_priority(pid, _LOW_PRIORITY)


def restore_priority(pid: int) -> None:
    """Gives the session its place back. A thread has its priority until it ends."""
    if _LINUX:
        _set_session_priority(pid, 0)


def _set_session_priority(pid: int, nice: int) -> None:
    with contextlib.suppress(
        OSError
    ):  # it has ended, or the kernel does not group processes by their sessions
        Path(f"/proc/{pid}/autogroup").write_text(str(nice), encoding="ascii")
