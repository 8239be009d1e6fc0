"""Runs a stack's processes: starts them in order, restarts what dies or hangs, stops them in reverse order.

Its process (`cli/stack/supervision.py`) is what `supabase start` leaves behind. It holds a lock on `supervisor.lock`
for as long as it lives, so that no recycled process id can be mistaken for it, holds the listening sockets, and writes
the processes' ids to `supervisor.json`. On SIGUSR2 it imports the next processes ahead (`cli/stack/children.py`). On
SIGUSR1 it executes `restart.json` (`cli/stack/restart.py`): it stops the stack, swaps the data, and becomes its own
next image, sockets in hand.
"""

from __future__ import annotations

import json
import os
import select
import selectors
import signal
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from localbase.cli.stack.children import Child, Descendants, Ending, Standbys, spawn
from localbase.cli.stack.health import HealthMonitor, HealthPolicy
from localbase.cli.stack.processes import Process
from localbase.cli.stack.sockets import HeldSockets, is_free
from localbase.core.logs import json_line

# The first end of a process is followed by a new start at once; one that ends again soon waits longer each time.
_FIRST_PAUSE, _LONGEST_PAUSE, _STEADY = 0.1, 5.0, 10.0
_FAILED_BINDS = 3
# What a command says to the supervisor that it has forked: to start the database, and all else.
DATABASE, BEGIN = b"d", b"b"
# Its exit code is this with the number of the signal that has ended the database before all else could begin.
ENDED_BY = 128
# They end the supervisor's loop; the most urgent first.
_WORDS = (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1)
# Between two looks whether the command lives for which processes were imported ahead, and two tries to report.
_LOOK_SECONDS = 1.0


class Supervisor:
    """The running stack. `serve` returns at the request to stop or to restart."""

    def __init__(
        self,
        state: Path,
        processes: list[Process],
        sockets: HeldSockets,
        policy: HealthPolicy,
        account: dict[str, Any],
        standbys: Standbys,
        holder: Callable[[], int | None],
    ) -> None:
        """`account` is what the report holds besides the processes, `holder` the command with the project's lock."""
        # Held open: in the place of one that was removed there may be another stack's meanwhile.
        self._state = os.open(state, os.O_RDONLY | os.O_DIRECTORY)
        self._is_reported = True
        self._logs = state / "logs"
        self._standbys = standbys
        self._holder = holder
        self._processes = {process.name: process for process in processes}
        self._sockets = sockets
        self._policy = policy
        self._account = account
        self._selector = selectors.DefaultSelector()
        self._health = HealthMonitor(self._selector, policy)
        self._running: dict[str, Child] = {}
        self._pauses: dict[str, float] = {}
        self._due: dict[str, float] = {}
        self._started: dict[str, float] = {}
        self._restarts: dict[str, int] = {}
        # Sockets of processes that start on demand.
        self._awaited: dict[int, str] = {}
        # Hung processes.
        self._ending: dict[str, Ending] = {}
        # How often a process has not got its port, and the one that will not: `{"process", "port"}`.
        self._failed_binds: dict[str, int] = {}
        self._lost: dict[str, Any] = {}
        # Whether nothing is left, after `serve`, that writes to the database's files.
        self.is_at_rest = False
        self._database = Descendants()

    def prepare(self, signals: int, command: socket.socket) -> int:
        """Starts the database when `command` asks for it; 0 as soon as the stack is to begin.

        Otherwise the exit code: the command has ended, or the database. Then nothing runs any more.
        """
        # None where the owner runs it.
        database = self._processes.get("postgres")
        while True:
            if signals in select.select([signals, command.fileno()], [], [])[0]:
                arrived = os.read(signals, 64)
                if _word_to_end(arrived) or len(self._still_running(self._running)) < len(self._running):
                    break
                continue
            word = command.recv(1)
            if word == BEGIN:
                self._report()
                return 0
            if word != DATABASE or database is None:
                break
            self._start(database)
            if not self._running:
                break
        self._standbys.discard()
        if self._running:
            self._stop_all(signals)
        code = self._running[database.name].returncode or 0 if database and self._running else 0
        return ENDED_BY - code if code < 0 else 1

    def serve(self, signals: int) -> signal.Signals:
        """Runs until SIGTERM, SIGINT or SIGUSR1 arrives on the wake-up pipe `signals`, and stops all. The signal."""
        self._selector.register(signals, selectors.EVENT_READ)
        for process in self._processes.values():
            if process.is_on_demand:
                self._await_call(process)
            elif process.name not in self._running:
                self._start(process)
        self._report()
        self._standbys.discard()
        arrived = b""
        while (word := _word_to_end(arrived)) is None and not self._lost:
            for key, _ in self._selector.select(self._timeout()):
                if key.fd == signals:
                    arrived = os.read(signals, 64)
                    if signal.SIGUSR2 in arrived:
                        self._standbys.prepare(self._processes.values(), self._logs, self._holder())
                elif isinstance(key.data, Process):
                    self._forget_call(key.data)
                    self._start(key.data)
                else:
                    self._health.handle(key, time.monotonic())
            self._reap()
            self._end_hung()
            self._restart_due()
            self._standbys.discard_abandoned()
            if not self._is_reported:
                self._report()
        self._selector.unregister(signals)
        for process in self._processes.values():
            self._forget_call(process)
        arrived = self._stop_all(signals)
        self._running.clear()
        # More urgent than to restart is to end.
        return min(word or signal.SIGTERM, _word_to_end(arrived) or word or signal.SIGTERM, key=_WORDS.index)

    def _await_call(self, process: Process) -> None:
        """Starts it when somebody connects, who waits in the socket's queue meanwhile."""
        for listener in process.listeners:
            self._awaited[self._sockets.descriptor(listener)] = process.name
            self._selector.register(self._sockets.descriptor(listener), selectors.EVENT_READ, process)

    def _forget_call(self, process: Process) -> None:
        for descriptor in [each for each, name in self._awaited.items() if name == process.name]:
            del self._awaited[descriptor]
            self._selector.unregister(descriptor)

    def _timeout(self) -> float | None:
        times = [*self._due.values(), *(ending.deadline for ending in self._ending.values())]
        if (next_probe := self._health.next_event()) is not None:
            times.append(next_probe)
        if self._standbys.are_waiting or not self._is_reported:
            times.append(time.monotonic() + _LOOK_SECONDS)
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _start(self, process: Process) -> None:
        environ = dict(process.environ)
        try:
            descriptors = {
                listener.variable: self._sockets.descriptor(listener) for listener in process.listeners
            }
            if process.takes_connections is not None:
                descriptors["LOCALBASE_HANDOVER_FD"] = self._sockets.handover(takes=process.takes_connections)
            child = self._standbys.take(process, environ, descriptors)
            environ |= {name: str(descriptor) for name, descriptor in descriptors.items()}
            inherited = [*descriptors.values()]
            if process.name == "postgres":
                # One that was killed may have left a file that keeps the next from starting.
                if self._database.wait(0) and process.clear is not None:
                    process.clear()
                inherited.append(self._database.descriptor())
            self._running[process.name] = child or spawn(process, self._logs, environ, inherited)
        except OSError as error:
            self._note(process.name, f"cannot start {process.command[0]}: {error}")
            self._restarts[process.name] = self._restarts.get(process.name, 0) + 1
            self._note_port(process)
            self._schedule(process.name)
        now = self._started[process.name] = time.monotonic()
        if process.health is not None and process.name in self._running:
            self._health.watch(process.name, process.health, now)
        self._report()

    def _reap(self) -> None:
        for name, child in list(self._running.items()):
            if child.poll() is not None:
                del self._running[name]
                self._ending.pop(name, None)
                self._health.forget(name)
                self._restarts[name] = self._restarts.get(name, 0) + 1
                self._note(name, f"{name} ended with {child.returncode}; starting it again")
                self._note_port(self._processes[name])
                self._schedule(name)

    def _note_port(self, process: Process) -> None:
        """Counts a start that failed because another program has the port. Of a new stack the third is the end."""
        ports = [each.port for each in process.listeners] or [process.bound_port or 0]
        held = self._sockets.ports()
        taken = next((port for port in ports if port and port not in held and not is_free(port)), None)
        if taken is None or self._is_steady(process.name):
            return
        self._failed_binds[process.name] = self._failed_binds.get(process.name, 0) + 1
        if self._failed_binds[process.name] == _FAILED_BINDS:
            self._lost = {"process": process.name, "port": taken}
            self._note(process.name, f"port {taken} is taken by another program: ending the stack")
            self._report()

    def _is_steady(self, name: str) -> bool:
        return time.monotonic() - self._started.get(name, time.monotonic()) > _STEADY

    def _schedule(self, name: str) -> None:
        steady = self._is_steady(name)
        pause = 0.0 if steady else self._pauses.get(name, 0.0)
        self._pauses[name] = min(max(pause * 2, _FIRST_PAUSE), _LONGEST_PAUSE)
        self._due[name] = time.monotonic() + pause

    def _end_hung(self) -> None:
        now = time.monotonic()
        for name, observed in self._health.hung(now):
            if name not in self._ending:
                self._note(name, f"{name} {observed}; ending it")
                self._ending[name] = self._ending_of(name)
                self._ending[name].proceed(now, self._policy.grace)
        # Killed, one is gone in a moment, which wakes the loop; until then it is not killed again.
        for name, ending in self._ending.items():
            if now >= ending.deadline:
                self._note_signal(name, ending.proceed(now, self._policy.grace))

    def _ending_of(self, name: str) -> Ending:
        return Ending(self._processes[name], self._running[name])

    def _restart_due(self) -> None:
        now = time.monotonic()
        for name, process in self._processes.items():
            if self._due.get(name, now + 1) <= now:
                del self._due[name]
                self._start(process)

    def _stop_all(self, signals: int) -> bytes:
        """Tier by tier: what uses a service ends before it. What arrives on `signals` meanwhile."""
        for name in self._processes:
            self._health.forget(name)
        self._due.clear()
        self._ending.clear()
        arrived = b""
        for tier in sorted({process.tier for process in self._processes.values()}, reverse=True):
            names = [name for name in self._running if self._processes[name].tier == tier]
            arrived += self._end({name: self._ending_of(name) for name in names}, signals)
        self.is_at_rest = self._database.wait(self._policy.grace)
        while select.select([signals], [], [], 0)[0]:
            arrived += os.read(signals, 64)
        if not self.is_at_rest:
            self._note("postgres", "processes of the database outlived it")
        return arrived

    def _end(self, endings: Mapping[str, Ending], signals: int) -> bytes:
        """Ends these. What arrives on `signals` meanwhile."""
        arrived = b""
        grace = self._policy.grace
        for ending in endings.values():
            ending.proceed(time.monotonic(), grace)
        while running := self._still_running(endings):
            # The end of a child arrives there too.
            due = min(endings[name].deadline for name in running)
            if select.select([signals], [], [], max(0.0, due - time.monotonic()))[0]:
                arrived += os.read(signals, 64)
                continue
            for name in running:
                self._note_signal(name, endings[name].proceed(time.monotonic(), grace))
        return arrived

    def _still_running(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if self._running[name].poll() is None]

    def _note_signal(self, name: str, word: signal.Signals) -> None:
        self._note(name, f"{name} did not end in {self._policy.grace:g} s; sent {word.name}")

    def _note(self, name: str, text: str) -> None:
        # On a full disk, or where the folder was removed, processes are ended and started all the same.
        with suppress(OSError), (self._logs / f"{name}.log").open("a", encoding="utf-8") as log:
            log.write(f"{json_line('supervisor', 'supervisor', 'WARNING', text, time.time())}\n")

    def _report(self) -> None:
        report = self._account | {
            "pid": os.getpid(),
            "processes": {name: child.pid for name, child in self._running.items()},
            "restarts": self._restarts,
            "listening": self._sockets.ports(),
            "lost": self._lost,
        }
        try:
            self._write_report(json.dumps(report))
            self._is_reported = True
        except OSError:
            # A full disk, or the folder was removed: the stack serves all the same, and tries again.
            self._is_reported = False

    def _write_report(self, text: str) -> None:
        partial = "supervisor.json.partial"
        mode = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(partial, mode, 0o644, dir_fd=self._state), "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(partial, "supervisor.json", src_dir_fd=self._state, dst_dir_fd=self._state)


def _word_to_end(arrived: bytes) -> signal.Signals | None:
    """The most urgent of the signals that end the supervisor's loop."""
    return next((word for word in _WORDS if word in arrived), None)


def wake_up_pipe() -> int:
    """Return where signals arrive as bytes: their numbers."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    for word in (signal.SIGCHLD, *_WORDS, signal.SIGUSR2):
        signal.signal(word, lambda *_: None)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    return reading
