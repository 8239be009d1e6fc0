"""The Realtime service: its WebSocket, and its paths of HTTP."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

from localbase.core.authenticator import Authenticator, Caller
from localbase.core.errors import ApiError
from localbase.core.settings import RealtimeSettings
from localbase.core.web.http import Request, Response, json_response
from localbase.core.web.sockets import SocketSession
from localbase.postgres.service_pool import ServicePool
from localbase.realtime.authorization import Authorizer
from localbase.realtime.frames import Version
from localbase.realtime.http_broadcast import broadcast_batch, broadcast_one
from localbase.realtime.hub.hub import Hub
from localbase.realtime.services import Services
from localbase.realtime.session import Session
from localbase.realtime.tokens import TokenRefused, Tokens

_ONE = re.compile(r"/api/broadcast/[^/]+/events/[^/]+")
_VERSIONS: dict[str, Version] = {"1.0.0": "1.0.0", "2.0.0": "2.0.0"}


class RealtimeService:
    """Realtime below its mount: `handle` takes requests of HTTP, `connect` those for a WebSocket."""

    def __init__(
        self, settings: RealtimeSettings, authenticator: Authenticator, pool: ServicePool, hub: Hub
    ) -> None:
        """`pool` logs in as the owner of the `realtime` schema."""
        self.services = Services(settings, Tokens(authenticator), hub, pool, Authorizer(pool))
        hub.on_give_way = self.services.give_way

    async def connect(self, request: Request) -> SocketSession | Response:
        """A WebSocket for `/websocket?apikey=…&vsn=…`, or why there is none."""
        if request.path not in ("/websocket", "/websocket/"):
            return json_response(404, {"message": "Not found"})
        if not self.services.settings.enabled:
            return json_response(403, {"error": "Realtime was disabled for this tenant"})
        query = {name: values[0] for name, values in parse_qs(request.query.decode("latin-1")).items()}
        version = _VERSIONS.get(query.get("vsn", "1.0.0"))
        if version is None:
            return json_response(403, {"error": "The client's requested transport version is not served"})
        key = request.headers.get("x-api-key") or query.get("apikey")
        if not key:
            return json_response(401, {"error": "API key is missing"})
        try:
            token = self.services.tokens.verify(key)
        except TokenRefused as error:
            return json_response(401, {"error": error.short})
        full = self.services.hub.admit_socket(request.peer)
        if full is not None:
            return json_response(429, {"error": full})
        headers = {name: value for name, value in request.headers.items() if name.startswith("x-")}
        return Session(self.services, version, token, headers, request.peer)

    async def handle(self, request: Request, caller: Caller) -> Response:  # noqa: ARG002 - tokens are verified here
        """A request of HTTP."""
        try:
            return await self._route(request)
        except ApiError as error:
            return json_response(error.status, {"message": error.message})

    async def _route(self, request: Request) -> Response:
        if not self.services.settings.enabled:
            raise ApiError(403, "", "Realtime was disabled for this tenant")
        if request.path == "/api/ping" and request.method == "GET":
            return json_response(200, {"message": "Success"})
        if request.path == "/api/broadcast" and request.method == "POST":
            return await broadcast_batch(self.services, request)
        if _ONE.fullmatch(request.raw_path) and request.method == "POST":
            return await broadcast_one(self.services, request)
        if request.path == "/websocket":
            raise ApiError(400, "", "A WebSocket is opened here")
        raise ApiError(404, "", "Not found")
