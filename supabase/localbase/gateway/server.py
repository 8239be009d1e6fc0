"""`python -m localbase.gateway.server`: the gateway process, which serves API, mailbox and SMTP in one loop.

Its sockets are the supervisor's, inherited. At one of its own it answers the supervisor's question whether it lives.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import logging
import os
import socket
import sys
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import uvicorn
import uvloop
from starlette.types import ASGIApp

from localbase.background.worker import Background
from localbase.core.authenticator import Authenticator
from localbase.core.configuration import parse_size
from localbase.core.deferred import Deferred, imported
from localbase.core.logs import log_to_stdout
from localbase.core.project import Project, open_project
from localbase.core.state_file import StateFileError
from localbase.core.web.http_server import HttpServer, end_on_signals
from localbase.core.web.identity import identity_header
from localbase.core.web.own_site import OwnSite, own_hosts
from localbase.functions.gateway import RELAY_ERROR, FunctionsGateway
from localbase.gateway.app import App, Mount
from localbase.gateway.http.connection import limited_protocol
from localbase.gateway.http.fast_protocol import protocol_of
from localbase.gateway.http.handover import Handover, Takeover
from localbase.gateway.http.limits import Limits, limits_for
from localbase.gateway.lead import OTHER, Lead
from localbase.gateway.metrics import Metrics
from localbase.gateway.services import PUBLIC_PATH, REALTIME, Place, Services, deferred_app
from localbase.gateway.workers import inherited_socket, worker_count
from localbase.mail.smtp import serve_smtp
from localbase.mail.store import MailStore
from localbase.postgres.cluster import Cluster, cluster_of
from localbase.postgres.pipeline import ConnectionLost
from localbase.postgres.pool import Database
from localbase.postgres.schema_cache.listener import listen
from localbase.postgres.transaction import Statement, TransactionContext
from localbase.rest.service import RestService
from localbase.rest.tokens import render_token_error

_log = logging.getLogger("localbase")
_SMALLEST_FRAME = 4096
_HANDOVER = "LOCALBASE_HANDOVER_FD"
_DATABASE_SECONDS, _POLL_SECONDS = 60.0, 0.05


async def serve(project: Project, index: int = 0) -> None:
    """Serves until SIGTERM or SIGINT. A worker (`index` above 0) serves the API only."""
    settings = project.settings
    cluster = cluster_of(project)
    workers = worker_count(project.environ)
    async with AsyncExitStack() as stack:
        database = Database(cluster.near_url("authenticator"), size=max(2, settings.db.pool_size // workers))
        stack.push_async_callback(database.close)
        await _until_reached(database)
        authenticator = Authenticator(settings.keys, verifying=project.signing.verifying)
        rest = RestService(database, settings, authenticator=authenticator)
        functions = FunctionsGateway(project, authenticator, os.environ.get("LOCALBASE_FUNCTIONS_PORT", ""))
        services = Services(Place(project, cluster, authenticator, index, workers))
        if index == 0 and cluster.external:
            await _lead(stack, services, cluster)
        await services.start(stack)
        mounts = [
            Mount(
                "/rest/v1",
                values=rest.handle,
                token_error=render_token_error,
                authenticator=rest.authenticator,
            ),
            Mount(
                "/functions/v1",
                values=functions.handle,
                tokens_verified=False,
                error_headers=RELAY_ERROR,
                admit=functions.admit,
                largest_body=functions.largest_body,
                function_of=functions.function_of,
            ),
            *services.mounts(),
        ]

        async def healthy() -> bool:
            await database.run(Statement("select 1"), TransactionContext(None))
            return True

        await rest.load_catalog()
        metrics = Metrics(_counts(project, index) if workers > 1 else None)
        app = App(mounts, authenticator, healthy, metrics, trusted_proxies=settings.api.trusted_proxies)
        limits = limits_for(settings.realtime.max_concurrent_users)
        listening = inherited_socket(os.environ, "LOCALBASE_API_FD")
        handover = Handover(inherited_socket(os.environ, _HANDOVER), (REALTIME.encode(),)) if index else None
        public = PUBLIC_PATH, app.fast_path("/storage/v1", services.public_objects)
        protocol = protocol_of(app.fast_path("/rest/v1", rest), limits, (REALTIME,), handover, public)
        servers = [_Serving(_server(app, protocol, parse_size(settings.realtime.max_frame_size)), listening)]
        if index == 0 and workers > 1:
            takeover = Takeover(inherited_socket(os.environ, _HANDOVER), servers[0].server, protocol)
            stack.callback(takeover.close)
        if index == 0 and not cluster.external:
            background = asyncio.create_task(Background(cluster, settings.api.port).run())
            stack.push_async_callback(_end, background)
        if index == 0 and settings.local_smtp.enabled:
            servers.append(await _mailbox(stack, project, limits))
        # Last, and so closed first: the mails that wait go to the mailbox of this process.
        stack.push_async_callback(services.close_auth)
        listener = asyncio.create_task(listen(cluster.near_url("authenticator"), "pgrst", rest.load_catalog))
        stack.callback(listener.cancel)
        # Freeze start-up objects: they live for the whole process. Requests leave no
        # cycles to speak of, so it may look seldom.
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000, 20, 20)
        end_on_signals([serving.server for serving in servers])

        async def say_alive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await _say_alive(reader, writer)
            # The first to ask is the command that waits for this process.
            await services.import_auth()

        live = await asyncio.start_server(say_alive, sock=inherited_socket(os.environ, "LOCALBASE_LIVE_FD"))
        stack.callback(live.close)
        await asyncio.gather(*(serving.server.serve([serving.socket]) for serving in servers))


async def _lead(stack: AsyncExitStack, services: Services, cluster: Cluster) -> None:
    """Asks to be the first gateway of the owner's database, whose jobs and webhooks its server's own extensions run."""
    lead = Lead(cluster.near_url(), services.change_lead)
    stack.push_async_callback(lead.close)
    if not await lead.ask():
        sys.stdout.write(f"warning: {OTHER}. This one serves it as soon as that one ends.\n")
        sys.stdout.flush()
    task = asyncio.create_task(lead.run())
    stack.push_async_callback(_end, task)


async def _end(task: asyncio.Task[None]) -> None:
    """Ends a task, and waits until it has closed what it holds."""
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


@dataclass(frozen=True, slots=True)
class _Serving:
    server: HttpServer
    socket: socket.socket


async def _until_reached(database: Database) -> None:
    """Waits for a Postgres that is starting: to begin again as a process would take far longer."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _DATABASE_SECONDS
    while True:
        try:
            await database.run(Statement("select 1"), TransactionContext(None))
        except ConnectionLost:
            if loop.time() > deadline:
                raise
            await asyncio.sleep(_POLL_SECONDS)  # Postgres says nowhere else that it accepts connections
        else:
            return


async def _say_alive(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answers the supervisor's probe, below the application: neither logged nor counted, without a query."""
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        await reader.readuntil(b"\r\n\r\n")
        name, identity = identity_header()
        head = f"HTTP/1.1 200 OK\r\n{name}: {identity}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        writer.write(head.encode())
        await writer.drain()
    writer.close()


async def _mailbox(stack: AsyncExitStack, project: Project, limits: Limits) -> _Serving:
    mails = MailStore(project.state / "mail.sqlite")
    stack.callback(mails.close)
    if mails.warning:
        sys.stdout.write(f"warning: {mails.warning}\n")
        sys.stdout.flush()
    smtp = await serve_smtp(mails, inherited_socket(os.environ, "LOCALBASE_SMTP_FD"))
    stack.callback(smtp.close)
    page = deferred_app(Deferred(lambda _: _mailbox_page(mails)), lambda app: app)
    protocol = limited_protocol(limits)
    return _Serving(
        _server(OwnSite(page, own_hosts(project.environ)), protocol),
        inherited_socket(os.environ, "LOCALBASE_MAILBOX_FD"),
    )


async def _mailbox_page(mails: MailStore) -> ASGIApp:
    await imported("localbase.mail.page")
    from localbase.mail.page import mailbox_app

    return mailbox_app(mails)


def _counts(project: Project, index: int) -> Path:
    """Return where a process shares its counts. The supervisor takes the folder away before it starts the first."""
    folder = project.state / "metrics"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{index}.json"


def _server(app: object, protocol: type[asyncio.Protocol], frame_bytes: int = _SMALLEST_FRAME) -> HttpServer:
    """A server; a WebSocket's message may have `frame_bytes`, more closes it with 1009."""
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=protocol,
        # WebSockets are the protocol's own (`socket_protocol`), without compression: a bomb would be small on the wire.
        ws="none",
        ws_max_size=frame_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        # The gateway has no trusted proxy before it.
        proxy_headers=False,
        timeout_graceful_shutdown=5,
    )
    return HttpServer(config)


def main() -> None:
    """Reads the project named by `--workdir` and serves it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    parser.add_argument("--worker", type=int, default=0)
    arguments = parser.parse_args()
    run(arguments.workdir, arguments.worker)


def run(workdir: Path, worker: int = 0) -> None:
    """Serves the project at `workdir` until SIGTERM or SIGINT, with the sockets that the environment names."""
    log_to_stdout("gateway")
    for noisy in ("httpx", "mail.log"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    try:
        uvloop.run(serve(open_project(workdir), worker))
    except StateFileError as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
