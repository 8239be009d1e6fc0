"""`snapshot list`: the project's snapshots, oldest first."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.snapshots import snapshots
from localbase.cli.verbs.snapshot.shown import described, size_text

_HEADS = ("NAME", "SAVED AT (UTC)", "SIZE", "POSTGRES", "LOCALBASE", "LAST MIGRATION")


def arguments(_: argparse.ArgumentParser) -> None:
    """It takes none."""


def run(call: Call) -> int:
    """Shows them."""
    saved_snapshots = snapshots(call.project)
    rows = [
        _HEADS,
        *(
            (
                snapshot.name,
                snapshot.saved_at.replace("T", " ").rstrip("Z"),
                size_text(snapshot.bytes),
                str(snapshot.postgres),
                snapshot.localbase,
                max(snapshot.migrations, default="none"),
            )
            for snapshot in saved_snapshots
        ),
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADS))]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    text = (
        "\n".join(lines)
        if saved_snapshots
        else "There are no snapshots. Make one with `localbase snapshot save NAME`."
    )
    call.output.show([described(snapshot) for snapshot in saved_snapshots], text)
    return 0
