"""`migration down`: the database afresh, without the last migrations."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.reset import count_of_versions, reset, version_before_last


def arguments(parser: argparse.ArgumentParser) -> None:
    """How many."""
    parser.add_argument(
        "--last", type=count_of_versions, default=1, metavar="N", help="how many migrations to leave out (1)"
    )


def run(call: Call) -> int:
    """Resets to the version before them: there is no SQL that undoes a migration, and no row stays."""
    until = version_before_last(call.project, call.options.last)
    reset(call.project, "migration down", call.environ, until)
    call.output.show({"version": until or None}, "")
    return 0
