"""Children of the supervisor: those of its image before, and those that are imported before they are wanted."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from localbase.cli.stack.children import InheritedChild, Standbys
from localbase.cli.stack.preloaded import send_start
from localbase.cli.stack.processes import Process

from tests.support.stacks import ROOT

_ALWAYS = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}


def begun_ahead(there: socket.socket, environ: dict[str, str]) -> subprocess.Popen[bytes]:
    number = there.fileno()
    command = [
        sys.executable,
        "-m",
        "localbase.cli.stack.preloaded",
        str(number),
        "tests.support.shown_start",
        "--x",
        "1",
    ]
    return subprocess.Popen(command, cwd=ROOT, env=environ, pass_fds=[number], stdout=subprocess.PIPE)


def started_ahead(environ: dict[str, str]) -> tuple[dict[str, Any], int]:
    """Return what a process shows that was imported ahead and begins in `environ`, and its socket's port."""
    here, there = socket.socketpair()
    with here, there, socket.create_server(("127.0.0.1", 0)) as listener:
        child = begun_ahead(there, {"BEFORE": "1", **_ALWAYS})
        send_start(here, environ, {"LOCALBASE_SHOWN_FD": listener.fileno()})
        out, _ = child.communicate(timeout=60)
        assert child.returncode == 0
        return json.loads(out), listener.getsockname()[1]


def test_process_that_was_imported_ahead_begins_as_if_it_started_now() -> None:
    # The longest environment that a kernel takes for one variable.
    shown, port = started_ahead({"NOW": "x" * 130_000, **_ALWAYS})
    assert shown == {"arguments": ["--x", "1"], "variables": ["LANG", "NOW", "PATH"], "utf8": 0, "port": port}


def test_environment_that_wants_another_interpreter_gets_one() -> None:
    shown, port = started_ahead({"PYTHONUTF8": "1", **_ALWAYS})
    assert shown == {
        "arguments": ["--x", "1"],
        "variables": ["LANG", "PATH", "PYTHONUTF8"],
        "utf8": 1,
        "port": port,
    }


def test_process_that_was_imported_ahead_ends_with_its_supervisor() -> None:
    here, there = socket.socketpair()
    with there:
        child = begun_ahead(there, dict(os.environ))
    here.close()
    assert child.communicate(timeout=60)[0] == b""
    assert child.returncode == 0


@pytest.fixture
def process(tmp_path: Path) -> Process:
    # A module that ends at once where it has nothing to do, were it started.
    return Process(
        "other", (sys.executable, "-m", "localbase.core.clock"), tmp_path, environ=dict(os.environ)
    )


def test_only_own_programs_are_imported_ahead_and_each_once(tmp_path: Path, process: Process) -> None:
    strange = Process("strange", (sys.executable, "-m", "emulators", "serve"), tmp_path)
    standbys = Standbys()
    for _ in range(2):
        standbys.prepare(
            [process, strange, Process("program", ("sleep", "9"), tmp_path)], tmp_path, os.getpid()
        )
    waiting = json.loads(standbys.for_next_image())
    assert [command for _, _, command in waiting] == [list(process.command)]
    standbys.discard_abandoned()
    assert standbys.are_waiting
    standbys.discard()
    assert not standbys.are_waiting
    with pytest.raises(ProcessLookupError):
        os.kill(waiting[0][0], 0)


def test_standbys_of_a_command_that_has_ended_are_discarded(tmp_path: Path, process: Process) -> None:
    command = subprocess.Popen(["true"])
    command.wait()
    standbys = Standbys()
    standbys.prepare([process], tmp_path, command.pid)
    standbys.discard_abandoned()
    assert not standbys.are_waiting
    standbys.prepare([process], tmp_path, None)
    assert not standbys.are_waiting


def test_standby_that_has_died_is_not_taken(tmp_path: Path, process: Process) -> None:
    standbys = Standbys()
    standbys.prepare([process], tmp_path, os.getpid())
    ((pid, _, _),) = json.loads(standbys.for_next_image())
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert standbys.take(process, {}, {}) is None
    assert standbys.take(process, {}, {}) is None


def test_child_of_the_image_before_is_waited_for_and_ended() -> None:
    # Popen must not wait for it too.
    ended = InheritedChild(os.posix_spawn("/bin/sh", ["sh", "-c", "exit 7"], {}))
    assert (ended.wait(), ended.poll(), ended.returncode) == (7, 7, 7)
    running = InheritedChild(os.posix_spawn("/bin/sleep", ["sleep", "60"], {}))
    assert (running.poll(), running.returncode) == (None, None)
    running.kill()
    assert running.wait() == -signal.SIGKILL
    running.send_signal(signal.SIGTERM)
    strange = InheritedChild(os.getppid())
    assert strange.poll() == 1
