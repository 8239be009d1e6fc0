"""The supervisor's process: a fork of the command that starts the stack, or `python -m …` after a restart.

`python -m localbase.cli.stack.supervision --workdir DIR` runs the stack of a project with the program and settings of
now. A fork has those that its command has read; it waits for that command's word (`cli/stack/launch.py`).
"""

from __future__ import annotations

import argparse
import fcntl
import os
import shutil
import signal
import socket
from dataclasses import asdict, dataclass
from pathlib import Path

from localbase.cli.stack.children import Standbys
from localbase.cli.stack.exclusion import excluded_names
from localbase.cli.stack.health import HealthPolicy
from localbase.cli.stack.lock import holder_id
from localbase.cli.stack.processes import private_ports, stack_processes
from localbase.cli.stack.restart import end_request, next_image, take_request
from localbase.cli.stack.sockets import HeldSockets
from localbase.cli.stack.supervisor import Supervisor, wake_up_pipe
from localbase.core.project import Project, open_project
from localbase.postgres.cluster import cluster_of


@dataclass(frozen=True, slots=True)
class Command:
    """The command that this process is a fork of: the connection to it, and the descriptor of its lock."""

    connection: socket.socket
    lock: int
    # Whether its interpreter is as one that is started in the stack's environment.
    may_fork: bool


def supervise(
    project: Project,
    lock: int,
    sockets: HeldSockets,
    standbys: Standbys,
    policy: HealthPolicy,
    *,
    restarted: tuple[str, str] = ("", ""),
    command: Command | None = None,
) -> int:
    """Runs the stack of `project` in this process; 3 when another supervisor holds the lock in `lock`.

    `restarted` is the request that this image answers and what went wrong, `command` what this process is a fork of.
    """
    signals = wake_up_pipe()
    ports = {name: sockets.open_private() for name in private_ports(project)}
    processes = stack_processes(project, cluster_of(project), ports)
    sockets.release_all_but(listener for process in processes for listener in process.listeners)
    account = {
        "ports": ports,
        # Of processes that open their sockets themselves.
        "reached": sorted({port for each in processes if (port := each.port or each.bound_port)}),
        "excluded": excluded_names(project),
        "restarted": restarted[0],
        "restart_error": restarted[1],
        # At SIGUSR2 it imports the next processes ahead.
        "prepares": True,
    }
    supervisor = Supervisor(
        project.state, processes, sockets, policy, account, standbys, lambda: holder_id(project)
    )
    if command is not None:
        if command.may_fork:
            standbys.fork(processes, project.state / "logs")
        if code := supervisor.prepare(signals, command.connection):
            return code
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return 3
    if command is not None:
        # The command may be killed: up to here its lock excluded others.
        os.close(command.lock)
        command.connection.close()
    end_request(project)
    shutil.rmtree(project.state / "metrics", ignore_errors=True)
    while supervisor.serve(signals) == signal.SIGUSR1:
        request = take_request(project)
        if request is not None:
            next_image(
                request,
                project.root,
                lock,
                sockets.inheritable(),
                standbys.for_next_image(),
                policy.arguments(),
                supervisor.is_at_rest,
            )
        # No request: the same stack again.
    standbys.discard()
    return 0


def open_lock(project: Project) -> int:
    """The file of the supervisor's lock."""
    project.state.joinpath("logs").mkdir(parents=True, exist_ok=True)
    return os.open(project.state / "supervisor.lock", os.O_RDWR | os.O_CREAT, 0o644)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    parser.add_argument("--lock", type=int, help="descriptor of the supervisor's lock, held already")
    parser.add_argument("--sockets", type=int, nargs="*", default=[], help="descriptors of listening sockets")
    parser.add_argument("--ahead", default="[]", help="processes that were imported ahead")
    parser.add_argument("--restarted", default="", help="the request that this image answers")
    parser.add_argument("--restart-error", default="", help="why the request could not be fulfilled")
    for name, value in asdict(HealthPolicy()).items():
        parser.add_argument(f"--health-{name}", type=type(value), default=value)
    return parser.parse_args()


def main() -> int:
    """Reads the project named by `--workdir` and runs its stack."""
    arguments = _arguments()
    policy = HealthPolicy(**{name: getattr(arguments, f"health_{name}") for name in asdict(HealthPolicy())})
    project = open_project(arguments.workdir)
    if arguments.lock is None:
        arguments.lock = open_lock(project)
    os.set_inheritable(arguments.lock, False)
    return supervise(
        project,
        arguments.lock,
        HeldSockets(arguments.sockets),
        Standbys(arguments.ahead),
        policy,
        restarted=(arguments.restarted, arguments.restart_error),
    )


if __name__ == "__main__":
    raise SystemExit(main())
