"""The gateway's side of `/functions/v1/<slug>`: is there such a function, may the caller call it, pass it on.

Which function is meant is decided once, by the decoded first part of the path. The address that the worker gets is made
from that slug and from what follows it as it came, so that the function which is called is the one that was judged.

Upstream: the hosted platform's responses for missing functions, missing and invalid tokens, and time-outs; Kong's
forwarding headers.
"""

from __future__ import annotations

import logging
import re
from typing import NamedTuple
from urllib.parse import unquote, unquote_to_bytes

from localbase.core.authenticator import Authenticator, Caller, bearer
from localbase.core.project import Project
from localbase.core.tokens.jwt import TokenError
from localbase.core.web.http import Request, Response, StreamedResponse, json_response
from localbase.functions.deno.program import HINT
from localbase.functions.limits import GatewayLimits
from localbase.functions.overrides import read_overrides
from localbase.functions.protocol import Reason
from localbase.functions.relay import CallHead, InvalidResponse, Rejected, Relay
from localbase.functions.sources import SLUG, FunctionSources

_log = logging.getLogger("localbase.functions")
# By this header the clients tell the gateway's own errors from the function's.
RELAY_ERROR = (("x-relay-error", "true"),)
# Of one connection, not of the message (RFC 9110, 7.6.1); the length is that of the new body, which is all there.
# `Proxy` is none of HTTP's: a WSGI application would have it as HTTP_PROXY, by which clients find their proxy.
_HOP = frozenset(
    (
        *("connection", "keep-alive", "proxy-connection", "proxy-authorization", "transfer-encoding"),
        *("upgrade", "http2-settings", "te", "trailer", "host", "content-length", "expect", "proxy"),
    )
)
# Headers by which a proxy describes its client. This gateway has no trusted proxy before it.
_PROXYS = re.compile(r"x-forwarded-.*|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|sb-api-key")


class Target(NamedTuple):
    """A function, and what follows its slug in the address, as it came."""

    slug: str
    rest: str


def target_of(raw_path: str) -> Target | None:
    """Return what a path below the mount addresses.

    None for a path without a slug, or with dot segments, encoded or not: a reader that resolves them would meet another
    function.
    """
    first, slash, rest = raw_path[1:].partition("/")
    slug = unquote(first)
    if not raw_path.startswith("/") or not SLUG.fullmatch(slug):
        return None
    parts = re.split(rb"[/\\]", unquote_to_bytes(rest))
    return None if b"." in parts or b".." in parts else Target(slug, slash + rest)


class FunctionsGateway:
    """Passes requests on to the functions' host on `port` of 127.0.0.1."""

    def __init__(self, project: Project, authenticator: Authenticator, port: str) -> None:
        self._project = project
        self._authenticator = authenticator
        self._sources = FunctionSources(project)
        self._limits = GatewayLimits()
        self._relay = Relay(int(port or 0), self._limits)

    @property
    def largest_body(self) -> int:
        """The number of bytes that a request's body may have."""
        return self._limits.body_bytes

    def admit(self, request: Request) -> Response | None:
        """Rejects a request by its head: no such function, no token. None lets it in."""
        target = target_of(request.raw_path)
        settings = self._sources.settings(target.slug) if target else None
        if (
            target is None
            or settings is None
            or not settings.enabled
            or self._sources.find(target.slug) is None
        ):
            return _NOT_FOUND
        # A browser asks about CORS without a token; as upstream the function may answer that itself.
        if settings.verify_jwt and request.method != "OPTIONS":
            return self._check_token(_end_to_end(request.headers))
        return None

    def function_of(self, raw_path: str) -> str | None:
        """The slug of the function that a path below the mount leads to; None where there is none."""
        target = target_of(raw_path)
        return target.slug if target is not None and self._sources.find(target.slug) is not None else None

    async def handle(self, request: Request, _: Caller) -> Response | StreamedResponse:
        """The function's response to an admitted request, or the platform's rejection as `{"code", "message"}`."""
        target = target_of(request.raw_path)
        assert target is not None
        headers = _end_to_end(request.headers) | self._forwarding(request)
        head = CallHead(
            method=request.method,
            path=f"/{target.slug}",
            rest=target.rest,
            query=request.query.decode("latin-1"),
            headers=list(headers.items()),
            peer=request.peer,
        )
        try:
            return await self._relay.call(target.slug, request.id, head, request.body)
        except TimeoutError:
            seconds = f"{self._limits.first_byte_seconds:.0f}"
            return _rejection(504, "IDLE_TIMEOUT", f"The function did not answer in {seconds} s")
        except Rejected as error:
            return _REJECTIONS[error.reason]
        except InvalidResponse as error:
            fields = {"slug": target.slug, "request_id": request.id}
            _log.warning("the function's answer: %s", error, extra={"fields": fields})
            return _rejection(502, "BAD_RESPONSE", "The function's answer is no valid response")
        except OSError:
            return _REJECTIONS["boot"]

    def _host(self, request: Request) -> str:
        return request.headers.get("host") or self._project.settings.api_url.partition("//")[2]

    def _check_token(self, headers: dict[str, str]) -> Response | None:
        if not read_overrides(self._project.state).verify_jwt:
            return None
        if not headers.get("authorization"):
            return _rejection(401, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header")
        try:
            self._authenticator.verify(bearer(headers) or "")
        except TokenError:
            return _rejection(401, "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT")
        return None

    def _forwarding(self, request: Request) -> dict[str, str]:
        """Headers that describe the request as the client made it.

        Kong appends to a client's own X-Forwarded-For. A function that takes the first address would then believe the
        client, so here it is replaced like the others, by what trusted proxies say of it (`gateway/forwarding.py`).
        """
        host = self._host(request)
        port = str(self._project.settings.api.port)
        if request.proto:
            # As the client has it, who has come to the proxy.
            named = host.rpartition(":")[2] if ":" in host.rpartition("]")[2] else ""
            port = named or {"https": "443", "http": "80"}[request.proto]
        return {
            "host": host,
            "x-forwarded-host": host,
            "x-forwarded-proto": request.proto or "http",
            "x-forwarded-port": port,
            "x-forwarded-for": request.peer,
            "x-real-ip": request.peer,
            "x-request-id": request.id,
        }


def _end_to_end(headers: dict[str, str]) -> dict[str, str]:
    """The headers that are meant for the function, without those that only a proxy may say."""
    named = {name.strip().lower() for name in headers.get("connection", "").split(",")}
    return {
        name: value
        for name, value in headers.items()
        # To WSGI an underscore is a hyphen.
        if name not in _HOP and name not in named and not _PROXYS.fullmatch(name.replace("_", "-"))
    }


def _rejection(status: int, code: str, message: str) -> Response:
    """The gateway's own response."""
    return json_response(status, {"code": code, "message": message}, list(RELAY_ERROR))


_NOT_FOUND = _rejection(404, "NOT_FOUND", "Requested function was not found")
# 546 is the platform's own status.
_REJECTIONS: dict[Reason, Response] = {
    "missing": _NOT_FOUND,
    "boot": _rejection(503, "BOOT_ERROR", "Function failed to start (please check logs)"),
    "runtime": _rejection(503, "BOOT_ERROR", f"This function needs Deno, which is not installed: {HINT}"),
    "busy": _rejection(503, "OVERLOADED", "Too many requests wait for this function, please try again"),
    "limit": _rejection(
        546, "WORKER_LIMIT", "Function failed due to not having enough compute resources (please check logs)"
    ),
    "exit": _rejection(500, "WORKER_ERROR", "Function exited due to an error (please check logs)"),
}
