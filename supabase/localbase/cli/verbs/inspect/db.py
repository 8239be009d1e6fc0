"""`inspect db …`: one figure of the database; which one, the words say."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.inspection import as_table, read_figure
from localbase.cli.target import add_target_arguments, target_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """Of which database."""
    add_target_arguments(parser)


def run(call: Call) -> int:
    """Shows it."""
    name = call.options.words.rsplit(" ", 1)[-1]
    with target_of(call).connect() as connection:
        rows = read_figure(connection, name)
    call.output.show(rows, as_table(rows))
    return 0
