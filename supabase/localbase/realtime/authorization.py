"""Authorization of private channels: a question to the policies of `realtime.messages` (`tenants/authorization.ex`).

As the table's owner one row for each extension is inserted, then the caller's role, claims and topic are set, and the
rows that the caller sees show what may be read; what may be written, an attempt to insert shows. All of it is rolled
back, so nothing of it is ever replicated.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import psycopg
from psycopg import errors

from localbase.postgres.pool import PoolExhausted
from localbase.postgres.service_pool import Cursor, ServicePool
from localbase.realtime.tokens import Token

_SECONDS = 5
_INSERT = b"insert into realtime.messages (id, topic, extension) values (%s, %s, %s)"
_CONTEXT = b"""select
  set_config('role', %(role)s, true),
  set_config('realtime.topic', %(topic)s, true),
  set_config('request.jwt.claims', %(claims)s, true),
  set_config('request.jwt.claim.sub', %(sub)s, true),
  set_config('request.jwt.claim.role', %(role)s, true),
  set_config('request.headers', %(headers)s, true)"""


class AuthorizationFailed(Exception):
    """The question could not be put. `code` and `message` are upstream's."""

    def __init__(self, code: str, message: str, cause: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.cause = cause


@dataclass(frozen=True, slots=True)
class Permissions:
    """A caller's permissions in a topic, by extension."""

    broadcast: bool
    presence: bool


@dataclass(frozen=True, slots=True)
class Subject:
    """The caller, and what for: the token, the request's headers, and the topic's name."""

    token: Token
    headers: dict[str, str]
    topic: str


class Authorizer:
    """Puts the question over `pool`, which logs in as the owner of the table."""

    def __init__(self, pool: ServicePool) -> None:
        self._pool = pool

    async def may_read(self, subject: Subject) -> Permissions:
        """The extensions that the caller may read. Raises `AuthorizationFailed`."""
        async with self._transaction() as cursor:
            probes = {extension: uuid.uuid4() for extension in ("broadcast", "presence")}
            for extension, probe in probes.items():
                await cursor.execute(_INSERT, [probe, subject.topic, extension])
            await _act_as(cursor, subject)
            query = "select id from realtime.messages where id = any(%s)"
            await cursor.execute(query, [list(probes.values())])
            seen = {row["id"] for row in await cursor.fetchall()}
        return Permissions(probes["broadcast"] in seen, probes["presence"] in seen)

    async def may_write(self, subject: Subject) -> Permissions:
        """The extensions that the caller may write. Raises `AuthorizationFailed`."""
        async with self._transaction() as cursor:
            await _act_as(cursor, subject)
            broadcast = await _may_insert(cursor, subject.topic, "broadcast")
            presence = await _may_insert(cursor, subject.topic, "presence")
        return Permissions(broadcast, presence)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Cursor]:
        """A transaction that is rolled back, and its errors in upstream's words."""
        try:
            async with self._pool.begin() as cursor:
                await cursor.execute(f"set local statement_timeout = '{_SECONDS}s'")
                yield cursor
                raise psycopg.Rollback
        except PoolExhausted as error:
            message = "Please increase your connection pool size"
            raise AuthorizationFailed("IncreaseConnectionPool", message) from error
        except errors.QueryCanceled as error:
            raise AuthorizationFailed("QueryCanceled", "Query was cancelled, please try again") from error
        except errors.CheckViolation as error:
            message = "Realtime was unable to find the expected messages partition"
            raise AuthorizationFailed("MissingPartition", message) from error
        except psycopg.OperationalError as error:
            message = "Realtime was unable to connect to the project database"
            raise AuthorizationFailed("UnableToConnectToProject", message) from error
        except psycopg.Error as error:
            # A policy that fails opens nothing.
            raise AuthorizationFailed("RlsPolicyError", "", str(error)) from error


async def _act_as(cursor: Cursor, subject: Subject) -> None:
    claims = subject.token.claims
    values = {
        "role": subject.token.role,
        "topic": subject.topic,
        "claims": subject.token.claims_json.decode(),
        "sub": str(claims.get("sub") or ""),
        "headers": json.dumps(subject.headers),
    }
    await cursor.execute(_CONTEXT, values)


async def _may_insert(cursor: Cursor, topic: str, extension: str) -> bool:
    await cursor.execute("savepoint probe")
    try:
        await cursor.execute(_INSERT, [uuid.uuid4(), topic, extension])
    except errors.InsufficientPrivilege:
        await cursor.execute("rollback to savepoint probe")
        return False
    return True
