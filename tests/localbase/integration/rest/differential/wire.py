"""Raw requests to a gateway, and its responses as they come over the wire."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterable
from typing import BinaryIO

_VARIES = re.compile(rb"(?i)(\r\n(?:date|x-request-id): )[^\r]*")
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")
# Long enough for the other side to read what has come, so that the next bytes are a segment of their own.
_MOMENT_SECONDS = 0.0008


class Wire:
    """One connection."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file: BinaryIO = self._socket.makefile("rb")

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def send(self, parts: Iterable[bytes]) -> None:
        """Sends each part as a segment of its own."""
        for number, part in enumerate(parts):
            if number:
                time.sleep(_MOMENT_SECONDS)
            try:
                self._socket.sendall(part)
            except OSError:
                # The other side has ended the connection: what it has sent until then can be read.
                return

    def response(self, request: bytes) -> bytes:
        """The response to `request`, without its date and id."""
        while True:
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                try:
                    line = self._file.readline()
                except OSError as error:
                    return head + f"({error})".encode()
                if not line:
                    return head + b"(the connection ended)"
                head += line
            if not head.startswith(b"HTTP/1.1 100 "):
                break
        length = _LENGTH.search(head)
        body = b""
        if length and not request.startswith(b"HEAD ") and not head.startswith(b"HTTP/1.1 304 "):
            body = self._file.read(int(length[1]))
        return _VARIES.sub(rb"\1", head) + body


def plain_response(port: int, request: bytes) -> bytes:
    """The response to a request that has a connection of its own and is sent in one piece."""
    wire = Wire(port)
    try:
        wire.send([request])
        return wire.response(request)
    finally:
        wire.close()
