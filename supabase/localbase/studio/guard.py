"""The guard of Studio: it lets in a browser's own page of it, and programs of this machine.

It can do everything with the project and asks for no password, so no other site that a developer visits may reach it.
Host and origin must be Studio's own (`core/web/own_site.py`). A site can send forms and simple requests to any address:
every call is a JSON body with a header that needs a preflight, which is never granted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from localbase.core.web.own_site import rejection_of

HEADER = "x-studio"


class Guard:
    """ASGI middleware. `hosts` are Studio's names besides this machine's.

    `connects` are further origins that pages may call: the project's own services.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], connects: tuple[str, ...]) -> None:
        self._app = app
        self._hosts = hosts
        self._headers = _response_headers(connects)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers 403 for what comes from elsewhere."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        headers = Headers(scope=scope)
        rejection = self._rejection(scope["path"], scope["method"], headers)
        if len(headers.getlist("host")) != 1:
            await JSONResponse({"message": "A request names one host."}, 400)(scope, receive, guarded)
        elif rejection:
            await JSONResponse({"message": rejection}, 403)(scope, receive, guarded)
        else:
            await self._app(scope, receive, guarded)

    def _rejection(self, path: str, method: str, headers: Mapping[str, str]) -> str:
        if rejection := rejection_of(headers, self._hosts):
            return rejection
        if headers.get("sec-fetch-site", "none") not in {"none", "same-origin"}:
            return "Studio answers no other site."
        if not path.startswith("/api/"):
            return "" if method in {"GET", "HEAD"} else "Pages are only read."
        if HEADER not in headers:
            return f"A call of Studio has the header {HEADER}."
        return ""


def _response_headers(connects: tuple[str, ...]) -> list[tuple[bytes, bytes]]:
    reached = " ".join(connects)
    policy = "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "font-src 'self'",
            f"img-src 'self' data: blob: {reached}",
            f"connect-src 'self' {reached}",
            # Mails are shown in a frame without scripts.
            "frame-src 'self'",
            "frame-ancestors 'none'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return [
        (b"content-security-policy", policy.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", b"DENY"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"cache-control", b"no-cache"),
    ]
