"""`migration fetch`: the migrations that a database has recorded, as files."""

from __future__ import annotations

import argparse
import re

from localbase.cli.call import Call
from localbase.cli.lock import command_lock
from localbase.cli.target import add_target_arguments, target_of
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.postgres.history import Applied, read_history


def arguments(parser: argparse.ArgumentParser) -> None:
    """The database."""
    add_target_arguments(parser)


def run(call: Call) -> int:
    """Writes a file for each version that has none. One of another text is replaced only with `--yes`."""
    folder = call.project.supabase / "migrations"
    with command_lock(call.project, "migration fetch"), target_of(call).connect() as connection:
        applied = read_history(connection)
    texts = {f"{each.version}_{_slug(each)}.sql": _text(each) for each in applied if each.statements}
    if foreign := [each.version for each in applied if not re.fullmatch(r"\d+", each.version)]:
        raise UserError(f"{', '.join(foreign)} is no version of a migration.", "Versions are digits only.")
    folder.mkdir(exist_ok=True)
    present = {
        name: (folder / name).read_text(encoding="utf-8") for name in texts if (folder / name).exists()
    }
    other = [name for name, text in present.items() if text.strip() != texts[name].strip()]
    if other and not call.options.yes:
        raise UserError(
            f"These files have another text than the database: {', '.join(other)}.",
            "Replace them with --yes, or move them away first.",
        )
    written = [name for name in texts if name not in present or name in other]
    for name in written:
        (folder / name).write_text(texts[name], encoding="utf-8")
    if empty := [each.version for each in applied if not each.statements]:
        say(f"Left out, since the database has no statements of them: {', '.join(empty)}.")
    say(f"{len(written)} written." if written else "All of them are there.")
    call.output.show({"written": written}, "\n".join(str(folder / name) for name in written))
    return 0


def _slug(migration: Applied) -> str:
    """Its name, which may come from a database that is not ours: never a path."""
    return re.sub(r"\W+", "_", migration.name).strip("_") or "migration"


def _text(migration: Applied) -> str:
    return "".join(f"{statement.rstrip().removesuffix(';')};\n\n" for statement in migration.statements)
