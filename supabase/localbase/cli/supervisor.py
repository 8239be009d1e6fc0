"""Keeps a stack's processes running: starts them in order, restarts what dies, stops them in reverse order.

`python -m localbase.cli.supervisor --workdir DIR` is what `supabase start` leaves behind. It holds a lock on
`supervisor.lock` for as long as it lives, so that no recycled process id can be mistaken for it, and writes the
processes' ids to `supervisor.json`. It does nothing else, so that it does not fail.
"""

from __future__ import annotations

import argparse
import ctypes
import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from localbase.cli.processes import Process, stack_processes
from localbase.core.project import Project, open_project
from localbase.postgres.cluster import cluster_of

_FIRST_PAUSE, _LONGEST_PAUSE, _STEADY = 0.1, 5.0, 10.0
_STOP_SECONDS = 10.0
_PR_SET_PDEATHSIG = 1


class Supervisor:
    """The running stack. `serve` returns when it is told to stop."""

    def __init__(self, state: Path, processes: list[Process], worker: socket.socket) -> None:
        self._state = state
        self._processes = processes
        self._worker = worker
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._pauses: dict[str, float] = {}
        self._due: dict[str, float] = {}
        self._started: dict[str, float] = {}
        self._restarts: dict[str, int] = {}

    def serve(self, signals: int) -> None:
        """Runs until SIGTERM or SIGINT arrives on the wake-up pipe `signals`."""
        for process in self._processes:
            self._start(process)
        while True:
            soonest = min(self._due.values(), default=None)
            timeout = None if soonest is None else max(0.0, soonest - time.monotonic())
            readable, _, _ = select.select([signals], [], [], timeout)
            if readable and {signal.SIGTERM, signal.SIGINT} & set(os.read(signals, 64)):
                break
            self._reap()
            self._restart_due()
        self._stop_all()

    def _start(self, process: Process) -> None:
        log = (self._state / "logs" / f"{process.name}.log").open("ab")
        descriptor = self._worker.fileno()
        environ = dict(process.environ)
        keep: tuple[int, ...] = ()
        if process.name == "functions":
            environ["LOCALBASE_FUNCTIONS_FD"] = str(descriptor)
            keep = (descriptor,)
        account = process.account
        try:
            self._running[process.name] = subprocess.Popen(
                process.command,
                cwd=process.cwd,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=keep,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
                start_new_session=True,
                preexec_fn=_die_with_parent(process.name),
            )
        except OSError as error:
            log.write(f"cannot start {process.command[0]}: {error}\n".encode())
            self._schedule(process.name)
        finally:
            log.close()
        self._started[process.name] = time.monotonic()
        self._report()

    def _reap(self) -> None:
        for name, child in list(self._running.items()):
            if child.poll() is not None:
                del self._running[name]
                self._restarts[name] = self._restarts.get(name, 0) + 1
                self._note(name, f"{name} ended with {child.returncode}; starting it again")
                self._schedule(name)

    def _schedule(self, name: str) -> None:
        steady = time.monotonic() - self._started.get(name, 0.0) > _STEADY
        pause = _FIRST_PAUSE if steady else self._pauses.get(name, _FIRST_PAUSE)
        self._pauses[name] = min(pause * 2, _LONGEST_PAUSE)
        self._due[name] = time.monotonic() + pause

    def _restart_due(self) -> None:
        now = time.monotonic()
        for process in self._processes:
            if self._due.get(process.name, now + 1) <= now:
                del self._due[process.name]
                self._start(process)

    def _stop_all(self) -> None:
        for process in reversed(self._processes):
            child = self._running.get(process.name)
            if child is None or child.poll() is not None:
                continue
            # Postgres: SIGINT is its fast shutdown; SIGTERM would wait for every client to leave.
            child.send_signal(signal.SIGINT if process.name == "postgres" else signal.SIGTERM)
            try:
                child.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._note(process.name, f"{process.name} did not stop in {_STOP_SECONDS:.0f} s; killed")
                child.kill()
                child.wait()

    def _note(self, name: str, text: str) -> None:
        with (self._state / "logs" / f"{name}.log").open("a", encoding="utf-8") as log:
            log.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} supervisor: {text}\n")

    def _report(self) -> None:
        report = {
            "pid": os.getpid(),
            "processes": {name: child.pid for name, child in self._running.items()},
            "restarts": self._restarts,
            "functions_port": self._worker.getsockname()[1],
        }
        partial = self._state / "supervisor.json.partial"
        partial.write_text(json.dumps(report), encoding="utf-8")
        partial.replace(self._state / "supervisor.json")


def _die_with_parent(name: str) -> Callable[[], None] | None:
    """On Linux a child is told when its supervisor is killed, so that nothing is left behind."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    word = signal.SIGINT if name == "postgres" else signal.SIGTERM

    def ask() -> None:
        library.prctl(_PR_SET_PDEATHSIG, word)

    return ask


def _wake_up_pipe() -> int:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    for word in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(word, lambda *_: None)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading


def supervise(project: Project) -> int:
    """Runs the stack of `project` in this process; 3 when another supervisor holds the lock."""
    project.state.joinpath("logs").mkdir(parents=True, exist_ok=True)
    lock = (project.state / "supervisor.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return 3
    # The worker's socket lives here, so that a request waits while the worker restarts instead of being refused.
    worker = socket.create_server(("127.0.0.1", 0), backlog=128)
    signals = _wake_up_pipe()
    processes = stack_processes(project, cluster_of(project), worker.getsockname()[1])
    supervisor = Supervisor(project.state, processes, worker)
    supervisor.serve(signals)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    raise SystemExit(supervise(open_project(parser.parse_args().workdir)))
