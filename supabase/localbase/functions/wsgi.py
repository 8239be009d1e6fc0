"""One request of a function, from frames to WSGI and back: `environ`, and the response sent as it is made.

The request's head is `{"method", "path", "rest", "query", "headers", "peer", "length"}`: the slug as `/slug`, what
follows it as it came, and the body's length. The functions are WSGI applications (functions-framework over Flask), so
a part is sent whenever the application yields one.
"""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, BinaryIO
from urllib.parse import unquote_to_bytes
from wsgiref.types import WSGIApplication, WSGIEnvironment

from localbase.core.web.http import has_no_body
from localbase.functions.protocol import (
    DATA,
    END,
    HEAD,
    HEADER_BYTES,
    LARGEST_PART,
    ProtocolError,
    encode,
    frame,
    parse_header,
)

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType] | tuple[None, None, None]
_CLIENT_GONE = 499


class ClientGone(Exception):
    """The gateway has ended the connection: the client has gone, or has waited too long."""


def read_head(stream: BinaryIO) -> dict[str, Any]:
    """The request's head. Raises `ClientGone` where none comes, `ProtocolError` for anything else."""
    try:
        header = stream.read(HEADER_BYTES)
        if len(header) < HEADER_BYTES:
            raise ClientGone
        kind, length = parse_header(header)
        if kind != HEAD:
            raise ProtocolError(f"a frame {kind!r} in place of a head")
        text = stream.read(length)
    except OSError as error:
        raise ClientGone from error
    if len(text) < length:
        raise ClientGone
    head: dict[str, Any] = json.loads(text)
    return head


def environ_of(head: Mapping[str, Any], body: BinaryIO) -> WSGIEnvironment:
    """The WSGI environment, as a server with the public address would make it."""
    path, query = head["path"] + head["rest"], head["query"]
    address = f"{path}?{query}" if query else path
    environ: WSGIEnvironment = {
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "SERVER_SOFTWARE": "localbase",
        "REQUEST_METHOD": head["method"],
        "SCRIPT_NAME": head["path"],
        "PATH_INFO": unquote_to_bytes(head["rest"].encode("latin-1")).decode("latin-1") or "/",
        "QUERY_STRING": query,
        "REQUEST_URI": address,
        "RAW_URI": address,
        "REMOTE_ADDR": head["peer"],
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(head["length"]),
    }
    for name, value in head["headers"]:
        key = name.upper().replace("-", "_")
        # An underscore in a name would pass for a hyphen.
        if "_" not in name and key != "CONTENT_LENGTH":
            environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    return environ


class ResponseWriter:
    """The application's response, sent over `connection` as it comes."""

    def __init__(self, connection: socket.socket, *, of_head: bool) -> None:
        self._connection = connection
        self._of_head = of_head
        self._head: tuple[int, list[tuple[str, str]]] | None = None
        self._sent = False
        self.status = 0

    def send(self, app: WSGIApplication, environ: WSGIEnvironment) -> None:
        """Runs the application. An exception after the head has gone leaves the response without its end.

        Raises `ClientGone`.
        """
        parts: Iterable[bytes] = app(environ, self._start)
        try:
            for part in parts:
                self._write(part)
            if not self._sent:
                self._write_head(b"")
            self._transmit(frame(END))
        finally:
            if (close := getattr(parts, "close", None)) is not None:
                close()

    def fail(self) -> None:
        """Answers that the function has failed, where nothing has been sent yet."""
        if not self._sent:
            self._head = 500, [("content-type", "text/plain; charset=utf-8")]
            self._write_head(frame(DATA, b"Internal Server Error") + frame(END))

    def _start(self, status: str, headers: list[tuple[str, str]], exc_info: _ExcInfo | None = None, /) -> Any:
        if exc_info is not None and self._sent and exc_info[1] is not None:
            raise exc_info[1]
        self._head = int(status.split(" ", 1)[0]), list(headers)
        return self._write

    def _write(self, part: bytes) -> None:
        if not part:
            return
        without_body = self._of_head or (self._head is not None and has_no_body(self._head[0]))
        pieces = [] if without_body else range(0, len(part), LARGEST_PART)
        frames = [frame(DATA, part[start : start + LARGEST_PART]) for start in pieces]
        if not self._sent:
            self._write_head(frames[0] if frames else b"")
            frames = frames[1:]
        for each in frames:
            self._transmit(each)

    def _write_head(self, first: bytes) -> None:
        if self._head is None:
            raise RuntimeError("the application has not called start_response")
        status, headers = self._head
        self._sent, self.status = True, status
        self._transmit(frame(HEAD, encode({"status": status, "headers": headers})) + first)

    def _transmit(self, data: bytes) -> None:
        try:
            self._connection.sendall(data)
        except OSError as error:
            self.status = _CLIENT_GONE
            raise ClientGone from error
