"""`python -m tests.support.whole_run ARGUMENT…`: pytest, of which nothing stays behind.

It says at the start how long a whole run takes. At the end, and where it is interrupted, the stacks and browsers that
the tests have started end with it: on Linux their orphans become children of this process.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from tests.support.stacks import ROOT

_LAST = ROOT / ".localbase" / "last-test-run.txt"
# Linux's PR_SET_CHILD_SUBREAPER
_SUBREAPER = 36
_PATIENCE_SECONDS = 15.0
# Measured on two cores, with as many workers as there are for them.
_CORE_MINUTES = 27


def main(arguments: Sequence[str]) -> int:
    """Runs pytest with these arguments; its exit code."""
    names_tests = any(argument.startswith("tests/") for argument in arguments)
    if not names_tests:
        sys.stdout.write(f"  every test takes {expected_minutes()}\n")
        sys.stdout.flush()
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_SUBREAPER, 1, 0, 0, 0)
    began = time.monotonic()
    tests = subprocess.Popen([sys.executable, "-m", "pytest", *arguments])

    def interrupt(number: int, _frame: FrameType | None) -> None:
        # A terminal's Ctrl-C reaches pytest by itself.
        if number != signal.SIGINT:
            os.kill(tests.pid, signal.SIGINT)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    code = _wait_for(tests.pid)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    if not names_tests and code in (0, 1):
        _LAST.write_text(f"{time.monotonic() - began:.0f}\n")
    end_descendants()
    return code


def _wait_for(process: int) -> int:
    """Waits for the process; its exit code. Buries orphans meanwhile: to others a dead one would seem to live."""
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == process:
            return os.waitstatus_to_exitcode(status)


def expected_minutes() -> str:
    """Return how long a whole run takes: as the last one here, or by the processors."""
    if _LAST.exists():
        return f"about {round(float(_LAST.read_text()) / 60)} minutes, as the last time here"
    cores = os.cpu_count() or 1
    return f"about {round(_CORE_MINUTES / min(cores, 4))} minutes on {min(cores, 4)} cores"


def end_descendants() -> None:
    """Ends what the tests have left: asks first, so that supervisors end their own."""
    end = time.monotonic() + _PATIENCE_SECONDS
    asked: set[int] = set()
    while (left := _children()) and time.monotonic() < 2 * _PATIENCE_SECONDS + end:
        for child in left:
            if time.monotonic() > end:
                os.kill(child, signal.SIGKILL)
            elif child not in asked:
                asked.add(child)
                os.kill(child, signal.SIGTERM)
        time.sleep(0.05)


def _children() -> list[int]:
    """Return this process's children that run; those that have ended are buried."""
    while True:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return []
        if not ended:
            break
    path = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
