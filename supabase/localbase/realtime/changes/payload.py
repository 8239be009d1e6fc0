"""The `data` of a `postgres_changes` message: the JSON of one change for one role and choice of columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from localbase.realtime.changes.rows import ChangedRow
from localbase.realtime.changes.tables import Table
from localbase.realtime.changes.values import JsonRow

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
