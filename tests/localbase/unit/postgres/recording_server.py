"""A server that speaks as much of Postgres's protocol as psql needs to send a script, and runs nothing of it."""

from __future__ import annotations

import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_COPY = re.compile(r"copy t (?:\(a\) )?from stdin")
_STATUS = {"server_version": "18.0", "client_encoding": "UTF8", "standard_conforming_strings": "on"}


class RecordingServer:
    """Keeps each query of one connection, with the rows that followed it."""

    def __init__(self) -> None:
        self.queries: list[tuple[str, str]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection, connection.makefile("rb") as stream:
            stream.read(struct.unpack("!i", stream.read(4))[0] - 4)
            hello = b"".join(_message(b"S", f"{name}\0{value}\0".encode()) for name, value in _STATUS.items())
            connection.sendall(_message(b"R", struct.pack("!i", 0)) + hello + _message(b"Z", b"I"))
            while kind := stream.read(1):
                body = stream.read(struct.unpack("!i", stream.read(4))[0] - 4)
                connection.sendall(self._answer(kind, body))

    def close(self) -> None:
        self._listener.close()

    def _answer(self, kind: bytes, body: bytes) -> bytes:
        if kind == b"Q":
            query = body[:-1].decode()
            self.queries.append((query, ""))
            if _COPY.search(query):
                return _message(b"G", struct.pack("!bh", 0, 0))
            return _message(b"I", b"") + _message(b"Z", b"I")
        if kind == b"d":
            query, rows = self.queries.pop()
            self.queries.append((query, rows + body.decode()))
        if kind == b"c":
            return _message(b"C", b"COPY 0\0") + _message(b"Z", b"I")
        return b""


@contextmanager
def recording_server() -> Iterator[RecordingServer]:
    """One that takes one connection."""
    server = RecordingServer()
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()


def _message(kind: bytes, body: bytes) -> bytes:
    return kind + struct.pack("!i", len(body) + 4) + body
