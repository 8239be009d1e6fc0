"""Two gateways over a project's database: the usual one, and one without a fast path that caches nothing.

`python -m tests.localbase.integration.rest.differential.gateways DIR` writes a line of JSON with both ports, and then,
for every line that it reads, one with the number of requests that the fast path has taken. It ends with its input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import uvicorn
import uvloop
from localbase.core.authenticator import Authenticator
from localbase.core.project import Project, open_project
from localbase.core.web.http import HeaderBlock
from localbase.gateway.app import App, Mount
from localbase.gateway.fast_path import FastPath
from localbase.gateway.http.connection import limited_protocol
from localbase.gateway.http.fast_protocol import FastPathProtocol, FastRequest, protocol_of
from localbase.gateway.http.limits import Limits
from localbase.postgres.cluster import cluster_of
from localbase.postgres.pool import Database
from localbase.postgres.schema_cache.listener import listen
from localbase.rest.config import config_of
from localbase.rest.service import RestService
from localbase.rest.tokens import render_token_error


class _CountingFastPath:
    """The fast path, and how many requests it has taken."""

    def __init__(self, fast_path: FastPath) -> None:
        self._fast_path = fast_path
        self.fast_path_count = 0
        self.header_block = fast_path.header_block

    def submit(
        self, line: bytes, block: HeaderBlock, body: bytes, protocol: FastPathProtocol
    ) -> FastRequest | None:
        request = self._fast_path.submit(line, block, body, protocol)
        self.fast_path_count += request is not None
        return request


async def _healthy() -> bool:
    return True


async def _gateway(stack: AsyncExitStack, project: Project, *, cached: bool) -> tuple[App, RestService]:
    settings, cluster = project.settings, cluster_of(project)
    database = Database(cluster.near_url("authenticator"), size=4)
    stack.push_async_callback(database.close)
    authenticator = Authenticator(
        settings.keys, verifying=project.signing.verifying, remembered=10_000 if cached else 0
    )
    options = replace(config_of(settings.api), prepared_statements=cached)
    rest = RestService(database, settings, options, authenticator, cached=cached)
    await rest.load_catalog()
    listening = asyncio.create_task(listen(cluster.url("authenticator"), "pgrst", rest.load_catalog))
    stack.callback(listening.cancel)
    mount = Mount(
        "/rest/v1", values=rest.handle, token_error=render_token_error, authenticator=rest.authenticator
    )
    return App([mount], authenticator, _healthy, cached=cached), rest


async def _start(stack: AsyncExitStack, app: App, protocol: type[asyncio.Protocol]) -> int:
    config = uvicorn.Config(
        app,
        http=protocol,
        port=0,
        ws="none",
        lifespan="off",
        access_log=False,
        log_level="error",
        server_header=False,
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server._serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)

    async def stop() -> None:
        server.should_exit = True
        await running

    stack.push_async_callback(stop)
    return int(server.servers[0].sockets[0].getsockname()[1])


async def _serve(project: Project) -> None:
    async with AsyncExitStack() as stack:
        plain, _ = await _gateway(stack, project, cached=False)
        app, rest = await _gateway(stack, project, cached=True)
        fast_path = _CountingFastPath(app.fast_path("/rest/v1", rest))
        ports = {
            "plain": await _start(stack, plain, limited_protocol(Limits())),
            "ordinary": await _start(stack, app, protocol_of(fast_path)),
        }
        sys.stdout.write(json.dumps(ports) + "\n")
        sys.stdout.flush()
        while await asyncio.to_thread(sys.stdin.readline):
            sys.stdout.write(f"{fast_path.fast_path_count}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    uvloop.run(_serve(open_project(Path(sys.argv[1]))))
