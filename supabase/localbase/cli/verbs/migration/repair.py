"""`migration repair`: what the database says of its migrations, changed without running any."""

from __future__ import annotations

import argparse

from localbase.cli.call import Call
from localbase.cli.lock import command_lock
from localbase.cli.target import add_target_arguments, target_of
from localbase.cli.terminal import say
from localbase.core.errors import UserError
from localbase.postgres import history
from localbase.postgres.migrate import Migration, local_migrations


def arguments(parser: argparse.ArgumentParser) -> None:
    """Which, and what they are to be."""
    parser.add_argument("version", nargs="*", help="versions; without any, the files are what is applied")
    parser.add_argument(
        "--status", required=True, choices=("applied", "reverted"), help="what they are to be"
    )
    add_target_arguments(parser)


def run(call: Call) -> int:
    """Records or forgets the versions."""
    options = call.options
    local = {migration.version: migration for migration in local_migrations(call.project)}
    with command_lock(call.project, "migration repair"), target_of(call).connect() as connection:
        history.make_history(connection)
        with connection.transaction():
            if options.status == "reverted":
                changed = _reverted(
                    options.version, {each.version for each in history.read_history(connection)}
                )
                history.forget(connection, changed)
            else:
                migrations = _applied(options.version, local)
                if not options.version:
                    gone = {each.version for each in history.read_history(connection)} - local.keys()
                    history.forget(connection, sorted(gone))
                for migration in migrations:
                    history.record(connection, migration)
                changed = [migration.version for migration in migrations]
    say(f"{options.status}: {', '.join(changed) or 'none'}. No migration has run.")
    call.output.show({"status": options.status, "versions": changed}, "")
    return 0


def _applied(versions: list[str], local: dict[str, Migration]) -> list[Migration]:
    if missing := [version for version in versions if version not in local]:
        raise UserError(
            f"There is no file of migration {', '.join(missing)} in supabase/migrations.",
            "`supabase migration list` shows the versions.",
        )
    return [local[version] for version in versions] if versions else list(local.values())


def _reverted(versions: list[str], applied: set[str]) -> list[str]:
    if not versions:
        raise UserError("--status reverted needs versions.", "`supabase migration list` shows them.")
    if missing := [version for version in versions if version not in applied]:
        raise UserError(
            f"The database does not have migration {', '.join(missing)}.",
            "`supabase migration list` shows the versions.",
        )
    return versions
