"""A developer's statements, any number of them, each with its result, and plans."""

from __future__ import annotations

import time
from typing import Any

from psycopg import AsyncCursor
from psycopg.rows import TupleRow

from localbase.studio.session import Role, Sessions, StudioError

MOST_ROWS = 1000
# A cell beyond it is cut: a browser cannot show more, and a table of them would not fit into memory.
MOST_CHARACTERS = 100_000


async def run(sessions: Sessions, text: str, role: Role, *, read_only: bool = False) -> dict[str, Any]:
    """Runs the statements in one transaction: all of them hold, or none. Raises `StudioError`."""
    if not text.strip():
        raise StudioError("There is no statement.")
    notices: list[str] = []
    began = time.monotonic()
    async with sessions.begin(role, read_only=read_only) as cursor:
        cursor.connection.add_notice_handler(
            lambda notice: notices.append(f"{notice.severity}: {notice.message_primary}")
        )
        await cursor.execute(text.encode())
        results = [await _result(cursor)]
        while cursor.nextset():
            results.append(await _result(cursor))
    return {
        "results": results,
        "notices": notices[:100],
        "ms": round((time.monotonic() - began) * 1000, 1),
    }


async def explain(sessions: Sessions, text: str, role: Role, *, analyze: bool) -> dict[str, Any]:
    """The plan of one statement, as Postgres's JSON. What it writes is undone."""
    options = "format json, verbose" + (", analyze, buffers" if analyze else "")
    async with sessions.begin(role, rollback=True) as cursor:
        await cursor.execute(f"explain ({options}) {text}".encode())
        if cursor.description is None or cursor.nextset():
            raise StudioError("Only a single statement has a plan.")
        row = await cursor.fetchone()
    assert row is not None
    return {"plan": row[0]}


async def _result(cursor: AsyncCursor[TupleRow]) -> dict[str, Any]:
    """One statement's outcome. `rows` are texts as Postgres prints them, None is NULL."""
    pg_result = cursor.pgresult
    assert pg_result is not None
    command = (cursor.statusmessage or "").rsplit(" ", 1)[0] if cursor.rowcount >= 0 else cursor.statusmessage
    types = cursor.connection.adapters.types
    known = [
        (column.name, column.type_code, types.get(column.type_code)) for column in cursor.description or ()
    ]
    shown = min(pg_result.ntuples, MOST_ROWS)
    return {
        "command": command or "",
        "count": max(cursor.rowcount, 0),
        "columns": [{"name": name, "type": kind.name if kind else str(oid)} for name, oid, kind in known],
        "rows": [
            [_text(pg_result.get_value(row, at)) for at in range(pg_result.nfields)] for row in range(shown)
        ],
        "truncated": shown < pg_result.ntuples,
    }


def _text(value: bytes | None) -> str | None:
    if value is None:
        return None
    text = value.decode("utf-8", "replace")
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} …"
