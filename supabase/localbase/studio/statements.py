"""A developer's statements, any number of them, each with its result, and plans."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from psycopg import AsyncCursor
from psycopg.rows import TupleRow

from localbase.studio.session import Role, Sessions, StudioError

MOST_ROWS = 1000
# A cell beyond it is cut: a browser cannot show more, and a table of them would not fit into memory.
MOST_CHARACTERS = 100_000


@dataclass(slots=True)
class Result:
    """One statement's outcome. `rows` are texts as Postgres prints them, None is NULL."""

    command: str
    count: int
    columns: list[dict[str, str]] = field(default_factory=list)
    rows: list[list[str | None]] = field(default_factory=list)
    truncated: bool = False


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
        "results": [
            {
                "command": each.command,
                "count": each.count,
                "columns": each.columns,
                "rows": each.rows,
                "truncated": each.truncated,
            }
            for each in results
        ],
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


async def _result(cursor: AsyncCursor[TupleRow]) -> Result:
    pg_result = cursor.pgresult
    assert pg_result is not None
    command = (cursor.statusmessage or "").rsplit(" ", 1)[0] if cursor.rowcount >= 0 else cursor.statusmessage
    result = Result(command or "", max(cursor.rowcount, 0))
    if cursor.description is None:
        return result
    types = cursor.connection.adapters.types
    for column in cursor.description:
        type_info = types.get(column.type_code)
        result.columns.append(
            {"name": column.name, "type": type_info.name if type_info else str(column.type_code)}
        )
    shown = min(pg_result.ntuples, MOST_ROWS)
    result.truncated = shown < pg_result.ntuples
    result.rows = [
        [_text(pg_result.get_value(row, column)) for column in range(pg_result.nfields)]
        for row in range(shown)
    ]
    return result


def _text(value: bytes | None) -> str | None:
    if value is None:
        return None
    text = value.decode("utf-8", "replace")
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} …"
