"""Connections to the project's database for Studio: as its owner, or as one of the roles that clients have."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import psycopg
from psycopg import AsyncConnection, AsyncCursor, sql
from psycopg.rows import TupleRow

Name = Literal["postgres", "anon", "authenticated", "service_role"]
# What one statement may take: Studio is for looking, and a mistake must not hold the project up.
STATEMENT_MS = 30_000


class StudioError(Exception):
    """An error for the person who looks, with more about it where Postgres says more. The response's status is 400."""

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message)
        self.message = message
        self.more = {name: value for name, value in more.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Role:
    """As whom a statement runs: `postgres`, or a client's role; `claims` are those of its token."""

    name: Name = "postgres"
    claims: str = ""

    @classmethod
    def of(cls, value: Any) -> Role:
        """From a call's `{"name": …, "user": {"id": …, "email": …}}`; none is `postgres`. Raises `StudioError`."""
        if value is None:
            return cls()
        name = value.get("name") if isinstance(value, dict) else None
        if name not in {"postgres", "anon", "authenticated", "service_role"}:
            raise StudioError("There is no such role: postgres, anon, authenticated or service_role.")
        if name == "postgres":
            return cls()
        claims: dict[str, Any] = {"role": name}
        user = value.get("user")
        if name == "authenticated":
            if not isinstance(user, dict) or not isinstance(user.get("id"), str):
                raise StudioError("Choose the user as whom it is to run.")
            claims |= {
                "sub": user["id"],
                "email": user.get("email") or "",
                "aud": "authenticated",
                "app_metadata": user.get("app_metadata") or {},
                "user_metadata": user.get("user_metadata") or {},
                "is_anonymous": bool(user.get("is_anonymous")),
                "aal": "aal1",
            }
        return cls(name, json.dumps(claims))


class Sessions:
    """Opens one connection for each call: they are rare, and no setting of one may reach another."""

    def __init__(self, url: str, admin_url: str) -> None:
        self._url = url
        self._admin_url = admin_url

    @asynccontextmanager
    async def begin(
        self, role: Role | None, *, read_only: bool = False, rollback: bool = False
    ) -> AsyncIterator[AsyncCursor[TupleRow]]:
        """A transaction as `role`, under its policies; with None as the platform's own role.

        Raises `StudioError` for what Postgres refuses.
        """
        try:
            async with await AsyncConnection.connect(
                self._admin_url if role is None else self._url, application_name="studio"
            ) as connection:
                await connection.set_read_only(read_only)
                async with connection.transaction(force_rollback=rollback):
                    cursor = connection.cursor()
                    await cursor.execute(f"set local statement_timeout = {STATEMENT_MS}")
                    if role is not None:
                        await become(cursor, role)
                    yield cursor
        except psycopg.Error as error:
            raise postgres_error(error) from error


async def become(cursor: AsyncCursor[TupleRow], role: Role) -> None:
    """The rest of the transaction runs as `role`."""
    if role.claims:
        await cursor.execute(
            "select set_config('request.jwt.claims', %s, true), set_config('request.jwt.claim.sub', %s, true)",
            (role.claims, json.loads(role.claims).get("sub", "")),
        )
    await cursor.execute(sql.SQL("set local role {}").format(sql.Identifier(role.name)))


def at_place(place: str) -> sql.Composed:
    """The condition that a row is the one at `place`: its table's number and its `ctid`. Raises `StudioError`."""
    table, _, tid = place.partition(":")
    if not table.isdecimal() or not tid:
        raise StudioError("A row is named by its place.")
    return sql.SQL("tableoid = {} and ctid = {}::tid").format(sql.Literal(int(table)), sql.Literal(tid))


def postgres_error(error: psycopg.Error) -> StudioError:
    """Postgres's own words."""
    diagnostic = error.diag
    return StudioError(
        diagnostic.message_primary or str(error).strip() or "The database does not answer.",
        code=diagnostic.sqlstate,
        detail=diagnostic.message_detail,
        hint=diagnostic.message_hint,
        position=int(diagnostic.statement_position) if diagnostic.statement_position else None,
        context=diagnostic.context,
    )
