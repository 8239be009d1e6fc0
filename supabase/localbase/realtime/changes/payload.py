"""The `data` of a `postgres_changes` message: the JSON of one change for one role and choice of columns.

The log's texts become JSON in Postgres: numbers, ISO times, arrays, and the types of a project.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from localbase.core.cache import BoundedCache
from localbase.postgres.pipeline import PostgresError
from localbase.postgres.pool import Database
from localbase.postgres.transaction import Statement
from localbase.realtime.changes.array_text import text_array
from localbase.realtime.changes.rows import ChangedRow, Row
from localbase.realtime.changes.tables import SERVICE, Table, TableColumn

_log = logging.getLogger("localbase.realtime")
JsonRow = Mapping[str, bytes]
"""JSON by column."""

_sql: BoundedCache[tuple[str, ...], str] = BoundedCache(256)
_LARGEST, _SHORT = 1024 * 1024, 64
"""Bytes of a row above which only values up to the second number are shown (upstream's `max_record_bytes`)."""

NO_KEY = "Error 400: Bad Request, no primary key"
UNAUTHORIZED = "Error 401: Unauthorized"
_TOO_LARGE = "Error 413: Payload Too Large"


def is_too_large(row: ChangedRow) -> bool:
    """Tell whether only its short values are shown."""
    return row.size > _LARGEST


def short_values(row: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """The values of a row that is too large which need not be read further."""
    return {name: value for name, value in row.items() if value is not None and len(value) <= _SHORT}


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change with its values as JSON."""

    row: ChangedRow
    new: JsonRow
    old: JsonRow


def data_of(change: ShownChange, table: Table, role: str, select: frozenset[str] | None) -> bytes:
    """The JSON object for subscribers of `role` that chose the columns `select`, or all."""
    key = {column.name for column in table.key}
    readable = table.readable.get(role, frozenset())
    names = readable if select is None else readable & (select | key)
    row = change.row
    parts = {
        "schema": _json(table.schema),
        "table": _json(table.table),
        "type": _json(row.action),
        "commit_timestamp": _json(_time(row.committed_at)),
        "columns": _json(
            [
                {"name": column.name, "type": column.type_name}
                for column in table.columns.values()
                if column.name in names
            ]
        ),
    }
    if row.action != "DELETE":
        parts["record"] = _record(change.new, names, short=is_too_large(row))
    if row.action != "INSERT":
        # Of a deleted row no policy can be applied any more: only its key is shown.
        shown = names & key if row.action == "DELETE" and table.policies else names
        parts["old_record"] = _record(change.old, shown, short=is_too_large(row))
    parts["errors"] = _json([_TOO_LARGE] if is_too_large(row) else None)
    return _object(parts)


def error_of(row: ChangedRow, table: Table, message: str) -> bytes:
    """The JSON object where a role cannot get the change at all."""
    parts = {
        "schema": _json(table.schema),
        "table": _json(table.table),
        "type": _json(row.action),
        "commit_timestamp": b"null",
        "columns": b"[]",
        "record": b"{}",
        **({"old_record": b"{}"} if row.action == "UPDATE" else {}),
        "errors": _json([message]),
    }
    return _object(parts)


def _record(values: JsonRow, names: frozenset[str], *, short: bool) -> bytes:
    return _object(
        {
            name: value
            for name, value in values.items()
            if name in names and not (short and (len(value) > _SHORT or value == b"null"))
        }
    )


def _object(parts: Mapping[str, bytes]) -> bytes:
    return b"{" + b",".join([_json(name) + b":" + value for name, value in parts.items()]) + b"}"


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _time(moment: datetime) -> str:
    """ISO 8601 with milliseconds, in UTC."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


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
