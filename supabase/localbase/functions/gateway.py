"""The gateway's side of `/functions/v1/<slug>`: is there such a function, may the caller call it, pass it on.

Which function is meant is decided once, by the decoded first part of the path. The address that the worker gets is made
from that slug and from what follows it as it came, so that the function which is called is the one that was judged.

Upstream: the hosted platform's answers for missing functions, missing and invalid tokens, and time-outs; Kong's
forwarding headers.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote, unquote_to_bytes

import httpx

from localbase.core.authenticator import Authenticator, Caller, bearer
from localbase.core.errors import ApiError
from localbase.core.http import Request, Response, json_response
from localbase.core.jwt import TokenError
from localbase.core.project import Project
from localbase.core.settings import FunctionSettings

_SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,127}")
_HOST = re.compile(r"(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?")
# By this header the clients tell the gateway's own errors from the function's.
RELAY_ERROR = (("x-relay-error", "true"),)
_TIMEOUT_SECONDS = 150.0
_MAX_BODY = 32 * 1024 * 1024
# Of one connection, not of the message (RFC 9110, 7.6.1); the length is that of the new body, which is all there.
_HOP = frozenset(
    (
        *("connection", "keep-alive", "proxy-connection", "proxy-authorization", "transfer-encoding"),
        *("upgrade", "http2-settings", "te", "trailer", "host", "content-length", "expect"),
    )
)
# Headers by which a proxy describes its client. This gateway has no trusted proxy before it.
_PROXYS = re.compile(r"x-forwarded-.*|forwarded|x-real-ip|true-client-ip|cf-connecting-ip|sb-api-key")


class Target(NamedTuple):
    """A function, and what follows its slug in the address, as it came."""

    slug: str
    rest: str


def target_of(raw_path: str) -> Target | None:
    """What a path below the mount addresses.

    None for a path without a slug, or with dot segments, encoded or not: a reader that resolves them would meet another
    function.
    """
    first, slash, rest = raw_path[1:].partition("/")
    slug = unquote(first)
    if not raw_path.startswith("/") or not _SLUG.fullmatch(slug):
        return None
    parts = re.split(rb"[/\\]", unquote_to_bytes(rest))
    return None if b"." in parts or b".." in parts else Target(slug, slash + rest)


class FunctionsGateway:
    """Passes requests on to the worker on `port` of 127.0.0.1."""

    def __init__(self, project: Project, authenticator: Authenticator, port: str) -> None:
        self._project = project
        self._authenticator = authenticator
        self._worker = f"http://127.0.0.1:{port or 0}"
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(_TIMEOUT_SECONDS, connect=10),
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=4),
            trust_env=False,
        )
        # A function shall see the client's headers, not httpx's.
        self._client.headers.clear()

    async def close(self) -> None:
        """Closes the connections to the worker."""
        await self._client.aclose()

    async def handle(self, request: Request, _: Caller) -> Response:
        """The function's answer, or the platform's rejection as `{"code", "message"}`."""
        target = target_of(request.raw_path)
        if target is None or not self._exists(target.slug):
            return _rejection(404, "NOT_FOUND", "Requested function was not found")
        settings = self._settings(target.slug)
        if not settings.enabled:
            return _rejection(404, "NOT_FOUND", "Requested function was not found")
        host = request.headers.get("host") or self._project.settings.api_url.partition("//")[2]
        if not _HOST.fullmatch(host):
            return _rejection(400, "BAD_REQUEST", "Invalid host")
        if len(request.body) > _MAX_BODY:
            return _rejection(413, "PAYLOAD_TOO_LARGE", f"The body exceeds {_MAX_BODY >> 20} MiB")
        headers = _end_to_end(request.headers)
        if settings.verify_jwt and (rejection := self._check_token(headers)):
            return rejection
        headers |= self._forwarding(request, host)
        return await self._pass_on(request, target, headers)

    def _settings(self, slug: str) -> FunctionSettings:
        return self._project.settings.functions.get(slug, FunctionSettings())

    def _exists(self, slug: str) -> bool:
        """Whether there is a function of just this name: a file system may not care about small and capital letters."""
        folder = self._project.functions
        return (folder / slug / "main.py").is_file() and any(path.name == slug for path in folder.iterdir())

    def _check_token(self, headers: dict[str, str]) -> Response | None:
        token = bearer(headers)
        if token is None:
            return _rejection(401, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header")
        try:
            self._authenticator.resolve(headers, token)
        except (TokenError, ApiError):
            return _rejection(401, "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT")
        return None

    def _forwarding(self, request: Request, host: str) -> dict[str, str]:
        """Headers that describe the request as the client made it.

        Kong appends to a client's own X-Forwarded-For. A function that takes the first address would then believe the
        client, so here it is replaced like the others.
        """
        return {
            "host": host,
            "x-forwarded-host": host,
            "x-forwarded-proto": "http",
            "x-forwarded-port": str(self._project.settings.api.port),
            "x-forwarded-for": request.peer,
            "x-real-ip": request.peer,
            "x-request-id": request.id,
        }

    async def _pass_on(self, request: Request, target: Target, headers: dict[str, str]) -> Response:
        query = b"?" + request.query if request.query else b""
        # As a target of its own the path is sent as it is: httpx would normalize the one of a URL.
        inner = self._client.build_request(
            request.method,
            self._worker,
            headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()],
            content=request.body,
            extensions={"target": f"/{target.slug}{target.rest}".encode("latin-1") + query},
        )
        try:
            answer = await self._client.send(inner)
        except httpx.TimeoutException:
            return _rejection(504, "IDLE_TIMEOUT", f"The function did not answer in {_TIMEOUT_SECONDS:.0f} s")
        except httpx.TransportError:
            return _rejection(503, "BOOT_ERROR", "Function failed to start (please check logs)")
        except httpx.DecodingError:
            return _rejection(502, "BAD_RESPONSE", "The function's answer is not coded as it says")
        # httpx has undone any content coding, so the headers that describe the coded body go.
        passed = [
            (name, value)
            for name, value in answer.headers.multi_items()
            if name.lower() not in _HOP and name.lower() not in ("content-encoding", "server", "date")
        ]
        return Response(answer.status_code, passed, answer.content)


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
    """The gateway's own answer."""
    return json_response(status, {"code": code, "message": message}, list(RELAY_ERROR))
