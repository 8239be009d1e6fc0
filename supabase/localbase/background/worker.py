"""The task in the gateway that performs what the database wants done: it hears `NOTIFY localbase_background`.

It holds one connection, which listens; others come and go with the work. Where the real extensions are installed
(`PG_BIN`), their own workers do theirs, and this one finds nothing to do.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import AsyncExitStack

import psycopg
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from localbase.background.http_address import listening_socket, publish
from localbase.background.http_calls import HttpCalls
from localbase.background.jobs import Jobs
from localbase.background.requests import HttpRequests, Pool
from localbase.core.cancellation import pause, raise_if_cancelled
from localbase.postgres.cluster import Cluster
from localbase.postgres.listening_connection import ListeningConnection

_log = logging.getLogger("localbase.background")
_CHANNEL = "localbase_background"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 5.0
_CLEANING_SECONDS = 600.0


class Background:
    """Serves the cluster's database until it is cancelled."""

    def __init__(self, cluster: Cluster, api_port: int) -> None:
        self._cluster = cluster
        self._api_port = api_port
        self._pause = _FIRST_PAUSE

    async def run(self) -> None:
        """Begins again when the database was lost."""
        while True:
            try:
                await self._serve()
            except psycopg.OperationalError as error:
                _log.warning("the background's connection was cut off (%s); trying again", str(error).strip())
            except Exception:  # noqa: BLE001 - no failure of a request or job may end the others for ever
                _log.exception("the background's work failed; trying again")
            await pause(self._pause)
            self._pause = min(self._pause * 2, _LONGEST_PAUSE)

    async def _serve(self) -> None:
        async with AsyncExitStack() as stack:
            listening = await ListeningConnection.connect(self._cluster.near_url(), autocommit=True)
            await stack.enter_async_context(listening)
            await listening.execute(f"listen {_CHANNEL}".encode())
            pool = await stack.enter_async_context(self._open_pool())
            calls = listening_socket()
            key = publish(self._cluster, calls)
            await stack.enter_async_context(HttpCalls(calls, key, self._api_port))
            requests = HttpRequests(pool, self._api_port)
            stack.push_async_callback(requests.close)
            jobs = Jobs(pool, self._url_of)
            stack.push_async_callback(jobs.close)
            await jobs.begin()
            await requests.wake()
            self._pause = _FIRST_PAUSE
            loop = asyncio.get_running_loop()
            cleaning = loop.time()
            while True:
                raise_if_cancelled()
                if loop.time() >= cleaning:
                    cleaning = loop.time() + _CLEANING_SECONDS
                    await requests.forget_expired()
                due = jobs.next_event()
                wait = min(cleaning - loop.time(), _CLEANING_SECONDS if due is None else due)
                words = {
                    notice.payload
                    async for notice in listening.notifies(timeout=max(0.0, wait), stop_after=1)
                }
                if "net" in words:
                    await requests.wake()
                if "cron" in words:
                    await jobs.reload()
                await jobs.run_due()

    def _open_pool(self) -> Pool:
        return AsyncConnectionPool(
            self._cluster.near_url(),
            min_size=0,
            max_size=4,
            open=False,
            max_idle=10,
            kwargs={"row_factory": dict_row, "autocommit": True},
            check=AsyncConnectionPool.check_connection,
        )

    def _url_of(self, role: str, database: str) -> str:
        """Return where a role logs in: those of the platform have the local password, a project's own need theirs."""
        return psycopg.conninfo.make_conninfo(self._cluster.near_url("postgres"), user=role, dbname=database)
