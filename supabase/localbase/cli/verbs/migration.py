"""`migration …`."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from localbase.cli.call import Call
from localbase.cli.database.comparison import script_of
from localbase.cli.database.db_url import add_target_arguments, target_of
from localbase.cli.database.external import add_name_argument
from localbase.cli.database.replacement import count_of_versions, reset, version_before_last
from localbase.cli.database.shadow import shadow_database
from localbase.cli.stack import stack
from localbase.cli.stack.lock import command_lock
from localbase.cli.terminal import Progress, say, table
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.core.text_files import read_text
from localbase.postgres import history, migrate
from localbase.postgres.history import Applied, read_history
from localbase.postgres.schema.difference import difference, to_sql
from localbase.postgres.schema.model import SchemaModel
from localbase.postgres.schema.read import read_model
from localbase.postgres.scripts.files import Migration, local_migrations

# `migration new`: an empty migration.


def new_arguments(parser: argparse.ArgumentParser) -> None:
    """Its name."""
    parser.add_argument("name", help="what it does, in a few words")


def run_new(call: Call) -> int:
    """Makes `supabase/migrations/<timestamp>_<name>.sql`."""
    path = new_migration(call.project, call.options.name)
    call.output.show({"path": str(path)}, str(path))
    return 0


def new_migration(project: Project, name: str, content: str = "") -> Path:
    """A migration of the present moment, which must not be there yet. Raises `UserError` for a name without letters."""
    slug = re.sub(r"\W+", "_", name).strip("_").lower()
    if not slug:
        raise UserError("A migration needs a name.", "For example: supabase migration new add_gift_notes")
    folder = project.supabase / "migrations"
    folder.mkdir(exist_ok=True)
    path = folder / f"{time.strftime('%Y%m%d%H%M%S', time.gmtime())}_{slug}.sql"
    with path.open("x", encoding="utf-8") as file:
        file.write(content)
    return path


# `migration list`: every version that is a file, in the database, or both.


def list_arguments(parser: argparse.ArgumentParser) -> None:
    """The database."""
    add_target_arguments(parser)


def run_list(call: Call) -> int:
    """Shows them, the oldest first."""
    with target_of(call).connect() as connection:
        applied = {each.version for each in read_history(connection)}
    local = {migration.version: migration.name for migration in local_migrations(call.project)}
    versions = sorted(applied | set(local))
    data = [
        {"version": version, "name": local.get(version), "applied": version in applied}
        for version in versions
    ]
    rows = [("Version", "State")]
    for version in versions:
        state = "applied" if version in applied else "pending"
        rows.append((version, f"{state}  {local.get(version, '(no local file)')}"))
    call.output.show(data, table(rows))
    return 0


# `migration up`: what is pending, on the running database.


def up_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the migrations, and the database."""
    parser.add_argument(
        "--include-all", action="store_true", help="those too that are older than the newest applied one"
    )
    add_target_arguments(parser)


def run_up(call: Call) -> int:
    """Applies the migrations that the database does not have."""
    project = call.project
    with command_lock(project, "migration up"), target_of(call).connect() as connection:
        history.make_history(connection)
        count = migrate.apply_migrations(
            connection, project, Progress(), include_all=call.options.include_all
        )
    say(f"{count} applied." if count else "The database is up to date.")
    call.output.show({"applied": count}, "")
    return 0


# `migration down`: the database afresh, without the last migrations.


def down_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the number of migrations."""
    parser.add_argument(
        "--last", type=count_of_versions, default=1, metavar="N", help="how many migrations to leave out (1)"
    )
    add_name_argument(parser)


def run_down(call: Call) -> int:
    """Resets to the version before them: there is no SQL that undoes a migration, and no row stays."""
    until = version_before_last(call.project, call.options.last)
    reset(call.project, "migration down", call.environ, until, database=call.options.database)
    call.output.show({"version": until or None}, "")
    return 0


# `migration repair`: what the database says of its migrations, changed without running any.


def repair_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the migrations, and their new state."""
    parser.add_argument("version", nargs="*", help="versions; without any, the files are what is applied")
    parser.add_argument(
        "--status", required=True, choices=("applied", "reverted"), help="what they are to be"
    )
    add_target_arguments(parser)


def run_repair(call: Call) -> int:
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


# `migration fetch`: the migrations that a database has recorded, as files.


def fetch_arguments(parser: argparse.ArgumentParser) -> None:
    """The database."""
    add_target_arguments(parser)


def run_fetch(call: Call) -> int:
    """Writes a file for each version that has none. One of another text is replaced only with `--yes`."""
    folder = call.project.supabase / "migrations"
    with command_lock(call.project, "migration fetch"), target_of(call).connect() as connection:
        applied = read_history(connection)
    texts = {
        f"{each.version}_{_slug(each)}.sql": script_cut_into(each.statements)
        for each in applied
        if each.statements
    }
    if foreign := [each.version for each in applied if not re.fullmatch(r"\d+", each.version)]:
        raise UserError(f"{', '.join(foreign)} is no version of a migration.", "Versions are digits only.")
    folder.mkdir(exist_ok=True)
    present = {name: read_text(folder / name) for name in texts if (folder / name).exists()}
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


def script_cut_into(statements: Sequence[str]) -> str:
    """A file that is cut into these statements."""
    return "".join(f"{_ended(statement.rstrip())}\n\n" for statement in statements)


def _ended(statement: str) -> str:
    """The rows of a `copy` have an end of their own, and a comment at a line's end would take a semicolon in."""
    if statement.endswith("\n\\."):
        return statement
    if "--" in statement.rpartition("\n")[2]:
        return f"{statement}\n;"
    return f"{statement.removesuffix(';')};"


# `migration squash`: one migration that makes the schema which several make.
# It is written by the comparison that `db diff` uses, and proved before the old files go: a database of the new file
# alone must be equal.


def squash_arguments(parser: argparse.ArgumentParser) -> None:
    """Options: the last migration to squash."""
    parser.add_argument(
        "--version", metavar="VERSION", help="the newest one to take in (default: the newest)"
    )
    add_target_arguments(parser)


def run_squash(call: Call) -> int:
    """Replaces the migrations up to a version by one of that version."""
    project = call.project
    with command_lock(project, "migration squash"):
        migrations = _chosen(project, call.options.version)
        last = migrations[-1]
        with shadow_database(project, migrations=False) as connection:
            before = read_model(connection)
            migrate.apply_migrations(connection, project, Progress(), until=last.version)
            after = read_model(connection)
        sql = script_of(difference(before, after))
        _prove(project, sql, after)
        last.path.write_text(sql, encoding="utf-8")
        for migration in migrations[:-1]:
            migration.path.unlink()
        if call.options.db_url or stack.is_running(project):
            with target_of(call).connect() as connection, connection.transaction():
                history.forget(connection, [each.version for each in migrations[:-1]])
                history.record(connection, last)
    say(
        f"{len(migrations)} migrations are one now. Rows that they have written are not in it: see supabase/seed.sql."
    )
    call.output.show(
        {"path": str(last.path), "removed": [each.path.name for each in migrations[:-1]]}, str(last.path)
    )
    return 0


def _chosen(project: Project, version: str | None) -> list[Migration]:
    migrations = local_migrations(project)
    versions = [migration.version for migration in migrations]
    if version is not None and version not in versions:
        raise UserError(f"There is no migration {version}.", "`supabase migration list` shows the versions.")
    chosen = migrations[: versions.index(version) + 1] if version is not None else migrations
    if len(chosen) < 2:
        raise UserError(
            "There are no two migrations to make one of.", "`supabase migration list` shows them."
        )
    return chosen


def _prove(project: Project, sql: str, expected: SchemaModel) -> None:
    with TemporaryDirectory() as folder, shadow_database(project, migrations=False) as connection:
        path = Path(folder) / "squashed.sql"
        path.write_text(sql, encoding="utf-8")
        try:
            migrate.apply_files(connection, [path], Progress())
            rest = to_sql(difference(read_model(connection), expected))
        except UserError as error:
            rest = error.message
    if rest:
        raise UserError(
            f"One migration cannot make what the migrations make; nothing was changed:\n{rest}",
            "A role belongs in supabase/roles.sql. What `db diff` does not compare (operators, casts …) cannot be "
            "squashed: choose an earlier --version.",
        )
