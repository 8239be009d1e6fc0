"""`db push`: the project's migrations, and if wanted its roles and seed, on any Postgres."""

from __future__ import annotations

import argparse
from pathlib import Path

from localbase.cli.call import Call
from localbase.cli.database.db_url import Target, add_target_arguments, target_of
from localbase.cli.stack.lock import command_lock
from localbase.cli.terminal import Progress, confirmed, say
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres import history, migrate
from localbase.postgres.scripts.files import Migration, local_migrations


def push_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the migrations and other files to push, and the database."""
    parser.add_argument(
        "--include-all", action="store_true", help="those too that are older than the newest applied one"
    )
    parser.add_argument("--include-roles", action="store_true", help="run supabase/roles.sql first")
    parser.add_argument("--include-seed", action="store_true", help="run the seed files afterwards")
    parser.add_argument("--dry-run", action="store_true", help="show what would be applied")
    # Secrets of hosted projects are not in this project's hands.
    parser.add_argument("--skip-vault", action="store_true", help=argparse.SUPPRESS)
    add_target_arguments(parser)


def run_push(call: Call) -> int:
    """Applies what is pending, each file in one transaction."""
    project, options, target = call.project, call.options, target_of(call)
    with command_lock(project, "db push"), target.connect() as connection:
        applied = {each.version for each in history.read_history(connection)}
        pending = _pending(project, applied)
        names = [migration.path.name for migration in pending]
        if options.dry_run or not _confirmed(call, target, names):
            say(f"Would apply to {target.name}: {', '.join(names) or 'no migration'}.")
            call.output.show({"applied": [], "pending": names}, "")
            return 0
        history.make_history(connection)
        progress = Progress()
        if options.include_roles:
            migrate.apply_files(connection, _roles(project), progress)
        migrate.apply_migrations(connection, project, progress, include_all=options.include_all)
        if options.include_seed:
            migrate.apply_seed(connection, project, progress)
    say(f"{len(names)} applied to {target.name}." if names else f"{target.name} is up to date.")
    call.output.show({"applied": names, "pending": []}, "")
    return 0


def _pending(project: Project, applied: set[str]) -> list[Migration]:
    local = local_migrations(project)
    if missing := sorted(applied - {migration.version for migration in local}):
        versions = " ".join(missing)
        raise UserError(
            f"The database has migrations that {project.supabase / 'migrations'} lacks: {versions}.",
            "Write them as files with `supabase migration fetch`, or say that they are undone with "
            f"`supabase migration repair --status reverted {versions}`.",
        )
    return [migration for migration in local if migration.version not in applied]


def _roles(project: Project) -> list[Path]:
    path = project.supabase / "roles.sql"
    return [path] if path.is_file() else []


def _confirmed(call: Call, target: Target, names: list[str]) -> bool:
    """A person is asked before another database than the local one changes; a script has said it by its call."""
    if not names or target.is_local:
        return True
    say(f"These migrations go to {target.name}: {', '.join(names)}.")
    return confirmed("Apply them?", yes=call.options.yes)
