"""Opens a replication connection with `psycopg.pq`, without blocking the loop.

https://www.postgresql.org/docs/current/protocol-replication.html
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from psycopg import OperationalError, pq

from localbase.postgres.descriptors import ready

if TYPE_CHECKING:
    from psycopg.pq.abc import PGcancel, PGconn, PGresult


class ReplicationLost(Exception):
    """The replication connection could not be made, or has ended."""


async def replicate(url: str, publications: Sequence[str], slot_prefix: str) -> PGconn:
    """A connection on which the changes of `publications` come from now on, through a temporary slot of its own.

    Raises `ReplicationLost` or `OperationalError`.
    """
    separator = "&" if "?" in url else "?"
    connection = pq.PGconn.connect_start(
        f"{url}{separator}replication=database&application_name=realtime".encode()
    )
    slot = f"{slot_prefix}_{secrets.token_hex(4)}"
    names = ",".join('"' + name.replace('"', '""') + '"' for name in publications).replace("'", "''")
    try:
        await _connected(connection)
        connection.nonblocking = 1
        create = f"CREATE_REPLICATION_SLOT {slot} TEMPORARY LOGICAL pgoutput (SNAPSHOT 'nothing')"
        await _command(connection, create, pq.ExecStatus.TUPLES_OK)
        start = f"START_REPLICATION SLOT {slot} LOGICAL 0/0 (proto_version '1', publication_names '{names}')"
        await _command(connection, start, pq.ExecStatus.COPY_BOTH)
    except BaseException:
        # A server that makes a slot waits for all open transactions, and does not see that its client has gone.
        asyncio.get_running_loop().run_in_executor(None, _cancel, connection.get_cancel())
        connection.finish()
        raise
    return connection


def _cancel(cancel: PGcancel) -> None:
    with suppress(OperationalError):  # it has ended already
        cancel.cancel()


async def _connected(connection: PGconn) -> None:
    while connection.status != pq.ConnStatus.BAD:
        status = connection.connect_poll()
        if status == pq.PollingStatus.OK:
            return
        if status == pq.PollingStatus.FAILED:
            break
        await ready(connection.socket, writing=status == pq.PollingStatus.WRITING)
    raise ReplicationLost(connection.get_error_message())


async def _command(connection: PGconn, sql: str, expected: pq.ExecStatus) -> None:
    connection.send_query(sql.encode())
    while connection.flush():
        await ready(connection.socket, writing=True)
    last_result: PGresult | None = None
    while True:
        while connection.is_busy():
            await ready(connection.socket, writing=False)
            connection.consume_input()
        result = connection.get_result()
        if result is not None:
            last_result = result
        # A connection in COPY returns that result again and again.
        if result is None or result.status == pq.ExecStatus.COPY_BOTH:
            break
    if last_result is None or last_result.status != expected:
        raise ReplicationLost(
            last_result.get_error_message() if last_result else connection.get_error_message()
        )


def last_error(connection: PGconn) -> str:
    """The reason for which the stream has ended."""
    result = connection.get_result()
    return result.get_error_message() if result is not None else connection.get_error_message()
