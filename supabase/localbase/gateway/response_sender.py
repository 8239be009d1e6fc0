"""Headers that the gateway adds to every response of the ASGI path: CORS, the request's id, the length."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.types import Receive, Send

from localbase.core.web.http import (
    GATEWAY_HEADERS,
    Interrupted,
    Response,
    StreamedResponse,
    has_no_body,
    wire,
)
from localbase.gateway.bodies import MAX_BODY_BYTES

SendFile = Callable[[int, int, int], Awaitable[None]]

_EXPOSED = (
    b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, "
    b"Transfer-Encoding, Range-Unit, X-Request-Id, X-Supabase-Api-Version, X-Total-Count, X-Relay-Error, Link, ETag"
)
_CORS = [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", _EXPOSED)]
CORS_LINES = b"".join([b"%b: %b\r\n" % pair for pair in _CORS])


class CountedReceive:
    """ASGI's `receive`, counting the body's bytes."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.body_bytes = 0

    async def __call__(self) -> MutableMapping[str, Any]:
        message = await self._receive()
        if message["type"] == "http.request":
            self.body_bytes += len(message.get("body", b""))
        return message


class ResponseSender:
    """Adds the gateway's headers to the response of a service, and records its status."""

    def __init__(
        self, send: Send, request_id: str, method: str, http_version: str, send_file: SendFile | None = None
    ) -> None:
        """`send_file` sends a part of a file: its descriptor, the offset and the count of bytes."""
        self._send_file = send_file
        self._of_head = method == "HEAD"
        # A client of HTTP/1.0 does not know chunks.
        self._needs_length = http_version == "1.0"
        self._send = send
        self._request_id = request_id
        self.status = 0
        self.started = False
        self.body_bytes = 0

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            self.status = message["status"]
            # A function may answer CORS itself, for it must when it is deployed alone; two sets would break browsers.
            headers = message.get("headers", [])
            service_headers = [pair for pair in headers if pair[0] not in GATEWAY_HEADERS]
            exposed = [value for name, value in headers if name == b"access-control-expose-headers"]
            message["headers"] = [
                *service_headers,
                *_cors_with(exposed),
                (b"x-request-id", self._request_id.encode()),
            ]
        elif message["type"] == "http.response.zerocopysend":
            assert self._send_file is not None
            self.body_bytes += message["count"]
            await self._send_file(message["file"], message["offset"], message["count"])
            message = {"type": "http.response.body", "body": b"", "more_body": message["more_body"]}
        else:
            self.body_bytes += len(message.get("body", b""))
        await self._send(message)

    async def respond(self, response: Response) -> None:
        headers = []
        body = b"" if has_no_body(response.status) else response.body
        # A service that answers HEAD may give the length that the body would have. Without body and length it is not
        # known, and none is sent.
        length = b"" if self._of_head and not body else b"%d" % len(body)
        for name, value in response.headers:
            pair = wire(name, value)
            if pair[0] == b"content-length":
                length = pair[1]
            elif pair[0] not in GATEWAY_HEADERS:
                headers.append(pair)
        if length and not has_no_body(response.status):
            headers.append((b"content-length", length))
        headers += (*_CORS, (b"x-request-id", self._request_id.encode()))
        self.started, self.status, self.body_bytes = True, response.status, len(body)
        await self._send({"type": "http.response.start", "status": response.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})

    async def stream(self, response: StreamedResponse) -> None:
        """Sends a response while it is made. Raises `Interrupted` where it is cut off: then it gets no end."""
        try:
            without_body = has_no_body(response.status)
            headers = [wire(name, value) for name, value in response.headers]
            if without_body:
                headers = [pair for pair in headers if pair[0] != b"content-length"]
            body = b""
            if self._needs_length and not without_body and not self._of_head:
                body = await _whole(response)
                headers = [pair for pair in headers if pair[0] != b"content-length"]
                headers.append((b"content-length", b"%d" % len(body)))
            start = {"type": "http.response.start", "status": response.status, "headers": headers}
            await self.send(start)
            if not (without_body or self._of_head or self._needs_length):
                async for part in response.parts:
                    await self.send({"type": "http.response.body", "body": part, "more_body": True})
            await self.send({"type": "http.response.body", "body": body})
        finally:
            response.close()


async def _whole(response: StreamedResponse) -> bytes:
    parts, size = [], 0
    async for part in response.parts:
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise Interrupted
        parts.append(part)
    return b"".join(parts)


def _cors_with(exposed: list[bytes]) -> list[tuple[bytes, bytes]]:
    """The gateway's CORS headers. What a service exposes besides, its pages may read too."""
    if not exposed:
        return _CORS
    return [_CORS[0], (b"access-control-expose-headers", b", ".join((_EXPOSED, *exposed)))]
