"""The gateway's side of `/functions/v1/<slug>`: is there such a function, may the caller call it, pass it on.

Upstream: the hosted platform's answers for missing functions, missing and invalid tokens, and time-outs.
"""

from __future__ import annotations

import re

import httpx

from localbase.core.errors import ApiError
from localbase.core.http import Request, Response, json_response
from localbase.core.identity import Caller, Identities, bearer
from localbase.core.jwt import TokenError
from localbase.core.project import Project
from localbase.core.settings import FunctionSettings

_SLUG = re.compile(r"^[A-Za-z][A-Za-z0-9_-]*$")
_TIMEOUT_SECONDS = 150.0
_MAX_BODY = 32 * 1024 * 1024
# Of one connection, not of the message (RFC 9110, 7.6.1); the length is that of the new body.
_HOP = {"connection", "keep-alive", "transfer-encoding", "upgrade", "te", "trailer", "host", "content-length"}


class FunctionsGateway:
    """Passes requests on to the worker on `port` of 127.0.0.1."""

    def __init__(self, project: Project, identities: Identities, port: str) -> None:
        self._project = project
        self._identities = identities
        self._client = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port or 0}",
            timeout=httpx.Timeout(_TIMEOUT_SECONDS, connect=10),
            limits=httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=4),
            trust_env=False,
        )

    async def close(self) -> None:
        """Closes the connections to the worker."""
        await self._client.aclose()

    async def handle(self, request: Request, _: Caller) -> Response:
        """The function's answer, or the platform's refusal as `{"code", "message"}`."""
        slug = request.path.strip("/").split("/", 1)[0]
        settings = self._project.settings.functions.get(slug, FunctionSettings())
        folder = self._project.functions / slug
        if not _SLUG.match(slug) or not settings.enabled or not (folder / "main.py").is_file():
            return _refusal(404, "NOT_FOUND", "Requested function was not found")
        if len(request.body) > _MAX_BODY:
            return _refusal(413, "PAYLOAD_TOO_LARGE", f"The body exceeds {_MAX_BODY >> 20} MiB")
        headers = {name: value for name, value in request.headers.items() if name not in _HOP}
        if settings.verify_jwt and (refusal := self._check_token(headers)):
            return refusal
        headers["x-request-id"] = request.id
        return await self._pass_on(request, headers)

    def _check_token(self, headers: dict[str, str]) -> Response | None:
        token = bearer(headers)
        if token is None:
            return _refusal(401, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header")
        try:
            self._identities.resolve(headers, token)
        except (TokenError, ApiError):
            return _refusal(401, "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT")
        return None

    async def _pass_on(self, request: Request, headers: dict[str, str]) -> Response:
        query = f"?{request.query.decode('latin-1')}" if request.query else ""
        try:
            answer = await self._client.request(
                request.method, request.path + query, headers=headers, content=request.body
            )
        except httpx.TimeoutException:
            return _refusal(504, "IDLE_TIMEOUT", f"The function did not answer in {_TIMEOUT_SECONDS:.0f} s")
        except httpx.TransportError:
            return _refusal(503, "BOOT_ERROR", "Function failed to start (please check logs)")
        # httpx has undone any content coding, so the headers that describe the coded body go.
        kept = [
            (name, value)
            for name, value in answer.headers.multi_items()
            if name.lower() not in _HOP and name.lower() not in ("content-encoding", "server", "date")
        ]
        return Response(answer.status_code, kept, answer.content)


def _refusal(status: int, code: str, message: str) -> Response:
    return json_response(status, {"code": code, "message": message})
