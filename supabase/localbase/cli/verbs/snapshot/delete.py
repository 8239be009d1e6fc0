"""`snapshot delete`: takes snapshots away for good."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.snapshots import delete


def arguments(parser: argparse.ArgumentParser) -> None:
    """Names."""
    parser.add_argument("name", metavar="NAME", help="one that `snapshot list` shows")


def run(call: Call) -> int:
    """The project's data stays as it is."""
    name = call.options.name
    delete(call.project, name)
    call.output.show({"deleted": name}, f"Deleted {name}.")
    return 0
