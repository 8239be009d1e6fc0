"""Inside a function's process whose code is for Deno: starts Deno and passes each request on to it over HTTP.

The process stays between the host and Deno, so that both kinds of functions are handed connections, watched, logged
and ended alike. Deno says over a connection of its own (`bootstrap.js`) at which port the function serves, and ends,
after what `EdgeRuntime.waitUntil` was given, when that connection does. A secret header is the only way in: the port is
open to all of this machine, whose requests have not passed the gateway.
"""

from __future__ import annotations

import contextlib
import ctypes
import http.client
import json
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO
from wsgiref.types import StartResponse

from localbase.core.errors import UserError
from localbase.functions.deno.import_map import config_of, merged_map
from localbase.functions.deno.program import deno_command, main_module
from localbase.functions.launch import Launch
from localbase.functions.protocol import LARGEST_PART
from localbase.functions.serving import CANNOT_LOAD, PROGRAM, READY, Server
from localbase.functions.wsgi import ClientGone, ResponseWriter

_KEY_HEADER = "x-localbase-function-key"
_LONGEST_LINE = 256
# A Deno that has closed its connections ends within moments.
_END_SECONDS = 5.0
_PR_SET_PDEATHSIG = 1

_log = logging.getLogger("function")


def run_deno(launch: Launch, channel: socket.socket) -> int:
    """Serves until the host closes the channel; the process's exit code."""
    began = time.perf_counter()
    with socket.create_server(("127.0.0.1", 0)) as control:
        try:
            deno, key = _start(launch, control.getsockname()[1])
        except UserError as error:
            _log.error("%s %s", error, error.remedy)
            return CANNOT_LOAD
        except OSError as error:
            _log.error("%s does not start: %s", launch.deno, error)
            return CANNOT_LOAD
        reported = _wait_for_port(control, deno, key)
    if reported is None:
        _log.error(
            "cannot load %s: Deno has ended with %s; the lines above say why", launch.source.slug, deno.wait()
        )
        return CANNOT_LOAD
    link, port = reported
    requests = _Requests(port, key, deno)
    server = Server(channel, requests.respond)
    server.send_record(PROGRAM, 0, deno.pid)
    server.send_record(READY, 0, int((time.perf_counter() - began) * 1e6))
    ending = threading.Event()
    threading.Thread(target=_end_with, args=(deno, ending), daemon=True).start()
    server.serve()
    ending.set()
    link.close()
    deno.wait(launch.limits.wall_clock_seconds or None)
    return 0


def _start(launch: Launch, control_port: int) -> tuple[subprocess.Popen[bytes], str]:
    source = launch.source
    folder = source.entrypoint.parent
    import_map = merged_map(source.entrypoint, launch.root, source.import_map)
    folders = sorted({folder.resolve(), launch.root.resolve(), folder, launch.root})
    config = config_of(source.entrypoint, launch.root)
    command = deno_command(str(launch.deno), folders, config, import_map, launch.limits.memory_bytes)
    key = secrets.token_hex(32)
    about = {"control": control_port, "key": key}
    deno = subprocess.Popen(
        command,
        cwd=folder,
        env={**launch.environ, "LOCALBASE_DENO": json.dumps(about)},
        stdin=subprocess.PIPE,
        preexec_fn=_die_with_parent(),
    )
    assert deno.stdin is not None
    with contextlib.suppress(BrokenPipeError), deno.stdin:
        deno.stdin.write(main_module(source.entrypoint).encode())
    return deno, key


def _wait_for_port(
    control: socket.socket, deno: subprocess.Popen[bytes], key: str
) -> tuple[socket.socket, int] | None:
    """The connection with Deno, and the port that it has named on it; None where Deno ends before."""
    control.settimeout(0.05)
    while deno.poll() is None:
        try:
            link, _ = control.accept()
        except TimeoutError:
            continue
        word, _, port = _first_line(link).partition(b" ")
        if secrets.compare_digest(word, key.encode()) and port.isdigit():
            return link, int(port)
        link.close()
    return None


def _first_line(link: socket.socket) -> bytes:
    """Return what comes up to the end of a line, which is when the function has begun to serve."""
    link.settimeout(None)
    line = b""
    while not line.endswith(b"\n") and len(line) < _LONGEST_LINE:
        received = link.recv(_LONGEST_LINE - len(line))
        if not received:
            return b""
        line += received
    return line.strip()


def _end_with(deno: subprocess.Popen[bytes], ending: threading.Event) -> None:
    """Ends this process when Deno does so by itself: the host sees why, and cuts off the requests."""
    status = deno.wait()
    if ending.is_set():
        return
    sys.stderr.flush()
    if status < 0:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status or 1)


class _Requests:
    def __init__(self, port: int, key: str, deno: subprocess.Popen[bytes]) -> None:
        self._port = port
        self._key = key
        self._deno = deno

    def respond(self, head: Mapping[str, Any], body: BinaryIO, writer: ResponseWriter) -> int | None:
        """Passes a request on, and its response back. None if Deno ends meanwhile: so does this process."""

        def forward(_: object, start_response: StartResponse) -> Iterator[bytes]:
            return self._forward(head, body, start_response)

        try:
            writer.send(forward, {})
        except ClientGone:
            pass
        except (OSError, http.client.HTTPException) as error:
            try:
                self._deno.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                # A handler that fails in the midst of its response, or an address that no HTTP server takes.
                _log.error("the answer was cut off: %s", error)
                writer.fail()
                return writer.status or 500
            return None
        return writer.status

    def _forward(
        self, head: Mapping[str, Any], body: BinaryIO, start_response: StartResponse
    ) -> Iterator[bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        try:
            query = f"?{head['query']}" if head["query"] else ""
            address = head["path"] + head["rest"] + query
            connection.putrequest(head["method"], address, skip_host=True, skip_accept_encoding=True)
            for name, value in head["headers"]:
                connection.putheader(name, value)
            connection.putheader(_KEY_HEADER, self._key)
            if head["length"] or head["method"] in ("POST", "PUT", "PATCH"):
                connection.putheader("content-length", str(head["length"]))
            connection.endheaders()
            _send_body(connection, body, head["length"])
            response = connection.getresponse()
            start_response(f"{response.status} ", response.getheaders())
            while part := response.read1(LARGEST_PART):
                yield part
            if response.length:
                raise http.client.IncompleteRead(b"")
        finally:
            connection.close()


def _send_body(connection: http.client.HTTPConnection, body: BinaryIO, length: int) -> None:
    while length:
        part = body.read(min(length, LARGEST_PART))
        if not part:
            raise ClientGone
        try:
            connection.send(part)
        except OSError:
            return  # a function may answer before it has read the body
        length -= len(part)


def _die_with_parent() -> Callable[[], None] | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)

    def set_death_signal() -> None:
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)

    return set_death_signal
