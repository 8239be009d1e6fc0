"""`python -m localbase.serve`: the gateway process, which serves API, mailbox and SMTP in one loop."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import uvicorn
import uvloop

from localbase.app import App, Mount
from localbase.auth.service import AuthService
from localbase.core.identity import Identities
from localbase.core.project import Project, open_project
from localbase.functions.gateway import FunctionsGateway
from localbase.mail.page import mailbox_app
from localbase.mail.smtp import serve_smtp
from localbase.mail.store import MailStore
from localbase.postgres.cluster import cluster_of
from localbase.postgres.listen import listen
from localbase.postgres.session import Database, Identity, Statement
from localbase.postgres.transactions import Transactions
from localbase.rest.service import RestService
from localbase.rest.tokens import render_token_error
from localbase.storage.service import StorageService, make_buckets

_log = logging.getLogger("localbase")
# Paths of GoTrue that browsers reach without a key.
_AUTH_OPEN = ("/verify", "/callback", "/authorize", "/.well-known/jwks.json", "/health")


async def serve(project: Project) -> None:
    """Serves until SIGTERM or SIGINT."""
    settings = project.settings
    cluster = cluster_of(project)
    async with AsyncExitStack() as stack:
        database = Database(cluster.url("authenticator"), size=settings.db.pool_size)
        stack.push_async_callback(database.close)
        auth_db = await _open(stack, Transactions(cluster.url("supabase_auth_admin")))
        storage_db = await _open(stack, Transactions(cluster.url("supabase_storage_admin")))
        mails = MailStore(project.state / "mail.sqlite")
        stack.callback(mails.close)
        identities = Identities(settings.keys)
        rest = RestService(database, settings, identities=identities)
        storage = StorageService(project, storage_db, identities)
        await make_buckets(project, storage_db, storage.files)
        functions = FunctionsGateway(project, identities, os.environ.get("LOCALBASE_FUNCTIONS_PORT", ""))
        stack.push_async_callback(functions.close)
        auth = AuthService(project, auth_db)
        mounts = [
            Mount("/rest/v1", values=rest.handle, token_error=render_token_error, judge=rest.judge),
            Mount("/functions/v1", values=functions.handle, key_required=False),
            Mount("/auth/v1", asgi=auth.app, open_paths=_AUTH_OPEN),
            Mount("/storage/v1", asgi=storage.app, key_required=False),
        ]

        async def healthy() -> bool:
            await database.run(Statement("select 1"), Identity(None))
            return True

        await rest.load_catalog()
        servers = [
            _server(App(mounts, identities, healthy), settings.api.port),
            _server(mailbox_app(mails), settings.local_smtp.port),
        ]
        smtp = await serve_smtp(mails, settings.local_smtp.smtp_port)
        stack.callback(smtp.close)
        listening = asyncio.create_task(listen(cluster.url("authenticator"), "pgrst", rest.load_catalog))
        stack.callback(listening.cancel)
        await _until_told(servers)


async def _open(stack: AsyncExitStack, transactions: Transactions) -> Transactions:
    await transactions.open()
    stack.push_async_callback(transactions.close)
    return transactions


def _server(app: object, port: int) -> uvicorn.Server:
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        host="127.0.0.1",
        port=port,
        http="httptools",
        ws="none",
        lifespan="off",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    server = uvicorn.Server(config)
    # Both servers share this process: its signals are handled once, here.
    server.capture_signals = contextlib.nullcontext  # type: ignore[assignment,method-assign]
    return server


async def _until_told(servers: list[uvicorn.Server]) -> None:
    loop = asyncio.get_running_loop()

    def end() -> None:
        for server in servers:
            server.should_exit = True

    for word in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(word, end)
    await asyncio.gather(*(server.serve() for server in servers))


def main() -> None:
    """Reads the project named by `--workdir` and serves it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--workdir", type=Path, required=True)
    logging.basicConfig(
        level=logging.INFO, stream=sys.stdout, format="%(asctime)s %(levelname)s %(name)s %(message)s"
    )
    for noisy in ("httpx", "mail.log"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    uvloop.run(serve(open_project(parser.parse_args().workdir)))


if __name__ == "__main__":
    main()
