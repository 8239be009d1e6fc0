"""The running stack as seen from a command: is it up, start it, stop it, wait until it serves."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from contextlib import suppress
from typing import Any
from urllib.parse import SplitResult, urlsplit

from localbase.cli.stack.lock import is_held
from localbase.cli.stack.processes import Process
from localbase.cli.terminal import Progress, say
from localbase.core.errors import UserError
from localbase.core.log_text import as_text
from localbase.core.project import Project
from localbase.core.web.identity import HEADER

_POLL_SECONDS, _ANSWER_SECONDS = 0.03, 2.0
# For a busy machine: one that fails is noticed by its end, not by its slowness.
_READY_SECONDS, _REPORT_SECONDS = 180.0, 30.0
# So many starts have failed when a process is given up. All wait for the database, which the sessions of a killed one
# may keep from starting for some seconds.
_RESTARTS, _SESSION_SECONDS = 3, 5.0
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


def wait_report(project: Project) -> dict[str, Any]:
    """The account of a supervisor that runs, as soon as it gives one: a full disk may keep it from that."""
    deadline = time.monotonic() + _REPORT_SECONDS
    while not (project.state / "supervisor.json").exists():
        if not is_running(project) or time.monotonic() > deadline:
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
    before = _account(project).get("restarts", {})
    for process in processes:
        with progress.step(process.name):
            _wait_until_ready(project, process, before)
        for line in _warnings(project, process.name):
            say(line)


def _wait_until_ready(project: Project, process: Process, before: dict[str, int]) -> None:
    began = time.monotonic()
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
        waited = time.monotonic() - began
        restarts = _account(project).get("restarts", {})
        awaited = [process.name, *(["postgres"] if waited > _SESSION_SECONDS else [])]
        failed = [name for name in awaited if restarts.get(name, 0) - before.get(name, 0) >= _RESTARTS]
        if failed or waited > _READY_SECONDS:
            name = failed[-1] if failed else process.name
            raise NotReady(
                f"{name} did not start. The end of its log:\n{_log_tail(project, name)}",
                f"The whole log: {project.state / 'logs' / (name + '.log')}",
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
    """Tell whether it answers with 200, or leads on to another address.

    At a socket that is held the request waits until the process accepts it.
    """
    if not process.ready:
        return True
    address = urlsplit(process.ready)
    path = address._replace(scheme="", netloc="").geturl() or "/"
    request = f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n"
    head = b""
    try:
        with _connection(address) as connection:
            connection.sendall(request.encode())
            while b"\r\n\r\n" not in head and (part := connection.recv(4096)):
                head += part
    except OSError:
        return False
    status, *lines = head.decode("latin-1").split("\r\n")
    is_this_stacks = not process.is_own or f"{HEADER}: {identity}".lower() in map(str.lower, lines)
    return status.partition(" ")[2].startswith(("200", "3")) and is_this_stacks


def _connection(address: SplitResult) -> socket.socket:
    host, is_plain = address.hostname or "", address.scheme == "http"
    where = host, address.port or (80 if is_plain else 443)
    connection = socket.create_connection(where, timeout=_ANSWER_SECONDS)
    if is_plain:
        return connection
    # Of a process elsewhere.
    import ssl

    return ssl.create_default_context().wrap_socket(connection, server_hostname=host)


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
