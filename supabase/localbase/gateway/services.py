"""The services that are loaded at their first request: a start waits for none of their imports and connections.

Storage, with its sweep, and Realtime, with its partitions, have housekeeping too: it begins with the service, an hour
after the start at the latest. Storage that has buckets to make is loaded before the gateway serves.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Receive, Scope, Send

from localbase.core.authenticator import Authenticator, Caller
from localbase.core.cancellation import pause
from localbase.core.deferred import Deferred, T, imported
from localbase.core.project import Project
from localbase.core.web.http import FastResponse, HeaderBlock, Request, Response, json_response
from localbase.core.web.sockets import SocketSession
from localbase.gateway.app import Mount
from localbase.gateway.fast_path import FastService
from localbase.gateway.http.fast_protocol import Work
from localbase.gateway.lead import OTHER
from localbase.postgres.cluster import Cluster
from localbase.postgres.service_pool import ServicePool

if TYPE_CHECKING:
    from localbase.auth.service import AuthService
    from localbase.realtime.service import RealtimeService
    from localbase.storage.service import StorageService

REALTIME = "/realtime/v1"
PUBLIC_PATH = b"GET /storage/v1/object/public/"
_AUTH, _STORAGE, _OPENING = (
    "localbase.auth.service",
    "localbase.storage.service",
    "localbase.gateway.realtime",
)
MODULES = (_AUTH, _STORAGE, _OPENING)
_HOUSEKEEPING_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Place:
    """The process that the services are for: the one with this index, of so many workers."""

    project: Project
    cluster: Cluster
    authenticator: Authenticator
    index: int
    workers: int


class Services:
    """Auth, Storage and Realtime of one process."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._auth = Deferred(self._open_auth)
        self._storage = Deferred(self._open_storage)
        self._realtime = Deferred(self._open_realtime)
        # On a database of localbase's own there is no other gateway; of several, `gateway/lead.py` says which.
        self._is_first = not place.cluster.external

    @property
    def public_objects(self) -> FastService:
        """Storage's public objects, by the fast path as soon as the first request has loaded the service."""
        return _PublicObjects(self._storage)

    def mounts(self) -> list[Mount]:
        """The paths of these services. Sockets are the first process's."""
        auth = deferred_app(self._auth, lambda service: service.app)
        discovery = deferred_app(self._auth, lambda service: service.discovery)
        mounts = [
            Mount("/auth/v1", asgi=auth, tokens_verified=False),
            Mount("/.well-known/oauth-authorization-server", asgi=discovery, tokens_verified=False),
        ]
        if self._place.project.settings.storage.enabled:
            storage = deferred_app(self._storage, lambda service: service.app)
            mounts.append(Mount("/storage/v1", asgi=storage, tokens_verified=False))
        else:
            mounts.append(Mount("/storage/v1", values=_without_storage, tokens_verified=False))
        if self._place.index == 0:
            mounts.append(Mount(REALTIME, values=self._handle, sockets=self._connect, tokens_verified=False))
        return mounts

    async def start(self, stack: AsyncExitStack) -> None:
        """Makes the configuration's buckets, and begins what is due later. `stack` ends it."""
        stack.push_async_callback(self._close_realtime)
        stack.push_async_callback(self._storage.close)
        if self._place.index:
            return
        storage = self._place.project.settings.storage
        if storage.enabled and storage.buckets:
            await self._storage.get()
        stack.callback(asyncio.create_task(self._housekeep(storage.enabled)).cancel)

    async def import_auth(self) -> None:
        """Imports Auth, once: nearly every client's second request is its first one to Auth."""
        if _AUTH not in sys.modules:
            await imported(_AUTH)

    async def change_lead(self, is_first: bool) -> None:
        """From now on this gateway is the first of its database, or is not: then its sockets look for that one."""
        self._is_first = is_first
        if not is_first:
            realtime, self._realtime = self._realtime, Deferred(self._open_realtime)
            if realtime.made is not None:
                realtime.made.services.close_sockets()
            await realtime.close()

    async def _close_realtime(self) -> None:
        await self._realtime.close()

    async def close_auth(self) -> None:
        """Sends the mails that wait."""
        await self._auth.close()

    async def _housekeep(self, has_storage: bool) -> None:
        while True:
            await pause(_HOUSEKEEPING_SECONDS)
            if not self._is_first:
                continue
            await self._realtime.get()
            if has_storage:
                await self._storage.get()

    async def _open_auth(self, stack: AsyncExitStack) -> AuthService:
        await imported(_AUTH)
        from localbase.auth.service import AuthService

        pool = await open_pool(stack, self._place.cluster, "supabase_auth_admin")
        service = AuthService(self._place.project, pool)
        stack.push_async_callback(service.close)
        return service

    async def _open_storage(self, stack: AsyncExitStack) -> StorageService:
        await imported(_STORAGE)
        from localbase.storage.service import StorageService, make_buckets, sweep_for_ever

        place = self._place
        pool = await open_pool(stack, place.cluster, "supabase_storage_admin")
        service = StorageService(
            place.project, pool, place.authenticator, worker=place.index, workers=place.workers
        )
        stack.push_async_callback(service.close)
        if place.index == 0:
            if self._is_first:
                await make_buckets(place.project, pool, service.files)
            expiry = place.project.settings.storage.upload_expiry
            sweep = sweep_for_ever(pool, service.files, upload_expiry=expiry, may=lambda: self._is_first)
            sweeping = asyncio.create_task(sweep)
            stack.callback(sweeping.cancel)
        return service

    async def _open_realtime(self, stack: AsyncExitStack) -> RealtimeService:
        await imported(_OPENING)
        from localbase.gateway.realtime import open_realtime

        return await open_realtime(stack, self._place.project, self._place.cluster, self._place.authenticator)

    async def _handle(self, request: Request, caller: Caller) -> Response:
        if not self._is_first:
            return _of_another_gateway()
        return await (await self._realtime.get()).handle(request, caller)

    async def _connect(self, request: Request) -> SocketSession | Response:
        if not self._is_first:
            return _of_another_gateway()
        return await (await self._realtime.get()).connect(request)


class _PublicObjects:
    def __init__(self, storage: Deferred[StorageService]) -> None:
        self._storage = storage

    def authenticator(self) -> None:
        """Everyone may read what is public."""

    def submit(self, line: bytes, block: HeaderBlock, body: bytes, response: FastResponse) -> Work | None:
        """Begins the work on a request; None if it is not eligible."""
        storage = self._storage.made
        if storage is None or body or storage.public_objects is None:
            return None
        return storage.public_objects.submit(line[len(PUBLIC_PATH) :], block, response)


def deferred_app(service: Deferred[T], app_of: Callable[[T], ASGIApp]) -> ASGIApp:
    """The application of a service that is loaded at the first request."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await app_of(await service.get())(scope, receive, send)

    return app


async def open_pool(stack: AsyncExitStack, cluster: Cluster, role: str) -> ServicePool:
    """Connections as `role`, which `stack` closes."""
    pool = ServicePool(cluster.near_url(role))
    await pool.open()
    stack.push_async_callback(pool.close)
    return pool


def _of_another_gateway() -> Response:
    # A proxy before the gateways takes 503 for "ask the next one".
    return json_response(503, {"message": OTHER})


async def _without_storage(_: Request, __: Caller) -> Response:
    return json_response(503, {"message": "Storage does not run: this stack was started without it"})
