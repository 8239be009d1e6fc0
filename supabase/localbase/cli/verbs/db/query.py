"""`db query`: one SQL script, its last result printed."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import psycopg

from localbase.cli.call import Call
from localbase.cli.database.db_url import add_target_arguments, target_of
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.core.text_files import read_text

_WIDEST = 60


def query_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the SQL, and the database."""
    parser.add_argument("sql", nargs="?", help="the SQL; `-` reads it from the standard input")
    parser.add_argument("-f", "--file", type=Path, metavar="PATH", help="a file of SQL")
    parser.add_argument("--read-only", action="store_true", help="refuse every change")
    add_target_arguments(parser)


def run_query(call: Call) -> int:
    """Prints the rows of the last statement that has any."""
    options, target = call.options, target_of(call)
    sql = _text(options)
    with target.connect() as connection:
        if target.is_local:
            # As the project's own role, like a migration.
            connection.execute("set session authorization postgres")
        if options.read_only:
            connection.read_only = True
        names, rows, status = _run(connection, sql)
    data = [dict(zip(names, row, strict=True)) for row in rows]
    call.output.show(data, _table(names, rows) if names else "")
    say(status if not names else f"{len(rows)} row{'' if len(rows) == 1 else 's'}")
    return 0


def _text(options: argparse.Namespace) -> str:
    if (options.sql is None) == (options.file is None):
        raise UserError("One SQL is needed.", 'For example: supabase db query "select 1", or -f PATH.')
    if options.file is not None:
        return read_text(options.file)
    return sys.stdin.read() if options.sql == "-" else str(options.sql)


def _run(connection: psycopg.Connection, sql: str) -> tuple[list[str], list[tuple[Any, ...]], str]:
    names: list[str] = []
    rows: list[tuple[Any, ...]] = []
    try:
        with connection.transaction():
            cursor = connection.execute(sql.encode())
            while True:
                if cursor.description is not None:
                    names, rows = _distinct([column.name for column in cursor.description]), cursor.fetchall()
                if not cursor.nextset():
                    break
            return names, rows, cursor.statusmessage or ""
    except psycopg.Error as error:
        position = int(error.diag.statement_position or 0)
        where = f", line {sql.count(chr(10), 0, position) + 1}" if position else ""
        hint = error.diag.message_hint or "Nothing was changed."
        raise UserError(f"{error.diag.message_primary or error} ({error.sqlstate}){where}", hint) from None


def _distinct(names: list[str]) -> list[str]:
    """Two columns of one name are two in JSON too."""
    return [
        f"{name}_{names[:place].count(name) + 1}" if name in names[:place] else name
        for place, name in enumerate(names)
    ]


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> str:
    cells = [names, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(names))]
    lines = [
        " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    ]
    return "\n".join([lines[0], "-+-".join("-" * width for width in widths), *lines[1:]])


def _cell(value: Any) -> str:
    text = "" if value is None else str(value).replace("\n", "⏎")
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"
