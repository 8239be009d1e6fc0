"""The end of processes that do not end by themselves, on a system that lacks what helps it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.localbase.integration.small_project import is_alive

_SUPERVISOR = """
import json, sys
from pathlib import Path
from localbase.cli.stack.children import Standbys
from localbase.cli.stack.health import HealthPolicy
from localbase.cli.stack.processes import Process
from localbase.cli.stack.sockets import HeldSockets
from localbase.cli.stack.supervisor import Supervisor, wake_up_pipe

state, programs = Path(sys.argv[1]), json.loads(sys.argv[2])
processes = [
    Process(name, (sys.executable, "-c", code), Path("/"), tier=tier)
    for tier, (name, code) in enumerate(programs.items())
]
signals = wake_up_pipe()
policy = HealthPolicy(grace=float(sys.argv[3]))
supervisor = Supervisor(state, processes, HeldSockets(), policy, {}, Standbys(), lambda: None)
print(supervisor.serve(signals).name, supervisor.is_at_rest, flush=True)
"""
_IMPORTS = "import os, pathlib, signal, subprocess, time; "
_WAITS = "pathlib.Path({!r}).write_text(str(os.getpid())); time.sleep(60)"
_STUBBORN = f"{_IMPORTS}[signal.signal(word, signal.SIG_IGN) for word in (2, 3, 15)]; {_WAITS}"
_OUTLIVED = f"{_IMPORTS}subprocess.Popen(['sleep', '4'], start_new_session=True, close_fds=False); {_WAITS}"


class Supervised:
    """A supervisor of programs, each of which has written its process id when it runs."""

    def __init__(
        self,
        folder: Path,
        programs: dict[str, str],
        environ: dict[str, str] | None = None,
        *,
        grace: float = 0.2,
    ) -> None:
        self.folder = folder
        (folder / "logs").mkdir()
        code = {name: text.format(str(folder / name)) for name, text in programs.items()}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SUPERVISOR, str(folder), json.dumps(code), str(grace)],
            env=environ,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pids = [self._pid(name) for name in programs]

    def _pid(self, name: str) -> int:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            path = self.folder / name
            if path.exists() and (text := path.read_text()):
                return int(text)
            time.sleep(0.02)  # polling a file of another process: there is nothing to wait on
        raise AssertionError(f"{name} does not run")

    def result(self) -> str:
        out, _ = self.process.communicate(timeout=60)
        return out.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    tmp_path.chmod(0o755)
    yield tmp_path


def test_stubborn_processes_are_killed_where_no_program_is_found(folder: Path) -> None:
    supervised = Supervised(folder, {"postgres": _STUBBORN, "gateway": _STUBBORN}, {"PATH": str(folder)})
    supervised.process.terminate()
    assert supervised.result() == "SIGTERM True"
    assert not any(map(is_alive, supervised.pids))
    log = (folder / "logs" / "postgres.log").read_text()
    assert [word in log for word in ("sent SIGINT", "sent SIGQUIT", "sent SIGKILL")] == [False, True, True]


@pytest.mark.parametrize(
    "damage",
    [
        "removed",
        pytest.param("full", marks=pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")),
    ],
)
def test_stubborn_processes_are_killed_where_no_log_can_be_written(folder: Path, damage: str) -> None:
    supervised = Supervised(folder, {"postgres": _STUBBORN, "gateway": _STUBBORN})
    shutil.rmtree(folder / "logs")
    if damage == "full":
        (folder / "logs").mkdir()
        for name in ("postgres", "gateway"):
            (folder / "logs" / f"{name}.log").symlink_to("/dev/full")
    supervised.process.terminate()
    assert supervised.result() == "SIGTERM True"
    assert not any(map(is_alive, supervised.pids))


def test_request_to_stop_is_heard_while_the_database_is_outlived(folder: Path) -> None:
    supervised = Supervised(folder, {"postgres": _OUTLIVED}, grace=1)
    supervised.process.send_signal(signal.SIGUSR1)
    (database,) = supervised.pids
    while is_alive(database):
        time.sleep(0.02)  # polling another process's child: there is nothing to wait on
    supervised.process.terminate()
    assert supervised.result() == "SIGTERM False"


def _restarted(supervised: Supervised, name: str) -> int:
    """Kills a process; the id of the one that is started in its place."""
    path = supervised.folder / name
    before = int(path.read_text())
    os.kill(before, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while not (text := path.read_text()) or int(text) == before:
        assert time.monotonic() < deadline, f"{name} is not started again"
        time.sleep(0.02)  # polling a file of another process: there is nothing to wait on
    return int(text)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_processes_are_started_again_without_a_report_that_comes_later(folder: Path) -> None:
    supervised = Supervised(folder, {"gateway": _STUBBORN})
    partial = folder / "supervisor.json.partial"
    partial.symlink_to("/dev/full")
    started = _restarted(supervised, "gateway")
    partial.unlink()
    deadline = time.monotonic() + 60
    while json.loads((folder / "supervisor.json").read_text())["processes"] != {"gateway": started}:
        assert time.monotonic() < deadline, "the report is never written again"
        time.sleep(0.02)  # polling a file of another process: there is nothing to wait on
    supervised.process.terminate()
    assert supervised.result() == "SIGTERM True"


def test_supervisor_of_a_removed_folder_serves_on_and_writes_into_no_other(folder: Path) -> None:
    state = folder / "state"
    state.mkdir()
    supervised = Supervised(state, {"postgres": _STUBBORN, "gateway": _STUBBORN})
    shutil.rmtree(state)
    state.mkdir()
    postgres, gateway = supervised.pids
    os.kill(gateway, signal.SIGKILL)
    while _exists(gateway):
        time.sleep(0.02)  # polling another process's child: there is nothing to wait on
    supervised.process.terminate()
    assert supervised.result() == "SIGTERM True"
    assert not is_alive(postgres)
    assert list(state.iterdir()) == []


def _exists(pid: int) -> bool:
    """Tell whether a process is there, be it as one that has ended and whose parent has not looked."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
