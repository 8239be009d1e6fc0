"""A running supervisor begins anew without letting go of its listening sockets: the request and its execution.

The command writes `restart.json` (a database to put in place or a folder to copy all data to, and the environment to
run in from now on) and sends SIGUSR1. The supervisor stops its processes, swaps or copies the data and executes itself
again: the same process, its lock and its sockets inherited, but with the program, settings and environment of now.
Clients wait in the sockets' queues.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import uuid
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from localbase.cli.data.copies import copy_data
from localbase.cli.data.exchange import DataSwap
from localbase.cli.stack.exclusion import variables
from localbase.core.errors import UserError
from localbase.core.project import Project

# A large project's data takes its time to copy.
_SECONDS, _POLL_SECONDS = 600.0, 0.02
_REPEAT_SECONDS = 3.0
# A request, and one that the supervisor carries out.
_REQUEST, _RUNNING = "restart.json", "restart.json.taken"
# The error of a supervisor whose database's descendants go on.
_OUTLIVED = "processes of the database outlived it"


@dataclass(frozen=True, slots=True)
class RestartRequest:
    """The values for the next image: its environment (empty: the present one), and its data.

    The database at `fresh` takes the place of `data`, or all data is copied to `copy`: one of the two is given.
    """

    id: str
    environ: dict[str, str]
    state: Path
    data: Path
    fresh: Path | None = None
    copy: Path | None = None

    def write(self, path: Path) -> None:
        """Writes it where only the same user can read it, for an environment may hold secrets."""
        values = {
            "id": self.id,
            "environ": self.environ,
            "state": str(self.state),
            "data": str(self.data),
            "fresh": str(self.fresh or ""),
            "copy": str(self.copy or ""),
        }
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(values, file)


def prepare_restart(report: dict[str, Any]) -> None:
    """Has the running supervisor import the next processes ahead, for as long as this command runs.

    The command holds the project's lock. `report` is the supervisor's: one of an earlier localbase cannot do it.
    """
    if report.get("prepares"):
        with suppress(ProcessLookupError):
            os.kill(int(report["pid"]), signal.SIGUSR2)


def restart_with(project: Project, environ: dict[str, str], data: Path, fresh: Path) -> None:
    """Requests a restart of the running supervisor on the database at `fresh`, and waits until it has begun.

    An empty `environ` is the one that it has. Raises `UserError` when the supervisor fails, or could not put the
    database in place; it then serves the old one.
    """
    request = RestartRequest(uuid.uuid4().hex, environ, project.state, data, fresh=fresh)
    if error := _restarted(project, request):
        raise UserError(
            f"The new database could not be put in place: {error}.",
            f"Try again; if it fails once more, check the rights on {data.parent}.",
        )


def copy_at_rest(project: Project, data: Path, copy: Path) -> None:
    """Has the running supervisor stop the stack, copy all data to the folder `copy`, and start the stack again.

    Raises `UserError` where it could not copy; the stack runs on all the same.
    """
    request = RestartRequest(uuid.uuid4().hex, {}, project.state, data, copy=copy)
    if error := _restarted(project, request):
        remedy = f"Try again; if it fails once more, check space and rights in {copy.parent}."
        if error == _OUTLIVED:
            remedy = "A program that the database had started has not ended. The stack runs again: try again later."
        raise UserError(f"The data could not be copied: {error}.", remedy)


def _restarted(project: Project, request: RestartRequest) -> str:
    """Waits until the supervisor has carried out `request`; what went wrong on its way, if anything did."""
    path = project.state / _REQUEST
    report = project.state / "supervisor.json"
    account = json.loads(report.read_text(encoding="utf-8"))
    if request.environ:
        # What `start --exclude` has left out is left out again.
        request = replace(request, environ=request.environ | variables(account.get("excluded", [])))
    request.write(path)
    pid = int(account["pid"])
    deadline = time.monotonic() + _SECONDS
    signalled = float("-inf")
    while True:
        if time.monotonic() > signalled + _REPEAT_SECONDS and path.exists():
            # Once more where it was lost: the supervisor may be on its way into a next image for a killed command.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGUSR1)
            signalled = time.monotonic()
        new_account = json.loads(report.read_text(encoding="utf-8"))
        if new_account.get("restarted") == request.id:
            return str(new_account["restart_error"])
        if time.monotonic() > deadline or not _lives(pid):
            path.unlink(missing_ok=True)
            raise UserError(
                f"The supervisor (process {pid}) did not restart the stack.",
                f"Look at {project.state / 'logs' / 'supervisor.log'}, or stop it with `supabase stop` and try again.",
            )
        time.sleep(_POLL_SECONDS)  # polling a file of another process: there is nothing to wait on


def settle(project: Project) -> None:
    """Waits for the end of a restart that a killed command has left, or takes its request back.

    The one that renames the request has it: this command, or the supervisor, which then uses the folders in it.
    """
    withdrawn = project.state / f"{_REQUEST}.taken-back"
    with suppress(FileNotFoundError):
        (project.state / _REQUEST).rename(withdrawn)
        withdrawn.unlink()
    pid = int(json.loads((project.state / "supervisor.json").read_text(encoding="utf-8"))["pid"])
    deadline = time.monotonic() + _SECONDS
    while (project.state / _RUNNING).exists() and _lives(pid):
        if time.monotonic() > deadline:
            raise UserError(
                f"The supervisor (process {pid}) does not end a restart.",
                f"Look at {project.state / 'logs' / 'supervisor.log'}, or stop it with `supabase stop` and try again.",
            )
        time.sleep(_POLL_SECONDS)  # polling a file of another process: there is nothing to wait on


def take_request(project: Project) -> RestartRequest | None:
    """In the supervisor: the requested restart, or None. It is under way until `end_request`."""
    path = project.state / _RUNNING
    try:
        (project.state / _REQUEST).rename(path)
        fields = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        path.unlink(missing_ok=True)
        return None
    return RestartRequest(
        fields["id"],
        fields["environ"],
        Path(fields["state"]),
        Path(fields["data"]),
        Path(fields["fresh"]) if fields["fresh"] else None,
        # A command of an earlier localbase names none.
        Path(fields["copy"]) if fields.get("copy") else None,
    )


def end_request(project: Project) -> None:
    """In the supervisor's next image: the restart is done."""
    (project.state / _RUNNING).unlink(missing_ok=True)


def next_image(
    request: RestartRequest,
    root: Path,
    lock: int,
    sockets: list[int],
    ahead: str,
    policy: list[str],
    is_at_rest: bool,
) -> None:
    """In the supervisor, with all processes stopped: does as requested and becomes the next image. Does not return.

    `ahead` are the processes that wait for that image (`cli/stack/children.py`). Data that is not `is_at_rest` stays.
    """
    error = ""
    swap = DataSwap(request.state, request.data)
    try:
        if not is_at_rest:
            raise OSError(_OUTLIVED)
        if request.fresh is not None:
            swap.apply(request.fresh)
        if request.copy is not None:
            copy_data(swap, request.copy)
    except OSError as failure:
        error = str(failure)
    os.set_inheritable(lock, True)
    # Ignored across `exec`: a signal that comes before the next image has its handlers would end it.
    for word in (signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(word, signal.SIG_IGN)
    command = [
        sys.executable,
        "-m",
        "localbase.cli.stack.supervision",
        "--workdir",
        str(root),
        "--lock",
        str(lock),
    ]
    command += ["--restarted", request.id, "--restart-error", error, "--ahead", ahead, *policy]
    command += ["--sockets", *map(str, sockets)]
    os.execve(sys.executable, command, request.environ or dict(os.environ))  # noqa: S606 - our own program again, no shell


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
