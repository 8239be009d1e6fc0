"""The gateway: one ASGI application that mounts the services where Supabase's gateway does.

It checks the API key, resolves the caller, answers CORS, limits bodies, numbers requests and writes one log line each.
`/rest/v1` and `/functions/v1` take requests as plain values; the other services are ASGI applications.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from itertools import count
from urllib.parse import parse_qs, unquote_to_bytes

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.utils import ClientDisconnected

from localbase.core.authenticator import ANONYMOUS, Authenticator, Caller, bearer
from localbase.core.cache import BoundedCache
from localbase.core.errors import ApiError
from localbase.core.logs import is_request_id
from localbase.core.tokens.jwt import TokenError
from localbase.core.web.http import (
    LONGEST_BLOCK,
    Interrupted,
    Request,
    Response,
    StreamedResponse,
    headers_of,
    json_response,
)
from localbase.core.web.sockets import SocketService, SocketSession
from localbase.gateway.access_log import AccessLog
from localbase.gateway.bodies import MAX_BODY_BYTES, Bodies, BodyTooLarge, Overloaded
from localbase.gateway.disconnect import CancelOnDisconnect, Disconnected
from localbase.gateway.fast_path import FastPath, FastService
from localbase.gateway.forwarding import TrustedProxies, forwarded_proto
from localbase.gateway.header_rules import header_rule
from localbase.gateway.metrics import Metrics, service_of
from localbase.gateway.response_sender import CORS_LINES, CountedReceive, ResponseSender
from localbase.gateway.sockets import AsgiSocket

ValueService = Callable[[Request, Caller], Awaitable[Response | StreamedResponse]]

_log = logging.getLogger("localbase.gateway")


@dataclass(frozen=True, slots=True)
class Mount:
    """A service below `prefix`. Exactly one of `values` and `asgi` is set; `sockets` takes its WebSockets.

    `tokens_verified` is False for a service that verifies bearer tokens itself. Which keys a path needs stands in
    `header_rules`.
    """

    prefix: str
    values: ValueService | None = None
    asgi: ASGIApp | None = None
    sockets: SocketService | None = None
    tokens_verified: bool = True
    token_error: Callable[[TokenError], Response] | None = None
    # Judges a request by its head, before its body is read: a rejection, or None.
    admit: Callable[[Request], Response | None] | None = None
    largest_body: int = MAX_BODY_BYTES
    # What the gateway's own errors carry here, beside their body.
    error_headers: tuple[tuple[str, str], ...] = ()
    # The function of a path below the prefix, by whose slug requests are counted; None for a path of none.
    function_of: Callable[[str], str | None] | None = None
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
        trusted_proxies: tuple[str, ...] = (),
    ) -> None:
        self._mounts = mounts
        self._authenticator = authenticator
        self._health = health
        self._metrics = metrics or Metrics()
        self._proxies = TrustedProxies(trusted_proxies)
        self._access_log = AccessLog()
        self._bodies = Bodies()
        # Request ids: this start's own number, then the request's. Nothing secret hangs on them.
        self._start = secrets.token_hex(8)
        self._numbers = count(1)
        self._heads: BoundedCache[tuple[tuple[bytes, bytes], ...], dict[str, str]] = BoundedCache(
            1024 if cached else 0
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._proxies and scope["type"] in ("http", "websocket"):
            self._proxies.apply(scope)
        given_id = _header(scope, b"x-request-id")
        request_id = given_id if is_request_id(given_id) else self._new_id()
        if scope["type"] == "websocket":
            await self._serve_socket(AsgiSocket(scope, receive, send), scope, request_id)
            return
        if scope["type"] != "http":
            return
        started = time.perf_counter()
        # Left in the scope, it would be a circle: requests leave none for the collector.
        send_file = scope.pop("localbase.send_file", None)
        version = scope.get("http_version", "1.1")
        sender = ResponseSender(send, request_id, scope["method"], version, send_file)
        if send_file is not None:
            scope.setdefault("extensions", {})["http.response.zerocopysend"] = {}
        counted = CountedReceive(receive)
        try:
            await self._route(scope, counted, sender, request_id)
        except (Disconnected, ClientDisconnect):
            sender.status = 499
        except Interrupted:
            # uvicorn closes a connection with an answer that has no end.
            _log.warning("the answer was cut off", extra={"fields": {"request_id": request_id}})
        except BodyTooLarge as error:
            message = f"The body exceeds {error.largest >> 20} MiB"
            await sender.respond(json_response(413, {"message": message}, self._error_headers(scope)))
        except Overloaded:
            headers = [("retry-after", "1"), *self._error_headers(scope)]
            message = "Too many large bodies at once, please try again"
            await sender.respond(json_response(503, {"message": message}, headers))
        except ApiError as error:
            headers = [*error.headers, *self._error_headers(scope)]
            await sender.respond(json_response(error.status, {"message": error.message}, headers))
        except Exception:  # noqa: BLE001 - the last resort: logged with its traceback, answered as a 500
            _log.exception("the request failed", extra={"fields": {"request_id": request_id}})
            if not sender.started:
                message = "An unexpected error occurred"
                await sender.respond(json_response(500, {"message": message}, self._error_headers(scope)))
        seconds = time.perf_counter() - started
        path = _raw_path(scope)
        sizes = counted.body_bytes, sender.body_bytes
        self._tally(service_of(path), f"{scope['method']} {path}", sender.status, seconds, request_id, *sizes)
        mount = self._mount(scope)
        if mount is not None and mount.function_of is not None and scope["method"] != "OPTIONS":
            slug = mount.function_of(path[len(mount.prefix) :])
            if slug is not None:
                self._metrics.count_function(slug, sender.status, seconds, *sizes)

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
                _log.exception("the request failed", extra={"fields": {"request_id": request_id}})
                session = json_response(500, {"message": "An unexpected error occurred"})
        status = session.status if isinstance(session, Response) else 101
        self._tally(service_of(path), f"GET {path}", status, time.perf_counter() - started, request_id)
        if isinstance(session, Response):
            await connection.reject(session, request_id)
            return
        self._metrics.socket_opened(service_of(path))
        try:
            await connection.accept(request_id)
            await session.run(connection)
        except ClientDisconnected:
            fields = {"request_id": request_id}
            _log.info("the socket's client went away during the handshake", extra={"fields": fields})
        except Exception:  # noqa: BLE001 - the last resort: logged with its traceback
            _log.exception("the socket failed", extra={"fields": {"request_id": request_id}})
            connection.close(1011)
        finally:
            session.end()
            self._metrics.socket_closed(service_of(path))
            seconds = time.perf_counter() - started
            self._access_log.add(f"CLOSE {path}", status, seconds, request_id)

    def fast_path(self, prefix: str, service: FastService) -> FastPath:
        """The fast path of the mount at `prefix`, which responds as this application would."""
        return FastPath(prefix, service, self._authenticator, CORS_LINES, self._new_id, self._tally)

    def _new_id(self) -> str:
        return f"{self._start}{next(self._numbers):016x}"

    def _tally(
        self,
        service: str,
        title: str,
        status: int,
        seconds: float,
        request_id: str,
        received: int = 0,
        sent: int = 0,
    ) -> None:
        self._metrics.count(service, status, seconds, received, sent)
        self._access_log.add(title, status, seconds, request_id, received, sent)

    def _headers(self, scope: Scope) -> dict[str, str]:
        """The headers as text. Clients repeat them with every request, so they are cached: read-only."""
        raw = tuple([(name, value) for name, value in scope["headers"]])
        headers = self._heads.get(raw)
        if headers is None:
            headers = headers_of(raw)
            size = sum(len(name) + len(value) for name, value in raw)
            if size <= LONGEST_BLOCK:
                # Bytes, texts and their objects take about four times as much.
                self._heads.put(raw, headers, 4 * size)
        return headers

    async def _route(self, scope: Scope, receive: Receive, sender: ResponseSender, request_id: str) -> None:
        path: str = scope["path"]
        if scope["method"] == "OPTIONS" and _header(scope, b"access-control-request-method"):
            await sender.respond(_preflight(scope))
            return
        mount = self._mount(scope)
        if mount is not None:
            await self._serve(mount, scope, receive, sender, request_id)
        elif path == "/health":
            healthy = await self._health()
            await sender.respond(
                json_response(200 if healthy else 503, {"status": "ok" if healthy else "down"})
            )
        elif path == "/metrics":
            await sender.respond(self._exposition(self._headers(scope)))
        else:
            await sender.respond(json_response(404, {"message": "no Route matched with those values"}))

    def _filled(self, scope: Scope, headers: dict[str, str], key: str) -> dict[str, str]:
        """The headers with `Authorization` as the service is to find it, in `scope` too."""
        authorization = self._authenticator.authorization(headers, key)
        if authorization == headers.get("authorization", ""):
            return headers
        others = [item for item in scope["headers"] if item[0] != b"authorization"]
        scope["headers"] = [*others, (b"authorization", authorization.encode("latin-1"))]
        return {**headers, "authorization": authorization}

    def _exposition(self, headers: dict[str, str]) -> Response:
        """The metrics, for the service role: they name all functions, and say what is used how much."""
        token = bearer({"authorization": self._authenticator.authorization(headers)})
        try:
            is_service = self._authenticator.verify(token or "").role == "service_role"
        except TokenError:
            is_service = False
        if not is_service:
            challenge = [("www-authenticate", "Bearer")]
            return json_response(
                401, {"message": "Metrics are for the secret key, as a bearer token"}, challenge
            )
        return Response(200, [("content-type", "text/plain; version=0.0.4")], self._metrics.text())

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
        self, mount: Mount, scope: Scope, receive: Receive, sender: ResponseSender, request_id: str
    ) -> None:
        headers = self._headers(scope)
        rule = header_rule(scope["path"])
        key = _query_key(scope["query_string"]) or ""
        if rule.key_required:
            key = self._authenticator.require_key(headers, key)
        if rule.fills_authorization:
            headers = self._filled(scope, headers, key)
        caller = ANONYMOUS
        if mount.tokens_verified:
            try:
                authenticator = mount.authenticator() if mount.authenticator else self._authenticator
                caller = authenticator.resolve(headers, key)
            except TokenError as error:
                if mount.token_error is None:
                    raise ApiError(401, "invalid_token", error.message) from error
                await sender.respond(mount.token_error(error))
                return
        if mount.asgi is not None:
            scope["root_path"] = scope.get("root_path", "") + mount.prefix
            scope["localbase.request_id"] = request_id
            await mount.asgi(scope, receive, sender.send)
            return
        assert mount.values is not None
        request = _request_of(scope, headers, mount.prefix, request_id)
        if mount.admit is not None and (rejection := mount.admit(request)) is not None:
            await sender.respond(rejection)
            return
        async with self._bodies.received(receive, headers, mount.largest_body) as body:
            with CancelOnDisconnect(receive):
                response = await mount.values(replace(request, body=body), caller)
                if isinstance(response, StreamedResponse):
                    await sender.stream(response)
                    return
        await sender.respond(response)


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
        proto=forwarded_proto(scope),
    )


def _raw_path(scope: Scope) -> str:
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.partition(b"?")[0].decode("latin-1")


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


def _query_key(query: bytes) -> str | None:
    if b"apikey=" not in query:
        return None
    values = parse_qs(query.decode("latin-1")).get("apikey")
    return values[0] if values else None


def _preflight(scope: Scope) -> Response:
    return Response(
        200,
        [
            ("access-control-allow-methods", "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS"),
            ("access-control-allow-headers", _header(scope, b"access-control-request-headers") or "*"),
            ("access-control-max-age", "3600"),
        ],
    )
