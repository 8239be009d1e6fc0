"""Reads the figures of a database, for `inspect db …` and `inspect report`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import psycopg
from psycopg.rows import dict_row

from localbase.cli.inspect.queries import query_of
from localbase.core.errors import UserError

_WIDEST = 60


def read_figure(connection: psycopg.Connection, name: str) -> list[dict[str, Any]]:
    """Its rows. Raises `UserError` where an extension is missing, or the role may not see it."""
    figure = query_of(name, connection.info.server_version)
    if figure.extension and not _can_read(connection, figure.extension):
        raise UserError(
            f"{name} reads the extension {figure.extension}, which this database does not have.",
            f"Run `create extension {figure.extension} with schema extensions`; the server must load its library.",
        )
    try:
        with connection.cursor(row_factory=dict_row) as cursor:
            rows = cursor.execute(figure.sql.encode()).fetchall()
            return [{name: _plain(value) for name, value in row.items()} for row in rows]
    except psycopg.errors.InsufficientPrivilege as error:
        raise UserError(
            f"{name}: {error.diag.message_primary}.", "Use a role with pg_monitor's rights."
        ) from error
    except psycopg.errors.ObjectNotInPrerequisiteState as error:
        raise UserError(
            f"{name}: {error.diag.message_primary}.",
            f"Load it: shared_preload_libraries = '{figure.extension}'.",
        ) from error


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def _can_read(connection: psycopg.Connection, extension: str) -> bool:
    row = connection.execute(
        "select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = %s",
        [extension],
    ).fetchone()
    if row is None:
        return False
    # Its schema need not be on the role's own path.
    connection.execute("select set_config('search_path', %s, false)", [f"pg_catalog, {row[0]}"])
    return True


def as_table(rows: Sequence[dict[str, Any]]) -> str:
    """Aligned columns; statements are cut to one line."""
    if not rows:
        return "Nothing to show."
    cells = [[_cell(value) for value in row.values()] for row in rows]
    heads = [name.replace("_", " ").upper() for name in rows[0]]
    widths = [max(len(head), *(len(row[at]) for row in cells)) for at, head in enumerate(heads)]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in [heads, *cells]
    )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = " ".join(str(value).split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
