"""The running stack as seen from a command: is it up, start it, stop it, wait until it serves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from localbase.cli.stack.lock import is_held
from localbase.cli.stack.processes import Process
from localbase.cli.terminal import Progress, say
from localbase.core.errors import UserError
from localbase.core.log_text import as_text
from localbase.core.project import Project
from localbase.core.web.identity import HEADER

_POLL_SECONDS = 0.03
# For a busy machine: one that fails is noticed by its end, not by its slowness.
_READY_SECONDS, _REPORT_SECONDS = 180.0, 30.0
# The supervisor gives each signal to each tier of processes ten seconds, and as many to what outlives the database; it
# is overdue when it takes longer than all of them.
_STOP_SECONDS = 90.0


class NotReady(UserError):
    """A process that does not serve."""


class PortLost(NotReady):
    """A process without its port, which another program has."""


def is_running(project: Project) -> bool:
    """Tell whether a supervisor holds the project's lock."""
    try:
        return is_held(project.state / "supervisor.lock")
    except (FileNotFoundError, NotADirectoryError):
        return False


def require_running(project: Project) -> None:
    """Raises `UserError` where the stack does not run."""
    if not is_running(project):
        raise UserError(f"{project.settings.project_id} is not running.", "Start it with `supabase start`.")


def report(project: Project) -> dict[str, Any]:
    """The supervisor's own account: `pid`, `processes` (name to id), `restarts`, `ports` (private), `listening`."""
    account: dict[str, Any] = json.loads((project.state / "supervisor.json").read_text(encoding="utf-8"))
    return account


def launch(
    project: Project, environ: dict[str, str], lock: int, sockets: list[int]
) -> subprocess.Popen[bytes]:
    """Starts the supervisor in the background, detached from this terminal, with the descriptors of `sockets`.

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
                *(sys.executable, "-m", "localbase.cli.stack.supervisor", "--workdir", str(project.root)),
                *("--command-lock", str(lock), "--sockets", *map(str, sockets)),
            ],
            pass_fds=(lock, *sockets),
            cwd=project.root,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )


def wait_report(project: Project, supervisor: subprocess.Popen[bytes] | None = None) -> dict[str, Any]:
    """The account of a supervisor that has just been launched, as soon as it gives one.

    `supervisor` is it, where this process has launched it.
    """
    deadline = time.monotonic() + _REPORT_SECONDS
    while not (project.state / "supervisor.json").exists():
        has_ended = supervisor is not None and supervisor.poll() is not None
        if has_ended or time.monotonic() > deadline:
            raise UserError(
                f"The stack did not start. The end of its log:\n{_log_tail(project, 'supervisor')}",
                f"The whole log: {project.state / 'logs' / 'supervisor.log'}",
            )
        time.sleep(_POLL_SECONDS)  # polling a file of another process: there is nothing to wait on
    return report(project)


def all_serve(project: Project, processes: list[Process]) -> bool:
    """Tell whether every process serves."""
    return all(_serves(process, project.identity) for process in processes)


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
    while not _serves(process, project.identity):
        # Asked before the account is read: its last word is in that.
        is_alive = is_running(project)
        if lost := _account(project).get("lost"):
            raise PortLost(
                f"{lost['process']} cannot have its port {lost['port']}: another program listens there.",
                "Stop that program, or choose another port in supabase/config.toml, and try again.",
            )
        if not is_alive:
            raise UserError(
                f"The stack was ended while it started. The end of its log:\n{_log_tail(project, 'supervisor')}",
                f"Start it again. The whole log: {project.state / 'logs' / 'supervisor.log'}",
            )
        if _restarts(project, process.name) >= 3 or time.monotonic() > deadline:
            raise NotReady(
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
        # It may end by itself in this moment.
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
    except PermissionError as error:
        raise UserError(
            f"The stack (process {pid}) was started by another user.", "Stop it as that user, or as root."
        ) from error
    deadline = time.monotonic() + _STOP_SECONDS
    while is_running(project):
        if time.monotonic() > deadline:
            # It hangs. Its processes end with it, as when it is killed.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            deadline = float("inf")
        time.sleep(_POLL_SECONDS)  # not our child: flock alone waits for it, and has no time limit
    return True


def _serves(process: Process, identity: str) -> bool:
    if not process.ready:
        return True
    # Here: it takes a tenth of a command's time, and most commands wait for no process.
    import urllib.error
    import urllib.request

    try:
        with urllib.request.urlopen(process.ready, timeout=2) as response:  # noqa: S310 - our own address
            is_this_stacks = not process.is_own or response.headers.get(HEADER) == identity
            return bool(response.status == 200) and is_this_stacks
    except (urllib.error.URLError, OSError):
        return False


def _restarts(project: Project, name: str) -> int:
    return int(_account(project).get("restarts", {}).get(name, 0))


def _account(project: Project) -> dict[str, Any]:
    try:
        return report(project)
    except (FileNotFoundError, ValueError):
        return {}


def _warnings(project: Project, name: str) -> list[str]:
    """Return what a process warned of as it started: lines of its log that begin so."""
    path = project.state / "logs" / f"{name}.log"
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    return [line for line in text.splitlines() if line.startswith("warning: ")]


def _log_tail(project: Project, name: str) -> str:
    for candidate in (name, "supervisor"):
        path = project.state / "logs" / f"{candidate}.log"
        if path.exists() and (text := path.read_text(encoding="utf-8", errors="replace").strip()):
            return "\n".join("  " + as_text(line) for line in text.splitlines()[-15:])
    return "  (empty)"
