"""The calls of the emulated vendors: a line in the log and a count in `/metrics` for each request.

So a test can count the vendor calls of an order. A call is the template of its route and never the path: a ZIP code is
part of a shopper's address.
"""

from __future__ import annotations

import logging
import re
import time

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_log = logging.getLogger("emulators.core.traffic")
_REQUEST_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/+=-]{0,127}")


class Traffic:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._calls = Counter(
            "emulators_vendor_calls",
            "Requests that an emulated vendor has answered.",
            ("vendor", "call", "status"),
            registry=self.registry,
        )
        self._seconds = Histogram(
            "emulators_vendor_call_seconds",
            "How long an emulated vendor took.",
            ("vendor",),
            registry=self.registry,
        )
        self._bytes = Counter(
            "emulators_vendor_body_bytes",
            "Bytes of bodies, as an emulated vendor got and sent them.",
            ("vendor", "direction"),
            registry=self.registry,
        )

    def record(self, vendor: str, call: str, status: int, seconds: float, sizes: tuple[int, int]) -> None:
        """Counts a request, with the sizes of both bodies."""
        self._calls.labels(vendor, call, status).inc()
        self._seconds.labels(vendor).observe(seconds)
        for direction, size in zip(("in", "out"), sizes, strict=True):
            self._bytes.labels(vendor, direction).inc(size)

    def route(self) -> Route:
        """`GET /metrics`."""

        async def show(_request: Request) -> Response:
            return Response(generate_latest(self.registry), media_type=CONTENT_TYPE_LATEST)

        return Route("/metrics", show)


class TrafficMiddleware:
    """Middleware around all of one vendor, faults included."""

    def __init__(self, app: ASGIApp, vendor: str, traffic: Traffic) -> None:
        self._app = app
        self._vendor = vendor
        self._traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        received = sent = status = 0

        async def counted_receive() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            return message

        async def counted_send(message: Message) -> None:
            nonlocal sent, status
            status = message.get("status", status)
            sent += len(message.get("body", b""))
            await send(message)

        started = time.perf_counter()
        try:
            await self._app(scope, counted_receive, counted_send)
        finally:
            seconds = time.perf_counter() - started
            route = scope.get("route")
            # the router leaves it there; of a request that a fault has answered it is the vendor's mount
            call = f"{scope['method']} {route.path if isinstance(route, Route) else 'other'}"
            self._traffic.record(self._vendor, call, status, seconds, (received, sent))
            self._log(scope, call, status, seconds)

    def _log(self, scope: Scope, call: str, status: int, seconds: float) -> None:
        header = next((value for name, value in scope["headers"] if name == b"x-request-id"), b"")
        request_id = header.decode("latin-1")
        fields: dict[str, object] = {"vendor": self._vendor, "call": call, "status": status}
        fields["ms"] = round(seconds * 1000, 1)
        if _REQUEST_ID.fullmatch(request_id):
            fields["request_id"] = request_id
        _log.info("%s %s", self._vendor, call, extra={"fields": fields})
