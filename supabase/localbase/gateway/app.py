"""The gateway: one ASGI application that mounts the services where Supabase's gateway does.

It checks the API key, resolves the caller, answers CORS, limits bodies, numbers requests and writes one log line each.
`/rest/v1` and `/functions/v1` take requests as plain values; the other services are ASGI applications.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any
from urllib.parse import parse_qs, unquote_to_bytes

from starlette.requests import ClientDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from localbase.core.authenticator import Authenticator, Caller
from localbase.core.cache import BoundedCache
from localbase.core.errors import ApiError
from localbase.core.http import (
    GATEWAY_HEADERS,
    LONGEST_BLOCK,
    Interrupted,
    Request,
    Response,
    StreamedResponse,
    has_no_body,
    headers_of,
    json_response,
    wire,
)
from localbase.core.jwt import TokenError
from localbase.core.logs import is_request_id
from localbase.core.sockets import SocketService, SocketSession
from localbase.gateway.access_log import AccessLog
from localbase.gateway.bodies import MAX_BODY_BYTES, Bodies, BodyTooLarge, Overloaded
from localbase.gateway.disconnect import CancelOnDisconnect, Disconnected
from localbase.gateway.fast_path import FastPath, FastService
from localbase.gateway.metrics import Metrics, service_of
from localbase.gateway.sockets import AsgiSocket

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]
ValueService = Callable[[Request, Caller], Awaitable[Response | StreamedResponse]]

_log = logging.getLogger("localbase.gateway")
_EXPOSED = (
    b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, "
    b"Transfer-Encoding, Range-Unit, X-Request-Id, X-Supabase-Api-Version, X-Total-Count, X-Relay-Error, Link, ETag"
)
_CORS = [(b"access-control-allow-origin", b"*"), (b"access-control-expose-headers", _EXPOSED)]
_CORS_LINES = b"".join([b"%b: %b\r\n" % pair for pair in _CORS])


@dataclass(frozen=True, slots=True)
class Mount:
    """A service below `prefix`. Exactly one of `values` and `asgi` is set; `sockets` takes its WebSockets.

    `open_paths` (below the prefix) need no API key, for browsers come there from a mail or another site;
    `key_required` is False for a service that judges callers itself, `tokens_verified` for one that takes the API key
    from here, but verifies bearer tokens itself.
    """

    prefix: str
    values: ValueService | None = None
    asgi: AsgiApp | None = None
    sockets: SocketService | None = None
    key_required: bool = True
    tokens_verified: bool = True
    open_paths: tuple[str, ...] = ()
    token_error: Callable[[TokenError], Response] | None = None
    # Judges a request by its head, before its body is read: a rejection, or None.
    admit: Callable[[Request], Response | None] | None = None
    largest_body: int = MAX_BODY_BYTES
    # What the gateway's own errors carry here, beside their body.
    error_headers: tuple[tuple[str, str], ...] = ()
    # Verifies tokens here instead of the project's own.
    authenticator: Callable[[], Authenticator] | None = None


class App:
    """The ASGI application over `mounts`. `health` is the service probe."""

    def __init__(
        self,
        mounts: list[Mount],
        authenticator: Authenticator,
        health: Callable[[], Awaitable[bool]],
        metrics: Metrics | None = None,
        *,
        cached: bool = True,
    ) -> None:
        self._mounts = mounts
        self._authenticator = authenticator
        self._health = health
        self._metrics = metrics or Metrics()
        self._access_log = AccessLog()
        self._bodies = Bodies()
        # Request ids: this start's own number, then the request's. Nothing secret hangs on them.
        self._start = secrets.token_hex(8)
        self._numbers = count(1)
        self._heads: BoundedCache[tuple[tuple[bytes, bytes], ...], dict[str, str]] = BoundedCache(
            1024 if cached else 0
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        given_id = _header(scope, b"x-request-id")
        request_id = given_id if is_request_id(given_id) else self._new_id()
        if scope["type"] == "websocket":
            await self._serve_socket(AsgiSocket(scope, receive, send), scope, request_id)
            return
        if scope["type"] != "http":
            return
        started = time.perf_counter()
        answer = _Answer(send, request_id, scope["method"], scope.get("http_version", "1.1"))
        try:
            await self._route(scope, receive, answer, request_id)
        except (Disconnected, ClientDisconnect):
            answer.status = 499
        except Interrupted:
            # uvicorn closes a connection with an answer that has no end.
            _log.warning("the answer to request %s was cut off", request_id)
        except BodyTooLarge as error:
            message = f"The body exceeds {error.largest >> 20} MiB"
            await answer.respond(json_response(413, {"message": message}, self._error_headers(scope)))
        except Overloaded:
            headers = [("retry-after", "1"), *self._error_headers(scope)]
            message = "Too many large bodies at once, please try again"
            await answer.respond(json_response(503, {"message": message}, headers))
        except ApiError as error:
            headers = [*error.headers, *self._error_headers(scope)]
            await answer.respond(json_response(error.status, {"message": error.message}, headers))
        except Exception:  # noqa: BLE001 - the last resort: logged with its traceback, answered as a 500
            _log.exception("request %s failed", request_id)
            if not answer.started:
                message = "An unexpected error occurred"
                await answer.respond(json_response(500, {"message": message}, self._error_headers(scope)))
        seconds = time.perf_counter() - started
        # The path as it came, for it holds no spaces, line ends or control characters.
        path = _raw_path(scope)
        self._tally(service_of(path), f"{scope['method']} {path}", answer.status, seconds, request_id)

    async def _serve_socket(self, connection: AsgiSocket, scope: Scope, request_id: str) -> None:
        """A WebSocket from its handshake to its end. Its service decides who gets one."""
        started = time.perf_counter()
        path = _raw_path(scope)
        mount = self._mount(scope)
        request = _request_of(scope, headers_of(scope["headers"]), mount.prefix if mount else "", request_id)
        if mount is None or mount.sockets is None:
            session: SocketSession | Response = json_response(404, {"message": "no Route matched"})
        else:
            try:
                session = await mount.sockets(request)
            except Exception:  # noqa: BLE001 - the last resort: logged with its traceback, answered as a 500
                _log.exception("request %s failed", request_id)
                session = json_response(500, {"message": "An unexpected error occurred"})
        status = session.status if isinstance(session, Response) else 101
        self._tally(service_of(path), f"GET {path}", status, time.perf_counter() - started, request_id)
        if isinstance(session, Response):
            await connection.refuse(session, request_id)
            return
        self._metrics.socket_opened(service_of(path))
        try:
            await connection.accept(request_id)
            await session.run(connection)
        except ClientDisconnected:
            _log.info("the client of socket %s went away during the handshake", request_id)
        except Exception:  # noqa: BLE001 - the last resort: logged with its traceback
            _log.exception("socket %s failed", request_id)
            connection.close(1011)
        finally:
            session.end()
            self._metrics.socket_closed(service_of(path))
            seconds = time.perf_counter() - started
            self._access_log.add(f"closed {path} after {seconds:.1f} s {request_id}")

    def fast_path(self, prefix: str, service: FastService) -> FastPath:
        """The fast path of the mount at `prefix`, which responds as this application would."""
        return FastPath(prefix, service, self._authenticator, _CORS_LINES, self._new_id, self._tally)

    def _new_id(self) -> str:
        return f"{self._start}{next(self._numbers):016x}"

    def _tally(self, service: str, title: str, status: int, seconds: float, request_id: str) -> None:
        self._metrics.count(service, status, seconds)
        self._access_log.add(f"{title} {status} {seconds * 1000:.1f} ms {request_id}")

    def _headers(self, scope: Scope) -> dict[str, str]:
        """The headers as text. Clients repeat them with every request, so they are cached: read-only."""
        raw = tuple([(name, value) for name, value in scope["headers"]])
        known = self._heads.get(raw)
        if known is None:
            known = headers_of(raw)
            size = sum(len(name) + len(value) for name, value in raw)
            if size <= LONGEST_BLOCK:
                # Bytes, texts and their objects take about four times as much.
                self._heads.put(raw, known, 4 * size)
        return known

    async def _route(self, scope: Scope, receive: Receive, answer: _Answer, request_id: str) -> None:
        path: str = scope["path"]
        if scope["method"] == "OPTIONS" and _header(scope, b"access-control-request-method"):
            await answer.respond(_preflight(scope))
            return
        mount = self._mount(scope)
        if mount is not None:
            await self._serve(mount, scope, receive, answer, request_id)
        elif path == "/health":
            healthy = await self._health()
            await answer.respond(
                json_response(200 if healthy else 503, {"status": "ok" if healthy else "down"})
            )
        elif path == "/metrics":
            await answer.respond(
                Response(200, [("content-type", "text/plain; version=0.0.4")], self._metrics.text())
            )
        else:
            await answer.respond(json_response(404, {"message": "no Route matched with those values"}))

    def _mount(self, scope: Scope) -> Mount | None:
        """The service of a path, by the path as it came: the service gets the rest of it unchanged."""
        raw = _raw_path(scope)
        for mount in self._mounts:
            if raw == mount.prefix or raw.startswith(mount.prefix + "/"):
                return mount
        return None

    def _error_headers(self, scope: Scope) -> list[tuple[str, str]]:
        mount = self._mount(scope)
        return list(mount.error_headers) if mount else []

    async def _serve(
        self, mount: Mount, scope: Scope, receive: Receive, answer: _Answer, request_id: str
    ) -> None:
        headers = self._headers(scope)
        below = scope["path"][len(mount.prefix) :]
        caller: Caller | None = None
        query_key = _query_key(scope["query_string"])
        if mount.key_required and below not in mount.open_paths:
            key = self._authenticator.require_key(headers, query_key)
            try:
                authenticator = mount.authenticator() if mount.authenticator else self._authenticator
                caller = authenticator.resolve(headers, key) if mount.tokens_verified else None
            except TokenError as error:
                if mount.token_error is None:
                    raise ApiError(401, "invalid_token", error.message) from error
                await answer.respond(mount.token_error(error))
                return
        if mount.asgi is not None:
            scope["root_path"] = scope.get("root_path", "") + mount.prefix
            scope["localbase.request_id"] = request_id
            await mount.asgi(scope, receive, answer.send)
            return
        assert mount.values is not None
        request = _request_of(scope, headers, mount.prefix, request_id)
        if mount.admit is not None and (rejection := mount.admit(request)) is not None:
            await answer.respond(rejection)
            return
        async with self._bodies.received(receive, headers, mount.largest_body) as body:
            with CancelOnDisconnect(receive):
                response = await mount.values(replace(request, body=body), caller or ANONYMOUS)
                if isinstance(response, StreamedResponse):
                    await answer.stream(response)
                    return
        await answer.respond(response)


ANONYMOUS = Caller("anon", {"role": "anon"}, b'{"role":"anon"}')


class _Answer:
    """Adds the gateway's headers to the response of a service, and records its status."""

    def __init__(self, send: Send, request_id: str, method: str, http_version: str) -> None:
        self._of_head = method == "HEAD"
        # A client of HTTP/1.0 does not know chunks.
        self._needs_length = http_version == "1.0"
        self._send = send
        self._request_id = request_id
        self.status = 0
        self.started = False

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            self.status = message["status"]
            # A function may answer CORS itself, for it must when it is deployed alone; two sets would break browsers.
            headers = message.get("headers", [])
            given = [pair for pair in headers if pair[0] not in GATEWAY_HEADERS]
            exposed = [value for name, value in headers if name == b"access-control-expose-headers"]
            message["headers"] = [*given, *_cors_with(exposed), (b"x-request-id", self._request_id.encode())]
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
        self.started, self.status = True, response.status
        await self._send({"type": "http.response.start", "status": response.status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body})

    async def stream(self, response: StreamedResponse) -> None:
        """Sends an answer while it is made. Raises `Interrupted` where it is cut off: then it gets no end."""
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
                    await self._send({"type": "http.response.body", "body": part, "more_body": True})
            await self._send({"type": "http.response.body", "body": body})
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


def _request_of(scope: Scope, headers: dict[str, str], prefix: str, request_id: str) -> Request:
    """The request as a service at `prefix` gets it, without its body."""
    raw_path = _raw_path(scope)[len(prefix) :]
    return Request(
        method=scope.get("method", "GET"),
        path=unquote_to_bytes(raw_path).decode(errors="replace"),
        raw_path=raw_path,
        query=scope["query_string"],
        headers=headers,
        peer=(scope.get("client") or ("",))[0],
        id=request_id,
    )


def _cors_with(exposed: list[bytes]) -> list[tuple[bytes, bytes]]:
    """The gateway's CORS headers. What a service exposes besides, its pages may read too."""
    if not exposed:
        return _CORS
    return [_CORS[0], (b"access-control-expose-headers", b", ".join((_EXPOSED, *exposed)))]


def _raw_path(scope: Scope) -> str:
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def _query_key(query: bytes) -> str | None:
    if b"apikey=" not in query:
        return None
    found = parse_qs(query.decode("latin-1")).get("apikey")
    return found[0] if found else None


def _preflight(scope: Scope) -> Response:
    return Response(
        200,
        [
            ("access-control-allow-methods", "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS"),
            ("access-control-allow-headers", _header(scope, b"access-control-request-headers") or "*"),
            ("access-control-max-age", "3600"),
        ],
    )
