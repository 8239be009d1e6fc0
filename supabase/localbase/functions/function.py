"""One function in the host: the requests that wait for it, its process, and when the next may start.

A process starts with the first request. One that ends by itself, or is ended for a limit, is followed by another at the
next request, at once the first time and after pauses that grow while it ends again soon. Code that cannot be loaded is
tried again when it has changed, or after such a pause; until then requests are rejected.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from pathlib import Path

from localbase.functions.deno.program import MISSING, DenoMissing
from localbase.functions.limits import ProcessLimits
from localbase.functions.process import Call, Done, FunctionProcess, describe_end
from localbase.functions.protocol import Reason
from localbase.functions.sources import FunctionSource
from localbase.functions.watcher import DENO_SUFFIXES, PYTHON_SUFFIXES, Stamp, stamp_of

_FIRST_PAUSE, _LONGEST_PAUSE, _STEADY = 0.1, 10.0, 10.0

# Forks a process for a function's code. Raises `OSError`.
Fork = Callable[[FunctionSource], FunctionProcess]


class Function:
    """`fork` starts a process; `limits` are those of each."""

    def __init__(self, source: FunctionSource, fork: Fork, limits: ProcessLimits, root: Path) -> None:
        self.source = source
        self.process: FunctionProcess | None = None
        # Processes of older code, which finish their requests.
        self.draining: list[FunctionProcess] = []
        self.waiting: deque[Call] = deque()
        self._fork = fork
        self._limits = limits
        self._root = root
        self._pause = 0.0
        self._due = 0.0
        self._failed = False
        self._stamp: Stamp = ()
        self.log = logging.getLogger(f"functions.{source.slug}")

    def take(self, call: Call, now: float) -> None:
        """A request has come: it runs, waits or is rejected."""
        if self._failed and self.is_changed():
            # The watcher may not have come by since; a developer who mends the code calls it at once.
            self.reload("its code has changed", now)
        if self._failed and now < self._due:
            call.reject("boot")
        elif len(self.waiting) >= self._limits.queue and not self._forget_abandoned():
            call.reject("busy")
        else:
            self.waiting.append(call)
            self.advance(now)

    def _forget_abandoned(self) -> bool:
        """Gives the places of clients that have gone to others. Whether there were any."""
        count = len(self.waiting)
        abandoned = [call for call in self.waiting if call.is_abandoned]
        for call in abandoned:
            self.waiting.remove(call)
            call.connection.close()
        return len(self.waiting) < count

    def advance(self, now: float) -> None:
        """Starts a process where one is wanted, and hands it what waits."""
        if self.process is None and self.waiting and now >= self._due:
            self._start(now)
        process = self.process
        while process is not None and process.ready and self.waiting:
            if len(process.calls) >= self._limits.concurrency:
                return
            call = self.waiting.popleft()
            if not process.dispatch(call, now):
                self.waiting.appendleft(call)
                process.end("it takes no more requests")
                return

    def _start(self, now: float) -> None:
        self._stamp = self._code()
        self._failed = False
        try:
            self.process = self._fork(self.source)
        except DenoMissing:
            self.log.error("%s", MISSING)  # noqa: TRY400 - a traceback says nothing more
            self._reject_all("runtime")
        except OSError:
            self.log.exception("its process cannot be started")
            self._postpone(now, steady=False)
            self._reject_all("boot")

    def log_request(self, done: Done) -> None:
        """One line for a request that has been answered."""
        milliseconds = round(done.seconds * 1000, 1)
        fields = {"status": done.status, "ms": milliseconds, "request_id": done.request_id}
        self.log.info("answered", extra={"fields": fields})

    def loaded(self) -> None:
        """Its process has loaded the code."""
        assert self.process is not None
        self.log.info("loaded in %.0f ms", (self.process.load_seconds or 0) * 1000)

    def ended(self, process: FunctionProcess, status: int, now: float) -> None:
        """A process of this function was reaped."""
        reason, words = describe_end(process, status)
        # As a process is ended the host may hand it one more, which another can take.
        self.waiting.extendleft(reversed(process.give_back()))
        if process is not self.process:
            self.draining.remove(process)
            if process.cause or process.calls:
                self.log.error("its process of before the change has ended: %s", words)
            _cut_off(process, reason)
            self.advance(now)
            return
        self.process = None
        idle = process.draining and not process.cause
        if not idle:
            self.log.error("its process has ended: %s", words)
            self._postpone(now, steady=now - process.started > _STEADY)
        _cut_off(process, reason)
        # One that read files while they were written or removed says nothing of the code that there is now. Once
        # only: code may change its own folder each time that it is loaded.
        half_written = reason == "boot" and self._due <= now and self._code() != self._stamp
        if reason == "boot" and not half_written:
            self._failed = True
            self._due = max(self._due, now + _FIRST_PAUSE)
            self._reject_all("boot")
        self.advance(now)

    def _postpone(self, now: float, *, steady: bool) -> None:
        pause = 0.0 if steady else self._pause
        self._pause = min(max(pause * 2, _FIRST_PAUSE), _LONGEST_PAUSE)
        self._due = now + pause

    def _reject_all(self, reason: Reason) -> None:
        while self.waiting:
            self.waiting.popleft().reject(reason)

    @property
    def watched(self) -> bool:
        """Tell whether a change of its code matters: it runs, or cannot be loaded."""
        return self.process is not None or self._failed

    def is_changed(self) -> bool:
        """Tell whether its code is another than the one that was started last."""
        return self.watched and self._code() != self._stamp

    def reload(self, reason: str, now: float) -> None:
        """Starts the code that there is now. Requests that run finish on the old code."""
        self._failed, self._due, self._pause = False, 0.0, 0.0
        process, self.process = self.process, None
        if process is None:
            return
        self.log.info("%s: starting it anew", reason)
        self.draining.append(process)
        if process.load_seconds is None:
            process.end("its code has changed")
        else:
            process.drain()
        for oldest in self.draining[: -self._limits.draining]:
            oldest.end("its code has changed too often while requests ran")
        self._start(now)

    def watch(self, process: FunctionProcess, resident: int, now: float) -> None:
        """Ends a process that exceeds a limit, or has had nothing to do for long."""
        if process.cause:
            return
        if excess := process.exceeds(self._limits, resident, now):
            process.end(excess)
            return
        is_idle = process is self.process and process.ready and not process.calls and not self.waiting
        if is_idle and now - process.used > self._limits.idle_seconds:
            self.log.info("has had no request for %.0f s: its process ends", self._limits.idle_seconds)
            process.drain()

    def next_event(self) -> float | None:
        """Return when a process is due for what waits."""
        return self._due if self.waiting and self.process is None else None

    def processes(self) -> list[FunctionProcess]:
        """All that run."""
        return [*([self.process] if self.process else []), *self.draining]

    def _code(self) -> Stamp:
        suffixes = DENO_SUFFIXES if self.source.runtime == "deno" else PYTHON_SUFFIXES
        return stamp_of(self.source.entrypoint.parent, suffixes)


def _cut_off(process: FunctionProcess, reason: Reason) -> None:
    """Ends the requests that a process has left. One whose response has begun sees the frame as its end too."""
    for call in process.calls.values():
        call.reject(reason)
    process.calls.clear()
