"""The common part of the vendors' apps: their parts, routes, errors and callers' credentials.

A vendor's `app.py` has `build(host)`, which makes its state and gives its routes and the work that runs beside them.
"""

from __future__ import annotations

import base64
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from emulators.core.faults import Faults
from emulators.core.settings import Settings
from emulators.core.store import Store
from emulators.render_pool import RenderPool

C = TypeVar("C")
Work = Callable[[], Awaitable[None]]


@dataclass(frozen=True)
class Host:
    """A vendor's parts; `base_url` and `folder` are its own."""

    settings: Settings
    store: Store
    faults: Faults
    render_pool: RenderPool
    base_url: str
    folder: Path


@dataclass(frozen=True)
class VendorApp:
    routes: Sequence[BaseRoute]
    background: tuple[Work, ...] = ()


class VendorError(Exception):
    """An error that a caller sees: HTTP status and whole body, as the vendor writes them."""

    media_type = "application/json"

    def __init__(self, status: int, body: dict[str, Any], message: str = "") -> None:
        super().__init__(message or str(body))
        self.status = status
        self.body = body


def vendor_route(
    method: str,
    path: str,
    read: Callable[[Request], Awaitable[C]],
    handler: Callable[[C], object],
    headers: Mapping[str, str] | None = None,
) -> Route:
    """A route that reads a request, authentication included, and answers with a response or with what is sent as JSON.

    Both may raise a `VendorError`. `handler` may be a coroutine function. `headers` go with JSON and with errors.
    """

    async def endpoint(request: Request) -> Response:
        try:
            answered = handler(await read(request))
            if inspect.isawaitable(answered):
                answered = await answered
        except VendorError as error:
            return JSONResponse(error.body, error.status, headers, error.media_type)
        return answered if isinstance(answered, Response) else JSONResponse(answered, 200, headers)

    return Route(path, endpoint, methods=[method])


async def read_nothing(request: Request) -> Request:
    """For pages and pictures, which take every caller and no body."""
    return request


def credentials(request: Request) -> tuple[str, str]:
    """Scheme in lower case and credentials of the Authorization header; empty texts where there is none."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return scheme.lower(), value.strip()


def basic_credentials(value: str) -> tuple[str, str]:
    """Name and password of RFC 7617; empty texts for what is no base64, or has no text in it."""
    try:
        name, _, password = base64.b64decode(value, validate=True).decode().partition(":")
    except ValueError:
        return "", ""
    return name, password
