"""`inspect …`: what the database is busy with."""

from __future__ import annotations

import argparse
import csv
from datetime import UTC, datetime
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.database.db_url import add_target_arguments, target_of
from localbase.cli.inspect.queries import QUERIES
from localbase.cli.inspect.results import as_table, read_figure
from localbase.cli.terminal import say
from localbase.core.errors import UserError

# `inspect db …`: one figure of the database; which one, the words say.


def db_arguments(parser: argparse.ArgumentParser) -> None:
    """Of which database."""
    add_target_arguments(parser)


def run_db(call: Call) -> int:
    """Shows it."""
    name = call.options.words.rsplit(" ", 1)[-1]
    with target_of(call).connect() as connection:
        rows = read_figure(connection, name)
    call.output.show(rows, as_table(rows))
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
                rows = read_figure(connection, name)
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
