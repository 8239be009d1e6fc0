"""`inspect …`: what the database is busy with."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from localbase.cli.call import Call
from localbase.cli.database.db_url import add_target_arguments, target_of
from localbase.cli.figures import QUERIES, query_of
from localbase.cli.terminal import aligned, say
from localbase.core.errors import UserError

_WIDEST = 60

# `inspect db …`: one figure of the database; which one, the words say.


def db_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which database."""
    add_target_arguments(parser)


def run_db(call: Call) -> int:
    """Shows it."""
    name = call.options.words.rsplit(" ", 1)[-1]
    with target_of(call).connect() as connection:
        rows = _read_figure(connection, name)
    call.output.show(rows, _as_table(rows))
    return 0


# `inspect report`: all figures as CSV files, in a folder named after the day.


def report_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which database, and where to."""
    add_target_arguments(parser)
    parser.add_argument("--output-dir", type=Path, default=Path(), help="the folder (this one)")


def run_report(call: Call) -> int:
    """Writes a file for each figure that can be read."""
    folder = call.options.output_dir / datetime.now(UTC).date().isoformat()
    folder.mkdir(parents=True, exist_ok=True)
    data = []
    with target_of(call).connect() as connection:
        for name in QUERIES:
            try:
                rows = _read_figure(connection, name)
            except UserError as error:
                say(f"{error.message} {error.remedy}")
                continue
            path = folder / f"{name}.csv"
            with path.open("w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]) if rows else [])
                writer.writeheader()
                writer.writerows(rows)
            data.append({"figure": name, "rows": len(rows), "file": str(path)})
    call.output.show(data, "\n".join(f"{row['rows']:>5} rows  {row['file']}" for row in data))
    return 0


def _read_figure(connection: psycopg.Connection, name: str) -> list[dict[str, Any]]:
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


def _as_table(rows: Sequence[dict[str, Any]]) -> str:
    """Aligned columns; statements are cut to one line."""
    if not rows:
        return "Nothing to show."
    cells = [[_cell(value) for value in row.values()] for row in rows]
    heads = [name.replace("_", " ").upper() for name in rows[0]]
    return aligned([heads, *cells])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = " ".join(str(value).split())
    return text if len(text) <= _WIDEST else f"{text[: _WIDEST - 1]}…"
