"""A response before the end of its request reaches a client that reads only when all is sent."""

from __future__ import annotations

import socket

from tests.shop.integration.emulators.conftest import Served

_TRIES = 20
_BODY = b"x" * (3 << 20)
_HEAD = b"POST %s HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"


def _answered(served: Served, path: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        connection.sendall(_HEAD % (path, len(_BODY)) + _BODY)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def test_rejection_of_a_large_body_reaches_its_sender(emulators: Served) -> None:
    for path in (b"/nowhere", b"/stripe/v1/nowhere", b"/printify/v1/uploads/images.json"):
        for _ in range(_TRIES):
            assert _answered(emulators, path).startswith(b"HTTP/1.1 4")
