"""Performs the requests that `net.http_get`, `http_post` and `http_delete` have queued, and stores the answers.

As with pg_net a request leaves the queue when it begins: a process that dies loses those under way, and repeats none.
Answers are deleted after six hours.
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg.rows import DictRow
from psycopg_pool import AsyncConnectionPool

from localbase.background.sending import charset_of, new_client, send, sendable_address
from localbase.core.deferred import deferred_client

_log = logging.getLogger("localbase.background")
IS_INSTALLED = """
select exists (
  select from pg_catalog.pg_proc p join pg_catalog.pg_roles r on r.oid = p.proowner
  where p.oid = pg_catalog.to_regprocedure(%s) and r.rolsuper
) as yes
"""
_TAKE = "net._localbase_take(integer)"
_EXPIRED = "delete from net._http_response where created < now() - %s * interval '1 second'"
_RESPONSE = """
insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
values (%(id)s, %(status)s, %(content_type)s, %(headers)s, %(content)s, %(timed_out)s, %(error)s)
"""

# Requests at once, seconds (even where a request's own timeout is longer), and bytes of an answer.
AT_ONCE, LONGEST_SECONDS, MOST_BYTES = 32, 300.0, 4 * 1024 * 1024
_ANSWER_SECONDS = 6 * 3600.0

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]


async def is_installed(connection: AsyncConnection[DictRow], function: str) -> bool:
    """Tell whether a function is here, and an extension's: what the project makes runs with no such rights."""
    row = await (await connection.execute(IS_INSTALLED, [function])).fetchone()
    return row is not None and bool(row["yes"])


class HttpRequests:
    """Works off the queue at each `wake`."""

    def __init__(self, pool: Pool, api_port: int) -> None:
        self._pool = pool
        self._api_port = api_port
        self._running: set[asyncio.Task[None]] = set()
        self._client = deferred_client(new_client)
        # One at a time: what is taken counts before the next looks for room.
        self._taking = asyncio.Lock()

    async def wake(self) -> None:
        """Begins what waits in the queue, as far as there is room. A request that ends makes room for the next."""
        async with self._taking:
            room = AT_ONCE - len(self._running)
            if room <= 0:
                return
            async with self._pool.connection() as connection:
                if not await is_installed(connection, _TAKE):
                    return
                rows = await (
                    await connection.execute("select * from net._localbase_take(%s)", [room])
                ).fetchall()
            for row in rows:
                task = asyncio.create_task(self._run_request(row))
                self._running.add(task)
                task.add_done_callback(self._running.discard)

    async def forget_expired(self) -> None:
        """Deletes old responses."""
        async with self._pool.connection() as connection:
            if await is_installed(connection, _TAKE):
                await connection.execute(_EXPIRED, [_ANSWER_SECONDS])

    async def close(self) -> None:
        """Ends the requests that run."""
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self._client.close()

    async def _run_request(self, row: DictRow) -> None:
        import httpx

        seconds = min(row["timeout_milliseconds"] / 1000, LONGEST_SECONDS)
        response: dict[str, Any] = {
            "id": row["id"],
            "status": None,
            "content_type": None,
            "headers": None,
            "content": None,
            "timed_out": None,
            "error": None,
        }
        try:
            async with asyncio.timeout(seconds):
                response |= await self._send(row)
        except (TimeoutError, httpx.TimeoutException):
            response["error"] = f"Timeout of {row['timeout_milliseconds']} ms reached"
            response["timed_out"] = True
        except httpx.ConnectError as error:
            response["error"] = f"Couldn't connect to server: {error}"
        except (httpx.HTTPError, httpx.InvalidURL, ValueError, UnicodeError) as error:
            response["error"] = str(error) or type(error).__name__
        except Exception as error:  # noqa: BLE001 - the caller sees it as the request's error
            _log.exception("request %s of net.http_request_queue failed", row["id"])
            response["error"] = type(error).__name__
        try:
            async with self._pool.connection() as connection:
                await connection.execute(_RESPONSE, response)
            if (task := asyncio.current_task()) is not None:
                self._running.discard(task)
            await self.wake()
        except psycopg.Error as error:
            _log.warning("the answer to request %s is lost: %s", row["id"], str(error).strip())

    async def _send(self, row: DictRow) -> dict[str, Any]:
        address = sendable_address(row["url"], self._api_port)
        if not isinstance(row["headers"] or {}, dict):
            raise ValueError("headers must be a JSON object")  # noqa: TRY004 - the request's error
        headers = {name: _text(value) for name, value in (row["headers"] or {}).items()}
        headers.setdefault("User-Agent", "pg_net/localbase")
        headers.setdefault("Accept-Encoding", "identity")
        client = await self._client.get()
        request = client.build_request(row["method"].upper(), address, headers=headers, content=row["body"])
        response, body = await send(client, request, MOST_BYTES)
        # Postgres's text has no zero byte.
        content = body.decode(charset_of(response) or "utf-8", errors="replace").replace("\0", "\ufffd")
        return {
            "status": response.status_code,
            "content_type": response.headers.get("content-type"),
            "headers": json.dumps(dict(response.headers)).replace("\\u0000", ""),
            "content": content,
            "timed_out": False,
        }


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
