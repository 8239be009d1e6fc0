"""The supervisor's child processes: how they are started, those of its image before, those imported ahead.

To import the gateway takes longer than all else of a restart. So when a command is about to replace the stack's data,
the supervisor starts the next processes before it stops the present ones. They wait (`cli/stack/preloaded.py`), cross
the `exec` into the supervisor's next image with it, and begin when the data is in place. One that has died, or that the
stack does not want any more, is a loss of time only: its process is started as any other.

As a stack starts, they are forks of the supervisor, itself a fork of the command: half of their imports are done then.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from localbase.cli.stack import preloaded
from localbase.cli.stack.preloaded import read_at_start, send_start
from localbase.cli.stack.processes import Process

_PR_SET_PDEATHSIG = 1
_AHEAD = "localbase.cli.stack.preloaded"
_PS_SECONDS = 5.0


class Child(Protocol):
    """A child of the supervisor. `subprocess.Popen` is one."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None: ...
    def send_signal(self, sig: int) -> None: ...
    def kill(self) -> None: ...
    def wait(self) -> int: ...


class InheritedChild:
    """A child that this process's image before has started."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its exit code (a signal's number below zero), once it has ended."""
        if self.returncode is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                self.returncode = 1
            else:
                self.returncode = os.waitstatus_to_exitcode(status) if pid else None
        return self.returncode

    def send_signal(self, sig: int) -> None:
        """Sends a signal to it, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sig)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)

    def wait(self) -> int:
        """Waits for its end; its exit code."""
        if self.returncode is None:
            _, status = os.waitpid(self.pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def ending_signals(process: Process) -> tuple[signal.Signals, ...]:
    """The signals that end a process, each for the case that the one before has failed. The first ends it in order."""
    if process.name == "postgres":
        # Its fast shutdown (SIGTERM would wait for every client to leave), and its immediate one.
        return signal.SIGINT, signal.SIGQUIT, signal.SIGKILL
    return signal.SIGTERM, signal.SIGKILL


class Ending:
    """A child on its way to its end, by one signal after another."""

    def __init__(self, process: Process, child: Child) -> None:
        self._child = child
        self._signals = list(ending_signals(process))
        # When the next signal is due.
        self.deadline = 0.0

    def proceed(self, now: float, grace: float) -> signal.Signals:
        """Sends the next signal, or the last one again, which has `grace` seconds to take effect. The signal."""
        word = self._signals.pop(0) if len(self._signals) > 1 else self._signals[0]
        if word == signal.SIGKILL:
            # A session that works would outlive Postgres, write on, and keep the next one from starting. Killed before
            # their parent, they stay zombies, and no other process gets their ids meanwhile.
            for pid in _children_of(self._child.pid):
                # One that has ended, or is another user's.
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
        self._child.send_signal(word)
        self.deadline = now + grace
        return word


def _children_of(pid: int) -> list[int]:
    """The processes that it has started, as far as the system lists them: nothing depends on it."""
    if sys.platform == "linux":
        parents = {int(path.name): _parent(path / "stat") for path in Path("/proc").glob("[0-9]*")}
        return [child for child, parent in parents.items() if parent == pid]
    command = ("ps", "-A", "-o", "pid=,ppid=")
    try:
        shown = subprocess.run(
            command, stdout=subprocess.PIPE, check=True, text=True, timeout=_PS_SECONDS
        ).stdout
        return [int(child) for child, parent in map(str.split, shown.splitlines()) if int(parent) == pid]
    except (OSError, subprocess.SubprocessError, ValueError):
        return []


def _parent(stat: Path) -> int:
    """The process that has started the one of `/proc/<pid>/stat`; 0 where that has ended."""
    try:
        # The name, in brackets, may hold blanks: the fields behind it are counted.
        return int(stat.read_text(errors="replace").rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return 0


class Descendants:
    """Processes, one after the other, with all that they have started and left behind: each holds an end of a pipe."""

    def __init__(self) -> None:
        self._readings: list[int] = []
        self._writing: int | None = None

    def descriptor(self) -> int:
        """What the next process has to inherit to be one of them; this process's until `wait`."""
        if self._writing is None:
            reading, self._writing = os.pipe()
            self._readings.append(reading)
        return self._writing

    def wait(self, seconds: float) -> bool:
        """Tell whether all have ended, at the latest after so many seconds."""
        if self._writing is not None:
            os.close(self._writing)
            self._writing = None
        deadline = time.monotonic() + seconds
        while self._readings:
            ended, _, _ = select.select(self._readings, [], [], max(0.0, deadline - time.monotonic()))
            if not ended:
                return False
            for reading in ended:
                self._readings.remove(reading)
                os.close(reading)
        return True


def spawn(
    process: Process,
    logs: Path,
    environ: Mapping[str, str],
    descriptors: Iterable[int],
    command: Iterable[str] = (),
) -> subprocess.Popen[bytes]:
    """Starts a process, or `command` in its place. Raises `OSError`."""
    account = process.account
    with (logs / f"{process.name}.log").open("ab") as log:
        return subprocess.Popen(
            tuple(command) or process.command,
            cwd=process.cwd,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=tuple(descriptors),
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            start_new_session=True,
            preexec_fn=die_with_parent(ending_signals(process)[0]),
        )


def fork(process: Process, logs: Path, connection: socket.socket) -> InheritedChild:
    """Imports one of localbase's own processes in a fork, which holds nothing of this process but `connection`."""
    # What arrives before the fork has handlers of its own is for it alone.
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        if pid := os.fork():
            return InheritedChild(pid)
        try:
            os._exit(_run_fork(process, logs, connection, mask))
        finally:
            os._exit(1)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _run_fork(process: Process, logs: Path, connection: socket.socket, mask: set[int]) -> int:
    """In the fork: its exit code."""
    signal.set_wakeup_fd(-1)
    for word in (signal.SIGCHLD, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(word, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if set_death_signal := die_with_parent(ending_signals(process)[0]):
        set_death_signal()
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    detach(process.cwd, logs / f"{process.name}.log")
    # The objects that own these descriptors are the callers', which never run again.
    kept = connection.fileno()
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))
    try:
        preloaded.run(connection, process.command[2], process.command[3:])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - nothing above this is the fork's own
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def detach(folder: Path, log: Path) -> None:
    """Makes this process, a fork, the first of a session of its own, which works in `folder` and writes to `log`."""
    os.setsid()
    os.chdir(folder)
    nothing = os.open(os.devnull, os.O_RDONLY)
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    for source, target in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(source, target)
    os.close(nothing)
    os.close(output)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(write_through=True)


def die_with_parent(word: signal.Signals) -> Callable[[], None] | None:
    """On Linux a child gets `word` when its supervisor is killed, so that nothing is left behind."""
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)

    def set_death_signal() -> None:
        library.prctl(_PR_SET_PDEATHSIG, word)

    return set_death_signal


@dataclass(frozen=True, slots=True)
class _Standby:
    child: Child
    connection: socket.socket


class Standbys:
    """Processes that were imported ahead, by the command whose place each can take."""

    def __init__(self, inherited: str = "[]") -> None:
        """`inherited` is what `for_next_image` of the image before has returned."""
        self._waiting: dict[tuple[str, ...], _Standby] = {}
        for pid, descriptor, command in json.loads(inherited):
            os.set_inheritable(descriptor, False)
            self._waiting[tuple(command)] = _Standby(InheritedChild(pid), socket.socket(fileno=descriptor))
        # The command that they wait for.
        self._for: int | None = None

    def prepare(self, processes: Iterable[Process], logs: Path, waiting_for: int | None) -> None:
        """Starts a second one of each of localbase's own `processes`, for the command with this process id."""
        if waiting_for is None:
            return
        self._for = waiting_for
        for process in processes:
            if process.command in self._waiting or not process.is_own or process.is_on_demand:
                continue
            here, there = socket.socketpair()
            with there:
                number = there.fileno()
                command = (sys.executable, "-m", _AHEAD, str(number), *process.command[2:])
                # Without memory for it, the process is started when it is wanted.
                with contextlib.suppress(OSError):
                    child = spawn(process, logs, process.environ, [number], command)
                    self._waiting[process.command] = _Standby(child, here)

    def fork(self, processes: Iterable[Process], logs: Path) -> None:
        """Begins the first ones of localbase's own processes: those that want no other interpreter than this one."""
        # A fork's garbage collector leaves the pages alone that it shares with this process.
        gc.freeze()
        for process in processes:
            if not process.is_own or process.is_on_demand:
                continue
            if read_at_start(process.environ) == read_at_start(os.environ):
                here, there = socket.socketpair()
                with there, contextlib.suppress(OSError):
                    self._waiting[process.command] = _Standby(fork(process, logs, there), here)

    def take(
        self, process: Process, environ: Mapping[str, str], descriptors: Mapping[str, int]
    ) -> Child | None:
        """The one for `process`, which begins in `environ` with the sockets `descriptors`; None where there is none."""
        standby = self._waiting.pop(process.command, None)
        if standby is None:
            return None
        with standby.connection:
            try:
                if standby.child.poll() is None:
                    send_start(standby.connection, environ, descriptors)
                    return standby.child
            except OSError:
                # It ended in this moment, or its part could not be written.
                standby.child.kill()
                standby.child.wait()
        return None

    @property
    def are_waiting(self) -> bool:
        """Tell whether there are any."""
        return bool(self._waiting)

    def discard_abandoned(self) -> None:
        """Ends them where the command that they wait for has ended: it has failed, or was killed."""
        if self._for is not None and self._waiting and not _lives(self._for):
            self.discard()

    def discard(self) -> None:
        """Ends those that wait."""
        while self._waiting:
            _, standby = self._waiting.popitem()
            standby.connection.close()
            standby.child.kill()
            standby.child.wait()

    def for_next_image(self) -> str:
        """Those that wait, in words that survive `exec`, as they do themselves."""
        for standby in self._waiting.values():
            standby.connection.set_inheritable(True)
        return json.dumps(
            [[each.child.pid, each.connection.fileno(), command] for command, each in self._waiting.items()]
        )


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # Another user's.
        return True
    return True
