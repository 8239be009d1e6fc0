"""Applies the platform's schemas, then the project's roles, migrations and seed, each file in one transaction.

Migrations run as the role `postgres`, which is no superuser, as on the hosted platform. The one exception is the
hosted platform's own: `create extension` runs with the platform's rights (there, the supautils extension grants them).
Extensions of that platform, which dumps of its schema make, are left out where Postgres lacks them (`extensions.py`).
Applied versions are recorded in `supabase_migrations.schema_migrations`, the official CLI's table.
"""

from __future__ import annotations

import glob
import hashlib
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import SUPERUSER, Cluster
from localbase.postgres.extensions import STATEMENT, left_out_note, missing_remedy, without_version
from localbase.postgres.statements import Piece, split

if TYPE_CHECKING:
    import psycopg

_PLATFORM = Path(__file__).parent / "platform"
_ROLES = "supabase/roles.sql"
_MIGRATION_NAME = re.compile(r"^(\d+)_(.*)\.sql$")
_REMEDIES = {
    "53100": "Free some space on the database's disk and try again; nothing of the file has been applied."
}
# Not available: a missing control file, by the version of Postgres.
_NO_EXTENSION = ("0A000", "58P01")
_ROLE_SETTINGS = """
select pg_catalog.set_config(split_part(setting, '=', 1), substr(setting, strpos(setting, '=') + 1), false)
from pg_catalog.pg_roles, unnest(rolconfig) setting where rolname = 'postgres'
"""


class Report(Protocol):
    """Shows progress."""

    def step(self, title: str, /) -> AbstractContextManager[None]:
        """Something that takes its time."""

    def note(self, text: str, /) -> None:
        """Something worth knowing."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A file `<version>_<name>.sql` below `supabase/migrations`."""

    version: str
    name: str
    path: Path


def local_migrations(project: Project) -> list[Migration]:
    """The project's migrations, oldest first. Raises `UserError` on a file that is not named `<digits>_<name>.sql`."""
    migrations = []
    for path in sorted((project.supabase / "migrations").glob("*.sql")):
        match = _MIGRATION_NAME.match(path.name)
        if match is None:
            raise UserError(
                f"{path}: a migration's name is <timestamp>_<name>.sql.",
                "Rename it, for example with 20260101000000_.",
            )
        migrations.append(Migration(match[1], match[2], path))
    return migrations


def connect(cluster: Cluster, role: str = "supabase_admin") -> psycopg.Connection:
    """A connection of the platform's own."""
    # Here, as below: commands that only read the project's files do without this import.
    import psycopg

    return psycopg.connect(cluster.url(role), autocommit=True)


def bootstrap_platform(connection: psycopg.Connection) -> None:
    """Applies the platform's own files that this cluster does not have yet, and makes today's partitions.

    A cluster that is a copy has those of the day on which its original was made; a seed may send messages.
    Raises `UserError` on a cluster with files of an earlier version.
    """
    connection.execute("create schema if not exists _localbase")
    connection.execute("create table if not exists _localbase.platform (name text primary key)")
    done = {row[0] for row in connection.execute("select name from _localbase.platform")}
    paths = platform_paths()
    if unknown := sorted(done - {path.name for path in paths} - {_ROLES}):
        raise UserError(
            f"This database was made by another version of localbase ({', '.join(unknown)}).",
            "Make it anew, without its present data: `supabase db reset`.",
        )
    for path in paths:
        if path.name not in done:
            with connection.transaction():
                connection.execute(path.read_text(encoding="utf-8").encode())
                connection.execute("insert into _localbase.platform values (%s)", [path.name])
    import psycopg

    # Realtime does it too, now and each hour, and logs why a project's own trigger or key forbids it.
    with suppress(psycopg.Error), connection.transaction():
        connection.execute("set local role supabase_realtime_admin")
        connection.execute("select realtime.maintain_messages((now() at time zone 'utc')::date)")


def platform_files() -> list[str]:
    """Names of the platform's own files, in their order."""
    return [path.name for path in platform_paths()]


def platform_paths() -> list[Path]:
    """The platform's own files, in their order."""
    return sorted(_PLATFORM.glob("*.sql"))


def apply_roles(connection: psycopg.Connection, project: Project, report: Report) -> None:
    """Runs `supabase/roles.sql`, the project's own roles, on a database that has not seen it."""
    path = project.supabase / "roles.sql"
    applied = connection.execute("select from _localbase.platform where name = %s", [_ROLES]).fetchone()
    if not path.is_file() or applied is not None:
        return
    with report.step("roles.sql"), connection.transaction():
        _run_script(connection, path, split(path.read_text(encoding="utf-8")), report)
        connection.execute("insert into _localbase.platform values (%s)", [_ROLES])


def applied_versions(connection: psycopg.Connection) -> list[str]:
    """Versions of the migrations that this database has, oldest first."""
    rows = connection.execute("select version from supabase_migrations.schema_migrations order by version")
    return [row[0] for row in rows]


def apply_migrations(
    connection: psycopg.Connection,
    project: Project,
    report: Report,
    *,
    until: str = "",
    include_all: bool = True,
) -> int:
    """Applies what is new, to the version `until`; returns how many. A failing file leaves nothing and names its line.

    Without `include_all` it refuses files that are older than the database's newest migration.

    Raises `UserError` where the database has migrations that the project does not: new ones would build on others.
    """
    if not project.settings.db.migrations.enabled:
        return 0
    done = set(applied_versions(connection))
    migrations = local_migrations(project)
    fresh = [
        migration
        for migration in migrations
        if migration.version not in done and (not until or migration.version <= until)
    ]
    if not include_all:
        _require_newer(fresh, done)
    missing = sorted(done - {migration.version for migration in migrations})
    if fresh and missing:
        raise UserError(
            f"The database has migrations that {project.supabase / 'migrations'} lacks: {', '.join(missing)}.",
            "Put their files back, or make the database anew, without its present data: `supabase db reset`.",
        )
    changed = _changed(connection, migrations) if fresh else []
    for name in changed:
        report.note(
            f"migration {name} has changed since it was applied; `supabase db reset` applies it afresh"
        )
    try:
        for migration in fresh:
            _apply(connection, migration, report)
    except UserError as error:
        if not changed:
            raise
        raise UserError(
            str(error),
            f"Applied migrations have changed since ({', '.join(changed)}), and this one may build on their new text. "
            "Make the database anew, without its present data: `supabase db reset`.",
        ) from error
    return len(fresh)


def _require_newer(fresh: list[Migration], done: set[str]) -> None:
    newest = max(done, default="")
    if older := [migration.path.name for migration in fresh if migration.version < newest]:
        raise UserError(
            f"Migrations are older than the newest one that the database has ({newest}): {', '.join(older)}.",
            "Give them a later version, or apply them all the same with --include-all.",
        )


def _apply(connection: psycopg.Connection, migration: Migration, report: Report) -> None:
    pieces = list(split(migration.path.read_text(encoding="utf-8")))
    with report.step(f"migration {migration.path.name}"), connection.transaction():
        _run_script(connection, migration.path, pieces, report)
        connection.execute(
            "insert into supabase_migrations.schema_migrations (version, statements, name) values (%s, %s, %s)",
            [migration.version, [piece.sql for piece in pieces], migration.name],
        )


def _changed(connection: psycopg.Connection, migrations: list[Migration]) -> list[str]:
    """The files whose statements are not those that were applied. Other tools may have recorded none."""
    rows = connection.execute(
        "select version, statements from supabase_migrations.schema_migrations"
    ).fetchall()
    applied = {version: statements for version, statements in rows if statements}
    return [
        migration.path.name
        for migration in migrations
        if migration.version in applied
        and applied[migration.version]
        != [piece.sql for piece in split(migration.path.read_text(encoding="utf-8"))]
    ]


def apply_seed(connection: psycopg.Connection, project: Project, report: Report) -> int:
    """Runs every seed file that has not run yet; returns how many. A changed one is recorded, not run again."""
    seed = project.settings.db.seed
    if not seed.enabled:
        return 0
    rows = connection.execute("select path, hash from supabase_migrations.seed_files").fetchall()
    done: dict[str, str] = dict(rows)
    count = 0
    for path in _seed_files(project):
        text = path.read_text(encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()
        key = path.relative_to(project.root).as_posix() if path.is_relative_to(project.root) else str(path)
        if key not in done:
            with report.step(f"seed {path.name}"), connection.transaction():
                _run_script(connection, path, split(text), report)
                connection.execute(
                    "insert into supabase_migrations.seed_files values (%s, %s)", [key, digest]
                )
            count += 1
        elif done[key] != digest:
            report.note(f"seed {path.name} has changed since it ran; `supabase db reset` runs it afresh")
    return count


def apply_files(connection: psycopg.Connection, paths: list[Path], report: Report) -> None:
    """Runs SQL files that are no migrations, each in one transaction."""
    for path in paths:
        with report.step(path.name), connection.transaction():
            _run_script(connection, path, split(path.read_text(encoding="utf-8")), report)


def schema_files(project: Project) -> list[Path]:
    """The files of `[db.migrations] schema_paths`, in its order."""
    return list(dict.fromkeys(_files(project, project.settings.db.migrations.schema_paths)))


def _seed_files(project: Project) -> Iterator[Path]:
    return _files(project, project.settings.db.seed.sql_paths)


def _files(project: Project, patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        full = str(project.supabase / pattern)
        names = sorted(glob.glob(full, recursive=True))  # noqa: PTH207 - the pattern may climb out of supabase/
        for path in (Path(name).resolve() for name in names):
            yield from sorted(path.rglob("*.sql")) if path.is_dir() else [path]


def _run_script(
    connection: psycopg.Connection, path: Path, pieces: Iterator[Piece] | list[Piece], report: Report
) -> None:
    # As a login of `postgres` begins: a dump sets the search path, and more, for its session, which ends with its file.
    import psycopg

    connection.execute("reset all")
    # Of another database than a project's own, the login is the caller's choice.
    platform = connection.info.user == SUPERUSER
    if platform:
        connection.execute(_ROLE_SETTINGS)
        connection.execute("set session authorization postgres")
    try:
        for piece in pieces:
            try:
                if platform and (match := STATEMENT.match(piece.sql)):
                    _run_on_extension(connection, piece, match[2] or match[3].lower(), report)
                else:
                    connection.execute(piece.sql.encode())
            except psycopg.Error as error:
                if error.sqlstate is None and isinstance(error, psycopg.OperationalError):
                    raise  # the connection is gone: that is not the file's fault
                raise _script_error(path, piece, error) from error
    finally:
        if platform and connection.info.transaction_status != psycopg.pq.TransactionStatus.INERROR:
            connection.execute("reset session authorization")


def _run_on_extension(connection: psycopg.Connection, piece: Piece, extension: str, report: Report) -> None:
    available = "select from pg_catalog.pg_available_extensions where name = %s"
    sql = piece.sql
    if connection.execute(available, [extension]).fetchone() is None:
        if note := left_out_note(extension):
            report.note(note)
            return
    elif sql[:6].lower() == "create":
        sql = without_version(sql)
    connection.execute("reset session authorization")
    connection.execute(sql.encode())
    connection.execute("set session authorization postgres")


def _script_error(path: Path, piece: Piece, error: psycopg.Error) -> UserError:
    position = int(error.diag.statement_position or 1)
    line = piece.line + piece.sql.count("\n", 0, position - 1)
    text = piece.sql[:position].rsplit("\n", 1)[-1] + piece.sql[position:].split("\n", 1)[0]
    remedy = _REMEDIES.get(
        error.sqlstate or "", "Mend the file and try again; nothing of it has been applied."
    )
    if error.sqlstate in _NO_EXTENSION and (match := STATEMENT.match(piece.sql)):
        remedy = missing_remedy(match[2] or match[3].lower())
    extra = "".join(f"\n  {part}" for part in (error.diag.message_detail, error.diag.message_hint) if part)
    return UserError(
        f"{path}, line {line}: {error.diag.message_primary or error} ({error.sqlstate})\n  {text.strip()}{extra}",
        remedy,
    )
