"""`snapshot load`: puts a snapshot in the place of all local data. A running stack goes on with it."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.snapshots import Loaded, load
from localbase.cli.terminal import say


def arguments(parser: argparse.ArgumentParser) -> None:
    """A name."""
    parser.add_argument("name", metavar="NAME", help="one that `snapshot list` shows")


def run(call: Call) -> int:
    """What fails leaves the present data as it was."""
    project, name = call.project, call.options.name
    say(f"Loading {name} into {project.settings.project_id}: the present data goes.")
    loaded = load(project, name)
    for line in _remarks(loaded):
        say(line)
    data = {
        "name": name,
        "running": loaded.running,
        "pending_migrations": list(loaded.pending),
        "missing_migrations": list(loaded.missing),
        "changed_migrations": list(loaded.changed),
    }
    call.output.show(
        data, f"Loaded {name}." if loaded.running else f"Loaded {name}. Start it with `localbase start`."
    )
    return 0


def _remarks(loaded: Loaded) -> list[str]:
    remarks = []
    if loaded.missing:
        versions = ", ".join(loaded.missing)
        remarks.append(
            f"The snapshot has migrations that supabase/migrations lacks: {versions}. Put their files back, or begin "
            "anew with `localbase db reset`; until then no new migration can be applied."
        )
    if loaded.changed:
        remarks.append(
            f"Migrations have changed since the snapshot was saved: {', '.join(loaded.changed)}. "
            "Only `localbase db reset` applies them afresh."
        )
    if loaded.pending and not loaded.missing:
        does = (
            "Apply them with `localbase migration up`" if loaded.running else "`localbase start` applies them"
        )
        remarks.append(
            f"The snapshot lacks migrations of supabase/migrations: {', '.join(loaded.pending)}. {does}."
        )
    return remarks
