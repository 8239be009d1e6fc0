"""The running stack as seen from a command: is it up, start it, stop it, wait until it serves."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
from typing import Any

from localbase.cli.processes import Process
from localbase.cli.terminal import Progress, say
from localbase.core.errors import UserError
from localbase.core.log_text import as_text
from localbase.core.project import Project

_POLL_SECONDS = 0.03
_PORT_SECONDS = 3.0
# For a busy machine: one that fails is noticed by its end, not by its slowness.
_READY_SECONDS, _REPORT_SECONDS = 180.0, 30.0
# The supervisor gives each signal to each tier of processes ten seconds, and as many to what outlives the database; it
# is overdue when it takes longer than all of them.
_STOP_SECONDS = 90.0


def is_running(project: Project) -> bool:
    """Whether a supervisor holds the project's lock."""
    path = project.state / "supervisor.lock"
    if not path.exists():
        return False
    with path.open("r") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def require_running(project: Project) -> None:
    """Raises `UserError` where the stack does not run."""
    if not is_running(project):
        raise UserError(f"{project.settings.project_id} is not running.", "Start it with `supabase start`.")


def report(project: Project) -> dict[str, Any]:
    """The supervisor's own account: `pid`, `processes` (name to id), `restarts`, `ports` (private), `listening`."""
    account: dict[str, Any] = json.loads((project.state / "supervisor.json").read_text(encoding="utf-8"))
    return account


def launch(project: Project, environ: dict[str, str], lock: int) -> subprocess.Popen[bytes]:
    """Starts the supervisor in the background, detached from this terminal.

    It holds the command's lock (the descriptor `lock`) too until it has its own: were this command killed now, the next
    would find either.
    """
    logs = project.state / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for path in logs.glob("*.log"):
        path.replace(path.with_suffix(".log.1"))
    (project.state / "supervisor.json").unlink(missing_ok=True)
    with (logs / "supervisor.log").open("ab") as log:
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "localbase.cli.supervisor", "--workdir", str(project.root)),
                *("--command-lock", str(lock)),
            ],
            pass_fds=(lock,),
            cwd=project.root,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def wait_report(project: Project) -> dict[str, Any]:
    """The account of a supervisor that has just been launched, as soon as it gives one."""
    deadline = time.monotonic() + _REPORT_SECONDS
    while not (project.state / "supervisor.json").exists():
        if time.monotonic() > deadline:
            raise UserError(
                f"The stack did not start. The end of its log:\n{_log_tail(project, 'supervisor')}",
                f"The whole log: {project.state / 'logs' / 'supervisor.log'}",
            )
        time.sleep(_POLL_SECONDS)  # polling a file of another process: there is nothing to wait on
    return report(project)


def wait_ready(project: Project, processes: list[Process]) -> None:
    """Waits until every process serves, showing each and what it warned of. Raises `UserError` when one fails."""
    progress = Progress()
    for process in processes:
        with progress.step(process.name):
            _wait_until_ready(project, process)
        for line in _warnings(project, process.name):
            say(line)


def _wait_until_ready(project: Project, process: Process) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while not _serves(process):
        if _restarts(project, process.name) >= 3 or not _alive(project) or time.monotonic() > deadline:
            raise UserError(
                f"{process.name} did not start. The end of its log:\n{_log_tail(project, process.name)}",
                f"The whole log: {project.state / 'logs' / (process.name + '.log')}",
            )
        time.sleep(_POLL_SECONDS)  # polling an address of another process: there is nothing to wait on


def stop(project: Project) -> bool:
    """Stops the stack and waits until all of it has gone. Answers whether it ran."""
    if not is_running(project):
        return False
    pid = int(wait_report(project)["pid"])
    try:
        os.kill(pid, signal.SIGTERM)
    except PermissionError as error:
        raise UserError(
            f"The stack (process {pid}) was started by another user.", "Stop it as that user, or as root."
        ) from error
    deadline = time.monotonic() + _STOP_SECONDS
    while is_running(project):
        if time.monotonic() > deadline:
            # It hangs. Its processes end with it, as when it is killed.
            os.kill(pid, signal.SIGKILL)
            deadline = float("inf")
        time.sleep(_POLL_SECONDS)  # not our child: flock alone waits for it, and has no time limit
    return True


def require_free_ports(ports: list[tuple[int, str]]) -> None:
    """Raises `UserError` naming every port that another program holds, with the setting that moves it.

    A port gets a few seconds to come free: a stack that was killed takes its leave, and an outgoing connection may have
    been given the port by chance.
    """
    deadline = time.monotonic() + _PORT_SECONDS
    while used_ports := [(port, setting) for port, setting in ports if not is_free(port)]:
        if time.monotonic() > deadline:
            lines = [
                f"Port {port} is taken by another program (setting: {setting})."
                for port, setting in used_ports
            ]
            raise UserError("\n".join(lines), "Stop that program, or choose another port in that setting.")
        time.sleep(_POLL_SECONDS)  # the system has no event for a port that comes free


def is_free(port: int) -> bool:
    """Whether no program listens on a port of this machine."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _serves(process: Process) -> bool:
    if not process.ready:
        return True
    # Here: it takes a tenth of a command's time, and most commands wait for no process.
    import urllib.error
    import urllib.request

    try:
        with urllib.request.urlopen(process.ready, timeout=2) as response:  # noqa: S310 - our own address
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _alive(project: Project) -> bool:
    # The supervisor takes its lock within its first moments.
    deadline = time.monotonic() + 5
    while not is_running(project):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def _restarts(project: Project, name: str) -> int:
    try:
        return int(report(project)["restarts"].get(name, 0))
    except (FileNotFoundError, ValueError):
        return 0


def _warnings(project: Project, name: str) -> list[str]:
    """What a process warned of as it started: lines of its log that begin so."""
    path = project.state / "logs" / f"{name}.log"
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return [line for line in text.splitlines() if line.startswith("warning: ")]


def _log_tail(project: Project, name: str) -> str:
    for candidate in (name, "supervisor"):
        path = project.state / "logs" / f"{candidate}.log"
        if path.exists() and (text := path.read_text(encoding="utf-8", errors="replace").strip()):
            return "\n".join("  " + as_text(line) for line in text.splitlines()[-15:])
    return "  (empty)"
