"""Inside a function's process: loads the function's code once, then answers each request in a thread of its own.

The process is forked from the host, which hands it connections by `channel` and ends it by closing its side: what runs
is then finished first. A function for Deno is a program that this process starts (`deno/child.py`).
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import os
import resource
import signal
import socket
import sys
import threading
import time
from collections.abc import Mapping
from functools import cached_property, partial
from typing import Any, BinaryIO
from wsgiref.types import WSGIApplication

import flask
import functions_framework

from localbase.core.logs import JsonFormatter
from localbase.functions.deno.child import run_deno
from localbase.functions.launch import Launch
from localbase.functions.serving import CANNOT_LOAD, MEMORY, READY, Server
from localbase.functions.sources import FunctionSource
from localbase.functions.wsgi import ClientGone, ResponseWriter, environ_of

_STACK_BYTES = 1024 * 1024
_PR_SET_PDEATHSIG = 1
# What V8 reserves before it has loaded anything.
_V8_BYTES = 1024 * 1024 * 1024

_log = logging.getLogger("function")


def run(launch: Launch, channel: socket.socket) -> int:
    """Serves until the host closes the channel; the process's exit code."""
    _become_function(launch.environ, 2 * launch.limits.memory_bytes + (_V8_BYTES if launch.deno else 0))
    if launch.deno is not None:
        return run_deno(launch, channel)
    began = time.perf_counter()
    app = _load(launch.source, str(launch.root))
    if app is None:
        return CANNOT_LOAD
    server = Server(channel, partial(_respond, app))

    def on_exception(_: flask.Flask, exception: BaseException, **__: object) -> None:
        if isinstance(exception, MemoryError):
            server.send_record(MEMORY, 0, 0)

    flask.got_request_exception.connect(on_exception, app)
    server.send_record(READY, 0, int((time.perf_counter() - began) * 1e6))
    server.serve()
    return 0


def _become_function(environ: Mapping[str, str], reserved_bytes: int) -> None:
    """Leaves behind what belongs to the host: its signals, variables and log. It may reserve so much memory."""
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
    with contextlib.suppress(ValueError, OSError):  # not on every system, nor above its own limit
        resource.setrlimit(resource.RLIMIT_DATA, (reserved_bytes, reserved_bytes))
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
    app.request_class = FunctionRequest
    return app


class FunctionRequest(flask.Request):
    """A request whose address is the one that was called: WSGI ends an application's own address in a slash."""

    @cached_property
    def base_url(self) -> str:
        """The address without its query."""
        return self._as_called(super().base_url)

    @cached_property
    def url(self) -> str:
        """The whole address."""
        base, mark, query = super().url.partition("?")
        return self._as_called(base) + mark + query

    def _as_called(self, address: str) -> str:
        path = self.environ["RAW_URI"].partition("?")[0]
        return address.removesuffix("/") if not path.endswith("/") else address


def _respond(app: WSGIApplication, head: Mapping[str, Any], body: BinaryIO, writer: ResponseWriter) -> int:
    try:
        writer.send(app, environ_of(head, body))
    except ClientGone:
        pass
    except BaseException:  # noqa: BLE001 - no exception of a function's own code ends its process
        _log.exception("the function has failed")
        with contextlib.suppress(ClientGone):
            writer.fail()
        return 500
    return writer.status
