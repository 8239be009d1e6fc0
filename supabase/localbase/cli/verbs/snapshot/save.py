"""`snapshot save`: copies database, stored files, users, mails and the state of the project's own processes."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.snapshots import is_ignored_by_git, save
from localbase.cli.terminal import say
from localbase.cli.verbs.snapshot.shown import described, size_text


def arguments(parser: argparse.ArgumentParser) -> None:
    """A name, and whether it may replace another."""
    parser.add_argument("name", metavar="NAME", help="letters, digits, dots, hyphens and underscores")
    parser.add_argument("--force", action="store_true", help="replace a snapshot of the same name")


def run(call: Call) -> int:
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
