"""The log's texts as JSON, made by Postgres: numbers, ISO times, arrays, and the types of a project."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence

from localbase.core.cache import BoundedCache
from localbase.postgres.pipeline import PostgresError
from localbase.postgres.pool import Database
from localbase.postgres.transaction import Statement
from localbase.realtime.changes.array_text import text_array
from localbase.realtime.changes.rows import Row
from localbase.realtime.changes.tables import SERVICE, Table, TableColumn

_log = logging.getLogger("localbase.realtime")
JsonRow = Mapping[str, bytes]
"""JSON by column."""

_sql: BoundedCache[tuple[str, ...], str] = BoundedCache(256)


async def json_rows(database: Database, table: Table, rows: Sequence[Row]) -> list[JsonRow]:
    """The rows with each value as JSON: one round trip for all. Columns that the table no longer has are left out."""
    names = [name for name in table.columns if any(name in row for row in rows)]
    if not names:
        return [{} for _ in rows]
    params = [text_array(row.get(name) for row in rows) for name in names]
    statement = Statement(_statement(table.columns[name] for name in names), params)
    try:
        json_values = (await database.run(statement, SERVICE)).rows
    except PostgresError as error:
        # A type changed or went since the row was written: its text is what remains.
        _log.warning("values of %s stay texts: %s", table.name, error.message)
        json_values = [tuple([_text(row.get(name)) for name in names]) for row in rows]
    return [
        {name: value or b"null" for name, value in zip(names, values, strict=True) if name in row}
        for row, values in zip(rows, json_values, strict=True)
    ]


def _statement(columns: Iterable[TableColumn]) -> str:
    casts = tuple([column.cast for column in columns])
    sql = _sql.get(casts)
    if sql is None:
        shown = ", ".join(_shown(place, cast) for place, cast in enumerate(casts, 1))
        arrays = ", ".join(f"${place}::text[]" for place in range(1, len(casts) + 1))
        fields = ", ".join(f"c{place}" for place in range(1, len(casts) + 1))
        sql = f"select {shown} from unnest({arrays}) with ordinality as r({fields}, n) order by n"  # noqa: S608
        _sql.put(casts, sql)
    return sql


def _shown(place: int, cast: str) -> str:
    if cast == "pg_catalog.bytea":
        # Upstream's plugin writes the digits without their prefix.
        return f"pg_catalog.to_jsonb(pg_catalog.substr(c{place}, 3))"
    return f"pg_catalog.to_jsonb(c{place}::{cast})"


def _text(value: bytes | None) -> bytes | None:
    return None if value is None else json.dumps(value.decode(errors="replace"), ensure_ascii=False).encode()
