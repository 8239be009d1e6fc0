"""Inside a function's process: loads the function's code once, then answers each request in a thread of its own.

The process is forked from the host, which hands it connections by `channel` and ends it by closing its side: what runs
is then finished first. Records to the host are `READY` (microseconds of loading), `THREAD` (of a request), `DONE`
(with the status) and `MEMORY` (the function could not allocate).
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import resource
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from wsgiref.types import WSGIApplication

import flask
import functions_framework

from localbase.core.logs import JsonFormatter
from localbase.functions.catalog import FunctionSource
from localbase.functions.limits import ProcessLimits
from localbase.functions.wsgi import Answer, ClientGone, environ_of, read_head

RECORD = struct.Struct("!cQQ")
CALL = struct.Struct("!Q")
READY, THREAD, DONE, MEMORY = b"r", b"t", b"d", b"m"
# The process's exit codes: the code cannot be loaded; sysexits.h calls it a configuration error.
CANNOT_LOAD = 78
_STACK_BYTES = 1024 * 1024
_PR_SET_PDEATHSIG = 1

_log = logging.getLogger("function")


def run(
    source: FunctionSource,
    root: os.PathLike[str],
    channel: socket.socket,
    environ: Mapping[str, str],
    limits: ProcessLimits,
) -> int:
    """Serves until the host closes the channel; the process's exit code."""
    _become_function(environ, limits)
    began = time.perf_counter()
    app = _load(source, str(root))
    if app is None:
        return CANNOT_LOAD
    server = _Server(app, channel)
    server.tell(READY, 0, int((time.perf_counter() - began) * 1e6))
    server.serve()
    return 0


def _become_function(environ: Mapping[str, str], limits: ProcessLimits) -> None:
    """Leaves behind what belongs to the host: its signals, variables and log."""
    signal.set_wakeup_fd(-1)
    for word in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT):
        signal.signal(word, signal.SIG_DFL)
    # Programs that the function starts end with it. Linux shares processors between sessions, so that one function
    # cannot use up the share of the others.
    os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.environ.clear()
    os.environ.update(environ)
    # The host watches resident memory; this stops what grows faster than it looks.
    soft = 2 * limits.memory_bytes
    with contextlib.suppress(ValueError, OSError):  # not on every system, nor above its own limit
        resource.setrlimit(resource.RLIMIT_DATA, (soft, soft))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.stack_size(_STACK_BYTES)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter("functions"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    logging.getLogger("httpx").setLevel(logging.WARNING)


def _load(source: FunctionSource, root: str) -> flask.Flask | None:
    sys.path[:0] = [str(source.entrypoint.parent), root]
    try:
        app = functions_framework.create_app(  # type: ignore[no-untyped-call]
            target=source.target, source=str(source.entrypoint), signature_type="http"
        )
    except BaseException:  # noqa: BLE001 - whatever a function's own code raises, SystemExit too
        _log.exception("cannot load %s", source.slug)
        return None
    if not isinstance(app, flask.Flask):
        _log.error("cannot load %s: it is an ASGI application, and only WSGI is served here", source.slug)
        return None
    return app


class _Server:
    def __init__(self, app: flask.Flask, channel: socket.socket) -> None:
        self._app: WSGIApplication = app
        self._channel = channel
        self._telling = threading.Lock()
        flask.got_request_exception.connect(self._on_exception, app)

    def serve(self) -> None:
        """Takes connections until the host closes its side, and waits for the requests that run."""
        running: set[threading.Thread] = set()
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._channel, CALL.size, 1)
            if len(data) < CALL.size or not descriptors:
                break
            (number,) = CALL.unpack(data)
            running = {thread for thread in running if thread.is_alive()}
            thread = threading.Thread(
                target=self._answer, args=(number, socket.socket(fileno=descriptors[0]))
            )
            running.add(thread)
            thread.start()
        for thread in running:
            thread.join()

    def tell(self, kind: bytes, number: int, value: int) -> None:
        """A record to the host."""
        with self._telling:
            self._channel.sendall(RECORD.pack(kind, number, value))

    def _on_exception(self, _: flask.Flask, exception: BaseException, **__: object) -> None:
        if isinstance(exception, MemoryError):
            self.tell(MEMORY, 0, 0)

    def _answer(self, number: int, connection: socket.socket) -> None:
        self.tell(THREAD, number, threading.get_native_id())
        status = 0
        # The connection ends before the host hears that the request is done.
        with contextlib.closing(connection), connection.makefile("rb") as stream:
            try:
                head = read_head(stream)
                answer = Answer(connection, of_head=head["method"] == "HEAD")
                status = _respond(answer, lambda: answer.send(self._app, environ_of(head, stream)))
            except ClientGone:
                status = 499
        self.tell(DONE, number, status)


def _respond(answer: Answer, send: Callable[[], None]) -> int:
    try:
        send()
    except ClientGone:
        pass
    except BaseException:  # noqa: BLE001 - no exception of a function's own code ends its process
        _log.exception("the function has failed")
        with contextlib.suppress(ClientGone):
            answer.fail()
        return 500
    return answer.status
