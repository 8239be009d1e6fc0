"""All emulators behind one port: each vendor's routes under its prefix, and their work in the background."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from emulators.core.faults import FaultMiddleware, Faults
from emulators.core.faults import routes as fault_routes
from emulators.core.settings import Settings
from emulators.core.store import Store
from emulators.core.traffic import Traffic, TrafficMiddleware
from emulators.google.app import build as build_google
from emulators.printify.app import build as build_printify
from emulators.render_pool import RenderPool
from emulators.replicate.app import build as build_replicate
from emulators.state_copy import routes as state_routes
from emulators.stripe.app import build as build_stripe
from emulators.vendor_app import Host, VendorApp, Work
from emulators.zippopotam.app import build as build_zippopotam

_LOOPBACK = ("127.0.0.1", "localhost", "*.localhost")
_BUILDERS: dict[str, Callable[[Host], VendorApp]] = {
    "stripe": build_stripe,
    "printify": build_printify,
    "replicate": build_replicate,
    "google": build_google,
    "zippopotam": build_zippopotam,
}


class Emulators:
    """The vendors that `settings` name, with the state they share."""

    def __init__(self, settings: Settings) -> None:
        store = Store(settings.data / "state.sqlite")
        if store.warning:
            sys.stdout.write(f"warning: {store.warning}\n")
            sys.stdout.flush()
        self.faults = Faults(store)
        self.traffic = Traffic()
        self.store = store
        self._render_pool = RenderPool()
        self._background: list[Work] = []
        self.mounts: list[BaseRoute] = []
        for name in settings.vendors:
            base_url, folder = f"{settings.base_url}/{name}", settings.data / name
            app = _BUILDERS[name](Host(settings, store, self.faults, self._render_pool, base_url, folder))
            faulty = Middleware(FaultMiddleware, vendor=name, faults=self.faults)
            counted = Middleware(TrafficMiddleware, vendor=name, traffic=self.traffic)
            self.mounts.append(Mount(f"/{name}", routes=app.routes, middleware=[counted, faulty]))
            self._background += app.background

    @contextlib.asynccontextmanager
    async def running(self, _app: Starlette) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_run(work)) for work in self._background]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                self._render_pool.close(wait=True)


async def _run(work: Work) -> None:
    await work()


def build_app(settings: Settings) -> Starlette:
    emulators = Emulators(settings)

    async def health(_request: Request) -> Response:
        return JSONResponse({"status": "ok", "emulated": list(settings.vendors)})

    controls = [
        Route("/health", health),
        emulators.traffic.route(),
        *fault_routes(emulators.faults),
        *state_routes(emulators.store, settings.data, settings.base_url),
    ]
    # The vendors' routes are for the shop's pages too. A name that was made to mean 127.0.0.1 is nobody's.
    return Starlette(
        routes=[*emulators.mounts, Mount("", routes=controls, middleware=[Middleware(SameOrigin)])],
        lifespan=emulators.running,
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=[*_LOOPBACK, *settings.hosts])],
    )


class SameOrigin:
    """ASGI middleware: 403 for what the page of another site has sent."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if "origin" in headers and urlsplit(headers["origin"]).netloc != headers.get("host"):
            await JSONResponse({"message": "No other site may do this."}, 403)(scope, receive, send)
        else:
            await self._app(scope, receive, send)
