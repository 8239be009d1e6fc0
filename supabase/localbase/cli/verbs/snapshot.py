"""`snapshot …`: copies of database, files, users and mails."""

from __future__ import annotations

import argparse
from typing import Any

from localbase.cli.call import Call
from localbase.cli.data.snapshot_store import Snapshot
from localbase.cli.database.snapshots import Loaded, delete, is_ignored_by_git, load, save, snapshots
from localbase.cli.terminal import aligned, say


def described(snapshot: Snapshot) -> dict[str, Any]:
    """For a program."""
    return {
        "name": snapshot.name,
        "saved_at": snapshot.saved_at,
        "bytes": snapshot.bytes,
        "localbase": snapshot.localbase,
        "postgres": snapshot.postgres,
        "migrations": list(snapshot.migrations),
    }


def size_text(count: int) -> str:
    """For a person."""
    return f"{count / 1_000_000:.1f} MB"


# `snapshot save`: copies database, stored files, users, mails and the state of the project's own processes.


def save_arguments(parser: argparse.ArgumentParser) -> None:
    """A name, and whether it may replace another."""
    parser.add_argument("name", metavar="NAME", help="letters, digits, dots, hyphens and underscores")
    parser.add_argument("--force", action="store_true", help="replace a snapshot of the same name")


def run_save(call: Call) -> int:
    """Leaves the stack as it was: running or stopped."""
    project, name = call.project, call.options.name
    say(f"Saving {project.settings.project_id} as {name}")
    snapshot = save(project, name, force=call.options.force)
    if project.settings.storage.byte_store.backend == "s3":
        say(
            "The bytes of stored objects lie on another service (storage.bytes): they are not in the snapshot."
        )
    if not is_ignored_by_git(project.state.parent):
        say(f"git does not ignore {project.state.parent}: add supabase/.localbase/ to .gitignore.")
    call.output.show(
        described(snapshot),
        f"Saved {name}: {size_text(snapshot.bytes)}. Load it with `localbase snapshot load {name}`.",
    )
    return 0


# `snapshot load`: puts a snapshot in the place of all local data. A running stack goes on with it.


def load_arguments(parser: argparse.ArgumentParser) -> None:
    """A name."""
    parser.add_argument("name", metavar="NAME", help="one that `snapshot list` shows")


def run_load(call: Call) -> int:
    """Return what fails leaves the present data as it was."""
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


# `snapshot list`: the project's snapshots, oldest first.


_HEADS = ("NAME", "SAVED AT (UTC)", "SIZE", "POSTGRES", "LOCALBASE", "LAST MIGRATION")


def run_list(call: Call) -> int:
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
    text = (
        aligned(rows)
        if saved_snapshots
        else "There are no snapshots. Make one with `localbase snapshot save NAME`."
    )
    call.output.show([described(snapshot) for snapshot in saved_snapshots], text)
    return 0


# `snapshot delete`: takes snapshots away for good.


def delete_arguments(parser: argparse.ArgumentParser) -> None:
    """Names."""
    parser.add_argument("name", metavar="NAME", help="one that `snapshot list` shows")


def run_delete(call: Call) -> int:
    """The project's data stays as it is."""
    name = call.options.name
    delete(call.project, name)
    call.output.show({"deleted": name}, f"Deleted {name}.")
    return 0
