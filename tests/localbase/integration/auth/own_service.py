"""The auth service with settings and a clock of a test's own, over a stack's database, on a port of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import uvicorn
from localbase.auth.messages.outbox import ROOM
from localbase.auth.service import AuthService
from localbase.core.authenticator import Authenticator
from localbase.core.project import open_project
from localbase.core.web.http_server import HttpServer
from localbase.gateway.app import App, Mount
from localbase.postgres.cluster import cluster_of
from localbase.postgres.service_pool import ServicePool

from tests.support.stacks import Stack


class MovableClock:
    """The time, and as many seconds as a test has moved it."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


async def _healthy() -> bool:
    return True


@contextmanager
def own_service(
    stack: Stack,
    clock: MovableClock | None = None,
    pool_size: int = 8,
    pool_seconds: float = 10,
    outbox_room: int = ROOM,
    **settings: Any,
) -> Iterator[Stack]:
    """`stack` with another auth service at `api_url`: `settings` replace those of `[auth]`.

    The gateway's application is before it, with this service alone.
    """
    project = open_project(stack.root, stack.environ)
    auth = replace(project.settings.auth, **settings)
    project = replace(project, settings=replace(project.settings, auth=auth))
    listening = socket.create_server(("127.0.0.1", 0))
    end: Callable[[], object] | None = None
    ready = threading.Event()

    async def serve() -> None:
        nonlocal end
        async with AsyncExitStack() as resources:
            url = cluster_of(project).url("supabase_auth_admin")
            pool = ServicePool(url, size=pool_size, wait_seconds=pool_seconds)
            await pool.open()
            resources.push_async_callback(pool.close)
            service = AuthService(project, pool, clock or MovableClock(), outbox_room)
            resources.push_async_callback(service.close)
            authenticator = Authenticator(project.settings.keys, verifying=project.signing.verifying)
            app = App([Mount("/auth/v1", asgi=service.app, tokens_verified=False)], authenticator, _healthy)
            config = uvicorn.Config(
                app, lifespan="off", log_level="error", ws="none", timeout_graceful_shutdown=20
            )
            server = HttpServer(config)
            end = partial(asyncio.get_running_loop().call_soon_threadsafe, server.end)
            ready.set()
            await server.serve([listening])

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    try:
        assert ready.wait(20)
        yield replace(stack, api_url=f"http://127.0.0.1:{listening.getsockname()[1]}")
    finally:
        assert end is not None
        end()
        thread.join()
