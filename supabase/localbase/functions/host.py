"""The functions' host: takes calls from the gateway, and gives each to a process of its function.

One thread and one selector. The host runs no code of the project: it imports the libraries that the functions use
(`worker.py`), is forked for each function, and passes connections on, so a response's bytes never go through it. It
logs what functions print, one line for each request, and why a process has ended.
"""

from __future__ import annotations

import contextlib
import logging
import os
import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

from localbase.core.errors import UserError
from localbase.core.project import read_dotenv
from localbase.functions.call_listener import CallListener
from localbase.functions.deno.program import DenoMissing, deno_environment, find_deno
from localbase.functions.environment import env_file, function_environment
from localbase.functions.function import Function
from localbase.functions.launch import Launch
from localbase.functions.limits import ProcessLimits
from localbase.functions.output import OutputLog, rotate
from localbase.functions.overrides import Overrides, read_overrides
from localbase.functions.process import Call, FunctionProcess
from localbase.functions.sources import FunctionSource, FunctionSources
from localbase.functions.usage import resident_bytes
from localbase.functions.watcher import Stamp, WatchTimes, stamp_of_file, stamp_of_shared

_log = logging.getLogger("functions")
# Between two looks at what processes use: while one has requests, and while none has.
_BUSY_SECONDS, _REST_SECONDS = 0.1, 1.0
# For the processes to finish their requests at the end.
_STOP_SECONDS = 5.0


class Host:
    """Serves on `listener`. `environ` is the stack's; `signals` a pipe into which signals write."""

    def __init__(
        self,
        listener: socket.socket,
        sources: FunctionSources,
        environ: Mapping[str, str],
        state: Path,
        limits: ProcessLimits,
        signals: tuple[int, int],
    ) -> None:
        self._sources = sources
        self._environ = environ
        self._state = state
        self._limits = limits
        self._signals, self._wake = signals
        self._selector = selectors.DefaultSelector()
        self._calls = CallListener(listener, self._selector, time.monotonic, self._on_call)
        self._functions: dict[str, Function] = {}
        self._output = OutputLog(limits.log_bytes_per_second)
        self._prepared = False
        self._loading: threading.Thread | None = None
        self._early: deque[tuple[str, Call]] = deque()
        self._overrides = Overrides()
        self._shared: Stamp = ()
        self._variables: tuple[object, ...] = ()
        self._watching = WatchTimes()
        self._next_look = 0.0
        self._ending = False

    def serve(self, prepare: Callable[[], None]) -> None:
        """Serves until `stop`. `prepare` runs first, in a thread beside: calls wait for it."""
        self._selector.register(self._signals, selectors.EVENT_READ, self._on_signal)
        self._loading = threading.Thread(target=self._prepare, args=(prepare,))
        self._loading.start()
        while not self._ending:
            for key, _ in self._selector.select(self._timeout(time.monotonic())):
                key.data(key.fileobj)
            self._turn(time.monotonic())
        if self._loading is not None:
            self._loading.join()
        self._stop_processes()

    def stop(self) -> None:
        """Ends `serve`, after the requests that run."""
        self._ending = True

    def _prepare(self, prepare: Callable[[], None]) -> None:
        try:
            prepare()
        finally:
            self._prepared = True
            os.write(self._wake, b"\0")

    # What comes.

    def _on_call(self, connection: socket.socket, slug: str, request_id: str) -> None:
        call = Call(connection, request_id, time.monotonic())
        if self._loading is None:
            self._dispatch(slug, call)
        elif len(self._early) < self._limits.queue:
            self._early.append((slug, call))
        else:
            call.reject("busy")

    def _dispatch(self, slug: str, call: Call) -> None:
        source = self._sources.find(slug)
        if source is None:
            call.reject("missing")
            return
        if not any(each.watched for each in self._functions.values()):
            # Nothing was compared for a while: what has changed since is no news to a new process.
            self._remember_stamps()
        function = self._functions.get(slug)
        if function is None:
            function = self._functions[slug] = Function(source, self._fork, self._limits, self._sources.root)
        now = time.monotonic()
        if self._watching.is_due_at_call(now):
            self._reload_changed(now)
        self._next_look = min(self._next_look, now + _BUSY_SECONDS)
        function.take(call, now)

    def _on_signal(self, _: object) -> None:
        os.read(self._signals, 64)

    # What the processes do.

    def _fork(self, source: FunctionSource) -> FunctionProcess:
        file = env_file(self._sources.root, self._overrides.env_file)
        try:
            environ, warnings = function_environment(self._environ, file)
        except (UserError, OSError) as error:
            raise OSError(f"its variables cannot be read: {error}") from error
        for warning in warnings:
            _log.warning(warning)
        program = None
        if source.runtime == "deno":
            program = find_deno(self._sources.project_root, self._environ)
            if program is None:
                raise DenoMissing
            environ = deno_environment(environ, {*self._sources.secrets, *read_dotenv(file)})
        now = time.monotonic()
        launch = Launch(source, self._sources.root, environ, self._limits, program)
        process = FunctionProcess.fork(launch, now, self._close_inherited)
        name = source.slug
        self._selector.register(
            process.channel, selectors.EVENT_READ, lambda _: self._on_record(name, process)
        )
        self._selector.register(
            process.output, selectors.EVENT_READ, lambda _: self._on_output(name, process)
        )
        return process

    def _close_inherited(self) -> None:
        """In a new process: it must not hold what belongs to the host or to other functions."""
        self._selector.close()
        os.close(self._signals)
        os.close(self._wake)
        self._calls.close()
        for _, call in self._early:
            call.connection.close()
        for function in self._functions.values():
            for process in function.processes():
                process.close()
                for call in process.calls.values():
                    call.connection.close()
            for call in function.waiting:
                call.connection.close()

    def _on_record(self, slug: str, process: FunctionProcess) -> None:
        function = self._functions[slug]
        now = time.monotonic()
        was_ready = process.ready
        for done in process.take_records(now):
            function.log_request(done)
        if process.deaf_since is not None:
            self._selector.unregister(process.channel)
        if process.ready and not was_ready and process is function.process:
            function.loaded()
        function.advance(now)

    def _on_output(self, slug: str, process: FunctionProcess) -> None:
        if not self._output.read(self._functions[slug].log, process.output, time.monotonic()):
            # At its end, or beyond its share of this second.
            self._selector.unregister(process.output)

    # What is due.

    def _timeout(self, now: float) -> float | None:
        processes = any(function.processes() for function in self._functions.values())
        times = [due for function in self._functions.values() if (due := function.next_event()) is not None]
        if (slow := self._calls.next_event()) is not None:
            times.append(slow)
        if processes:
            times += [self._next_look, self._watching.next]
        elif any(function.watched for function in self._functions.values()):
            times.append(self._watching.next)
        return max(0.0, min(times) - now) if times else None

    def _turn(self, now: float) -> None:
        self._calls.expire(now)
        if self._loading is not None and self._prepared:
            self._loading.join()
            self._loading = None
            while self._early:
                self._dispatch(*self._early.popleft())
        if self._loading is not None:
            return
        self._reap(now)
        if now >= self._watching.next:
            self._reload_changed(now)
        if now >= self._next_look:
            self._look(now)
        for function in self._functions.values():
            function.advance(now)

    def _reap(self, now: float) -> None:
        for function in self._functions.values():
            for process in function.processes():
                try:
                    pid, status = os.waitpid(process.pid, os.WNOHANG)
                except ChildProcessError:
                    pid, status = process.pid, 1 << 8
                if pid:
                    process.reaped = True
                    self._discard(function, process)
                    function.ended(process, status, now)

    def _discard(self, function: Function, process: FunctionProcess) -> None:
        for done in process.take_records(time.monotonic()):
            function.log_request(done)
        self._output.finish(function.log, process.output)
        for descriptor in (process.channel, process.output):
            with contextlib.suppress(KeyError):
                self._selector.unregister(descriptor)
        process.close()

    def _look(self, now: float) -> None:
        """At what the processes use, and at the size of the log."""
        rotate(self._state / "logs" / "functions.log", self._limits.log_bytes)
        processes = [process for f in self._functions.values() for process in f.processes()]
        resident = resident_bytes(pid for process in processes for pid in process.pids)
        for function in self._functions.values():
            for process in function.processes():
                function.watch(process, sum(resident.get(pid, 0) for pid in process.pids), now)
                if self._output.may_go_on(process.output, now):
                    slug, again = function.source.slug, process
                    self._selector.register(
                        process.output,
                        selectors.EVENT_READ,
                        lambda _, slug=slug, again=again: self._on_output(slug, again),
                    )
        busy = any(process.calls or not process.ready for process in processes)
        self._next_look = now + (_BUSY_SECONDS if busy else _REST_SECONDS)

    def _reload_changed(self, now: float) -> None:
        self._watching.watched(now)
        if not any(function.watched for function in self._functions.values()):
            return
        before = self._shared, self._variables
        self._remember_stamps()
        reason = "shared code has changed" if before[0] != self._shared else ""
        if before[1] != self._variables:
            reason = "its variables have changed"
        for function in self._functions.values():
            if reason or function.is_changed():
                function.reload(reason or "its code has changed", now)

    def _remember_stamps(self) -> None:
        self._overrides = read_overrides(self._state)
        self._shared = stamp_of_shared(self._sources.root)
        file = env_file(self._sources.root, self._overrides.env_file)
        self._variables = (str(file), *stamp_of_file(file))

    def _stop_processes(self) -> None:
        self._calls.close()
        for _, call in self._early:
            call.connection.close()
        for function in self._functions.values():
            while function.waiting:
                function.waiting.popleft().connection.close()
            for process in function.processes():
                process.drain()
        deadline = time.monotonic() + _STOP_SECONDS
        while any(function.processes() for function in self._functions.values()):
            now = time.monotonic()
            if now > deadline:
                for function in self._functions.values():
                    for process in function.processes():
                        process.end("the stack stops")
            for key, _ in self._selector.select(max(0.0, min(deadline - now, _BUSY_SECONDS))):
                key.data(key.fileobj)
            self._reap(time.monotonic())
