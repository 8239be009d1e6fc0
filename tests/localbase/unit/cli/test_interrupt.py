"""Ctrl-C at any moment of a command, from its first import on: no traceback."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

_IMPORTING = """
import sys, time
class Slow:
    def find_spec(self, name, path, target=None):
        if name == "localbase.cli.main":
            print("here", flush=True)
            time.sleep(60)
sys.meta_path.insert(0, Slow())
"""
_RUNNING = """
import sys, time, types
stand_in = types.ModuleType("localbase.cli.main")
def main():
    print("here", flush=True)
    time.sleep({seconds})
    return 7
stand_in.main = main
sys.modules["localbase.cli.main"] = stand_in
"""
_RUN = "import localbase.__main__ as command; raise SystemExit(command.run())"
_IGNORED = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (_IMPORTING, -signal.SIGINT),
        (_RUNNING.format(seconds=60), 130),
        # As of a command in the background of a script.
        (_IGNORED + _RUNNING.format(seconds=0.5), 7),
    ],
    ids=["importing", "running", "ignored"],
)
def test_interrupted_command_ends_without_a_word(code: str, expected: int) -> None:
    command = [sys.executable, "-c", code + _RUN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "here\n"
        child.send_signal(signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    assert (child.returncode, errors) == (expected, "")
