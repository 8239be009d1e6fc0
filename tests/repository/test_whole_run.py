"""support.whole_run: an interrupted run of the tests leaves no process behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.stacks import ROOT

# As supervisors detach themselves: a session of their own, and their parents have ended. One ends by itself.
_TEST = """
import os, subprocess, time
from pathlib import Path

def start(seconds, file):
    subprocess.run(["sh", "-c", f"setsid sleep {{seconds}} & echo $! > part; mv part {{file}}"], check=True)

def test_that_starts_something():
    start(0, "ended")
    end = time.monotonic() + 20
    while os.path.exists("/proc/" + Path("ended").read_text().strip()):
        assert time.monotonic() < end, "nobody has buried a process that has ended"
        time.sleep(0.05)
    start(600, "started")
    time.sleep({seconds})
"""


def _run(folder: Path, seconds: int) -> subprocess.Popen[str]:
    (folder / "test_it.py").write_text(_TEST.format(seconds=seconds))
    command = [sys.executable, "-m", "tests.support.whole_run", "-q", "-p", "no:cacheprovider", str(folder)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=folder, env=environ, stdout=subprocess.PIPE, text=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform != "linux", reason="Linux hands orphans to a process that asks for them")
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGHUP])
def test_detached_process_ends_with_the_run(tmp_path: Path, number: signal.Signals | None) -> None:
    run = _run(tmp_path, seconds=600 if number else 0)
    while not (tmp_path / "started").exists():
        assert run.poll() in (None, 0)
        time.sleep(0.05)
    detached = int((tmp_path / "started").read_text())
    if number:
        assert _is_running(detached)
        run.send_signal(number)
    run.communicate(timeout=60)
    assert not _is_running(detached)
    assert run.returncode == (2 if number else 0)
