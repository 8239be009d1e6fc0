"""One process of a function, as the host sees it: forked, handed connections, watched, ended.

The host holds a second descriptor of every connection that it has handed over. So the gateway's end comes with the
record that the request is done, or, where the process has ended, with the reason.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from localbase.functions.child import run
from localbase.functions.launch import Launch
from localbase.functions.limits import ProcessLimits
from localbase.functions.protocol import GO, Reason, error_frame, frame
from localbase.functions.serving import (
    CALL,
    CANNOT_LOAD,
    DONE,
    MEMORY,
    PROGRAM,
    READY,
    RECORD,
    THREAD,
)
from localbase.functions.usage import cpu_seconds, lower_priority, restore_priority

_READ_BYTES = 64 * 1024
_MEBIBYTE = 1024 * 1024
# A process that ends closes its channel too, a moment before it can be reaped.
_DEAF_SECONDS = 0.5


@dataclass(slots=True, eq=False)
class Call:
    """A request that waits for its function, or runs in it. `began` is when it was handed over."""

    connection: socket.socket
    request_id: str
    arrived: float
    began: float = 0.0
    thread: int | None = None
    # How often it was handed over.
    tries: int = 0
    # What the function's program had used when it was handed over; its requests share one thread.
    program_cpu: float = 0.0
    is_polite: bool = False

    @property
    def is_abandoned(self) -> bool:
        """Tell whether the gateway has ended it. It sends nothing before its turn, so what can be read is the end."""
        try:
            return self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def reject(self, reason: Reason) -> None:
        """Answers in the function's place."""
        with contextlib.suppress(OSError):
            self.connection.send(error_frame(reason), socket.MSG_DONTWAIT)
        self.connection.close()


@dataclass(frozen=True, slots=True)
class Done:
    """A request that has been answered. `status` 499: its client has gone."""

    request_id: str
    status: int
    seconds: float


class FunctionProcess:
    """`cause` says why the host is ending it; it is empty while it may run."""

    def __init__(self, pid: int, channel: socket.socket, output: int, now: float) -> None:
        self.pid = pid
        self.channel = channel
        self.output = output
        self.started = self.used = now
        self.load_seconds: float | None = None
        # The process that runs the function's code, where it is not this one.
        self.program: int | None = None
        self.draining = self.reaped = False
        self.deaf_since: float | None = None
        self.cause = ""
        self.calls: dict[int, Call] = {}
        self._next_number = 1
        self._records = b""
        self._idle_cpu = 0.0

    @classmethod
    def fork(cls, launch: Launch, now: float, close_inherited: Callable[[], None]) -> FunctionProcess:
        """Starts it. `close_inherited` closes the host's descriptors, in the new process. Raises `OSError`."""
        ours, theirs = socket.socketpair()
        reading, writing = os.pipe()
        sys.stdout.flush()
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            theirs.close()
            os.close(reading)
            os.close(writing)
            raise
        if pid == 0:
            code = 1
            try:
                for standard in (1, 2):
                    os.dup2(writing, standard)
                ours.close()
                os.close(reading)
                os.close(writing)
                close_inherited()
                code = run(launch, theirs)
            except BaseException:  # noqa: BLE001 - a forked process must never go on as its parent
                traceback.print_exc()
            finally:
                with contextlib.suppress(Exception):
                    logging.shutdown()
                    sys.stdout.flush()
                    sys.stderr.flush()
                os._exit(code)
        theirs.close()
        os.close(writing)
        ours.setblocking(False)
        os.set_blocking(reading, False)
        return cls(pid, ours, reading, now)

    @property
    def ready(self) -> bool:
        """Tell whether the function's code is loaded, and requests may come."""
        return self.load_seconds is not None and not self.draining and not self.cause

    def dispatch(self, call: Call, now: float) -> bool:
        """Gives it a request. False if it takes none any more: it is about to end."""
        number = self._next_number
        try:
            socket.send_fds(self.channel, [CALL.pack(number)], [call.connection.fileno()])
        except OSError:
            return False
        # Said once, and only where it was handed over: to a request that goes on to another process not again.
        # A client that has gone is the process's to find.
        if not call.tries:
            with contextlib.suppress(OSError):
                call.connection.send(frame(GO), socket.MSG_DONTWAIT)
        call.tries += 1
        self._next_number += 1
        call.began = self.used = now
        call.program_cpu = cpu_seconds(self.program) if self.program else 0.0
        self.calls[number] = call
        return True

    def take_records(self, now: float) -> list[Done]:
        """Reads what it reports. The requests that are done. `deaf_since` is set at the channel's end."""
        with contextlib.suppress(BlockingIOError):
            try:
                received = self.channel.recv(_READ_BYTES)
            except ConnectionError:
                received = b""
            if not received and self.deaf_since is None:
                self.deaf_since = now
            self._records += received
        done: list[Done] = []
        while len(self._records) >= RECORD.size:
            record = RECORD.unpack(self._records[: RECORD.size])
            self._records = self._records[RECORD.size :]
            self._take(*record, done=done, now=now)
        return done

    def _take(self, kind: bytes, number: int, value: int, *, done: list[Done], now: float) -> None:
        call = self.calls.get(number)
        if kind == READY and self.load_seconds is None:
            self.load_seconds = value / 1e6
            self._idle_cpu = self._cpu_seconds()
        elif kind == PROGRAM and self.program is None:
            self.program = value
        elif kind == MEMORY:
            self.end("it cannot allocate more memory")
        elif kind == THREAD and call is not None and call.thread is None:
            call.thread = value
        elif kind == DONE and call is not None:
            del self.calls[number]
            call.connection.close()
            self.used = now
            self._idle_cpu = self._cpu_seconds()
            if call.is_polite and not any(other.is_polite for other in self.calls.values()):
                restore_priority(self.pid)
            done.append(Done(call.request_id, value, now - call.arrived))
        else:
            # The function's own code has written there. The host must not spend its time on it.
            self.end("it has written into the host's channel")

    def drain(self) -> None:
        """Lets it end after the requests that it has."""
        self.draining = True
        with contextlib.suppress(OSError):
            self.channel.shutdown(socket.SHUT_WR)

    def end(self, cause: str) -> None:
        """Ends it at once, with the programs that it has started."""
        if self.reaped:
            return  # its number may be another's by now
        self.cause = self.cause or cause
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(self.pid, signal.SIGKILL)

    def exceeds(self, limits: ProcessLimits, resident: int, now: float) -> str:
        """Return which limit it exceeds, in words; empty if none.

        Requests that use much processor time become polite.
        """
        if resident > limits.memory_bytes:
            most, used = limits.memory_bytes // _MEBIBYTE, resident // _MEBIBYTE
            return f"it uses {used} MiB of memory and may use {most}"
        if self.deaf_since is not None and now - self.deaf_since > _DEAF_SECONDS:
            return "it has closed the host's channel"
        if self.load_seconds is None and now - self.started > limits.load_seconds:
            return f"its code is not loaded after {limits.load_seconds:g} s"
        for call in self.calls.values():
            if limits.wall_clock_seconds and now - call.began > limits.wall_clock_seconds:
                return f"request {call.request_id} takes longer than {limits.wall_clock_seconds:g} s"
            if call.thread is None:
                continue
            used_cpu = (
                cpu_seconds(self.program) - call.program_cpu
                if self.program
                else cpu_seconds(self.pid, call.thread)
            )
            if limits.cpu_seconds and used_cpu > limits.cpu_seconds:
                return f"request {call.request_id} has used {limits.cpu_seconds:g} s of processor time"
            if used_cpu > limits.polite_cpu_seconds and not call.is_polite:
                call.is_polite = True
                lower_priority(self.pid, None if self.program else call.thread)
        is_idle = self.load_seconds is not None and not self.calls
        if is_idle and limits.cpu_seconds and self._cpu_seconds() - self._idle_cpu > limits.cpu_seconds:
            return f"it has used {limits.cpu_seconds:g} s of processor time without a request"
        return ""

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that it consists of."""
        return (self.pid, self.program) if self.program else (self.pid,)

    def _cpu_seconds(self) -> float:
        return sum(cpu_seconds(pid) for pid in self.pids)

    def give_back(self) -> list[Call]:
        """The requests that it has not begun: what the gateway has sent of them can still be read. Each once."""
        unread = {
            number: call for number, call in self.calls.items() if call.thread is None and call.tries == 1
        }
        for number in unread:
            del self.calls[number]
        return list(unread.values())

    def close(self) -> None:
        """Gives its descriptors back, once it has been reaped."""
        self.channel.close()
        os.close(self.output)


def describe_end(process: FunctionProcess, status: int) -> tuple[Reason, str]:
    """Return why a process that was reaped with `status` has ended: for the gateway, and in words."""
    code = os.waitstatus_to_exitcode(status)
    if process.cause:
        return ("boot" if process.load_seconds is None else "limit"), process.cause
    if code == CANNOT_LOAD:
        return "boot", "its code cannot be loaded"
    if process.load_seconds is None:
        return "boot", f"it ended with {code} before it was loaded"
    if code < 0:
        return "exit", f"it was ended by {signal.Signals(-code).name}"
    return "exit", f"it exited with {code}"
