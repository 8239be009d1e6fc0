"""The gateway's side of a call: connects to the host, sends the request, and passes the response on as it comes.

Ending the response's `parts` early, because the client has gone, ends the connection, by which the function sees it.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, cast

from localbase.core.web.http import Interrupted, InvalidHeader, StreamedResponse, lines_of
from localbase.functions.limits import GatewayLimits
from localbase.functions.protocol import (
    DATA,
    END,
    ERROR,
    GO,
    HEAD,
    HEADER_BYTES,
    ProtocolError,
    Reason,
    call_line,
    encode,
    frame,
    parse_header,
)

_BUFFER_BYTES = 256 * 1024
# Of one connection, not of the message (RFC 9110, 7.6.1), or said by the gateway alone.
_NOT_PASSED = frozenset(
    (
        *(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "transfer-encoding",
            "upgrade",
        ),
        *("te", "trailer", "server", "date", "x-relay-error"),
    )
)


class Rejected(Exception):
    """The host has responded in the function's place."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidResponse(Exception):
    """The function's response cannot be written as HTTP."""


@dataclass(frozen=True, slots=True)
class CallHead:
    """The request's head, as `wsgi.py` reads it."""

    method: str
    path: str
    rest: str
    query: str
    headers: list[tuple[str, str]]
    peer: str


class Relay:
    """Calls functions over the host's port on 127.0.0.1."""

    def __init__(self, port: int, limits: GatewayLimits) -> None:
        self._port = port
        self._limits = limits

    async def call(self, slug: str, request_id: str, head: CallHead, body: bytes) -> StreamedResponse:
        """The function's response, from its first byte on.

        Raises `Rejected`, `InvalidResponse`, `TimeoutError` where no first byte comes in time, and `OSError` where
        there is no host.
        """
        async with asyncio.timeout(self._limits.first_byte_seconds):
            reader, writer = await self._connect(slug, request_id)
            fields = {name: getattr(head, name) for name in CallHead.__slots__}
            sending = asyncio.create_task(_send(writer, {**fields, "length": len(body)}, body))

            def close() -> None:
                sending.cancel()
                writer.transport.abort()

            try:
                status, headers = await _read_head(reader)
                length = _length_of(headers)
            except BaseException:
                close()
                raise
        parts = self._parts(reader, None if head.method == "HEAD" else length)
        return StreamedResponse(status, headers, parts, close)

    async def _connect(self, slug: str, request_id: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to a process of the function. Until the host says so, nothing of the request has been sent."""
        while True:
            reader, writer = await self._opened()
            try:
                writer.write(call_line(slug, request_id))
                kind, payload = await _read_frame(reader)
            except (asyncio.IncompleteReadError, ConnectionError):
                # The host was ended. Its socket lives on, where the call waits for the next one.
                writer.transport.abort()
                continue
            except BaseException:
                writer.transport.abort()
                raise
            if kind == GO:
                return reader, writer
            writer.transport.abort()
            raise Rejected(cast(Reason, payload.decode())) if kind == ERROR else InvalidResponse(repr(kind))

    async def _opened(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            connection.setblocking(False)
            # Said before it connects. The system would let what nobody reads grow to 32 MB for each response.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER_BYTES)
            await asyncio.get_running_loop().sock_connect(connection, ("127.0.0.1", self._port))
            return await asyncio.open_connection(sock=connection, limit=_BUFFER_BYTES)
        except BaseException:
            connection.close()
            raise

    async def _parts(self, reader: asyncio.StreamReader, length: int | None) -> AsyncIterator[bytes]:
        """The body. A process that ends behind a body of the announced length has left nothing out.

        The client has that body and may have sent its next request: cut off now, it would lose the response to that.
        """
        size = 0
        while True:
            try:
                async with asyncio.timeout(self._limits.idle_seconds):
                    kind, payload = await _read_frame(reader)
            except (asyncio.IncompleteReadError, ConnectionError, TimeoutError, ProtocolError) as error:
                if size == length:
                    return
                raise Interrupted from error
            if size == length or (kind == END and length is None):
                return
            size += len(payload)
            if kind != DATA or (length is not None and size > length):
                raise Interrupted
            yield payload


async def _send(writer: asyncio.StreamWriter, head: dict[str, Any], body: bytes) -> None:
    with suppress(OSError):  # a function may answer, and end, before it has read the body
        writer.write(frame(HEAD, encode(head)))
        writer.write(body)
        await writer.drain()


async def _read_frame(reader: asyncio.StreamReader) -> tuple[bytes, bytes]:
    kind, length = parse_header(await reader.readexactly(HEADER_BYTES))
    return kind, await reader.readexactly(length) if length else b""


async def _read_head(reader: asyncio.StreamReader) -> tuple[int, list[tuple[str, str]]]:
    """Status and headers that can be passed on."""
    try:
        kind, payload = await _read_frame(reader)
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise Rejected("exit") from error
    except ProtocolError as error:
        raise InvalidResponse(str(error)) from error
    if kind == ERROR:
        raise Rejected(cast(Reason, payload.decode()))
    try:
        head = json.loads(payload)
        status, pairs = int(head["status"]), head["headers"]
        headers = [(str(name), str(value)) for name, value in pairs]
        lines_of(headers)
    except (ValueError, TypeError, KeyError, RecursionError, InvalidHeader) as error:
        raise InvalidResponse("its head cannot be passed on") from error
    if kind != HEAD or not 200 <= status <= 599:
        raise InvalidResponse(f"status {status}")
    named = {
        word.strip().lower()
        for name, value in headers
        if name.lower() == "connection"
        for word in value.split(",")
    }
    return status, [(n, v) for n, v in headers if n.lower() not in _NOT_PASSED and n.lower() not in named]


def _length_of(headers: list[tuple[str, str]]) -> int | None:
    """The body's length, where the function says it. Raises `InvalidResponse` unless it is one number."""
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    if not lengths:
        return None
    if len(lengths) > 1 or not (lengths[0].isascii() and lengths[0].isdecimal() and len(lengths[0]) < 20):
        raise InvalidResponse(f"content-length {lengths}")
    return int(lengths[0])
