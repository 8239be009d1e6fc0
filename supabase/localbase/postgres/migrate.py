"""Applies the platform's schemas, then the project's roles, migrations and seed, file by file (`scripts/run.py`).

Migrations run as the role `postgres`, which is no superuser, as on the hosted platform. The one exception is the
hosted platform's own: `create extension` runs with the platform's rights (there, the supautils extension grants them).
Extensions of that platform, which dumps of its schema make, are left out where Postgres lacks them (`extensions.py`).
Applied versions are recorded in `supabase_migrations.schema_migrations`, the official CLI's table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.postgres.cluster import Cluster
from localbase.postgres.history import Applied, as_project, read_history
from localbase.postgres.report import Report
from localbase.postgres.scripts.failure import ScriptError
from localbase.postgres.scripts.files import Migration, local_migrations, seed_files, skipped_files
from localbase.postgres.scripts.run import Script, run_script
from localbase.postgres.scripts.statements import split

if TYPE_CHECKING:
    import psycopg

_PLATFORM = Path(__file__).parent / "platform"
# Part of what `db roles --print` prints.
ROLE_SETTINGS = _PLATFORM / "01_b_role_settings.sql"
SUPERUSERS_FILES = ("01_a_roles.sql", ROLE_SETTINGS.name, "06_privileges.sql")
ROLES = "supabase/roles.sql"
_RECORD = "insert into supabase_migrations.schema_migrations (version, statements, name) values (%s, %s, %s)"
_RECORD_SEED = "insert into supabase_migrations.seed_files values (%s, %s)"


def connect(cluster: Cluster, role: str = "") -> psycopg.Connection:
    """A connection of the platform's own. Raises `UserError` where another project's database answers."""
    # Here, as below: commands that only read the project's files do without this import.
    import psycopg

    connection = psycopg.connect(cluster.near_url(role), autocommit=True)
    require_own(connection, cluster)
    return connection


def require_own(connection: psycopg.Connection, cluster: Cluster) -> None:
    """Closes the connection and raises `UserError` where it leads to another cluster, as one by TCP may."""
    if cluster.external:
        return
    row = connection.execute("select pg_catalog.current_setting('cluster_name')").fetchone()
    if row is not None and row[0] not in ("", cluster.identity):
        connection.close()
        raise UserError(
            f"The database at port {cluster.port} is another project's.",
            "Stop that project, or give this one another port: db.port in supabase/config.toml, or SUPABASE_DB_PORT.",
        )


def bootstrap_platform(connection: psycopg.Connection) -> None:
    """Applies the platform's own files that this database does not have yet, and makes today's partitions.

    No superuser leaves out those that need one: `db roles --print` has what stands in their place.

    A cluster that is a copy has those of the day on which its original was made; a seed may send messages. One of
    another version was brought to this one before (`cli/database/upgrade.py`).
    """
    connection.execute("create schema if not exists _localbase")
    connection.execute("create table if not exists _localbase.platform (name text primary key)")
    done = {row[0] for row in connection.execute("select name from _localbase.platform")}
    is_superuser = connection.info.parameter_status("is_superuser") == "on"
    for path in platform_paths():
        if path.name not in done and (is_superuser or path.name not in SUPERUSERS_FILES):
            with connection.transaction():
                connection.execute(path.read_text(encoding="utf-8").encode())
                connection.execute("insert into _localbase.platform values (%s)", [path.name])
    import psycopg

    # Realtime does it too, now and each hour, and logs why a project's own trigger or key forbids it.
    with suppress(psycopg.Error), connection.transaction():
        connection.execute("set local role supabase_realtime_admin")
        connection.execute("select realtime.maintain_messages((now() at time zone 'utc')::date)")


def platform_paths() -> list[Path]:
    """The platform's own files, in their order."""
    return sorted(_PLATFORM.glob("*.sql"))


def apply_roles(connection: psycopg.Connection, project: Project, report: Report) -> None:
    """Runs `supabase/roles.sql`, the project's own roles, on a database that has not seen it."""
    path = project.supabase / "roles.sql"
    applied = connection.execute("select from _localbase.platform where name = %s", [ROLES]).fetchone()
    if not path.is_file() or applied is not None:
        return
    script = Script(path)
    with report.step("roles.sql"):
        run_script(connection, script, report, lambda: _record_roles(connection))


def _record_roles(connection: psycopg.Connection) -> None:
    connection.execute("reset session authorization")
    connection.execute("insert into _localbase.platform values (%s)", [ROLES])


def apply_migrations(
    connection: psycopg.Connection,
    project: Project,
    report: Report,
    *,
    until: str = "",
    include_all: bool = True,
) -> int:
    """Applies what is new, to the version `until`; returns how many. An error names the line, and what stays applied.

    Without `include_all` it refuses files that are older than the database's newest migration.

    Raises `UserError` where the database has migrations that the project does not: new ones would build on others.
    """
    if not project.settings.db.migrations.enabled:
        return 0
    done = {each.version: each for each in read_history(connection)}
    migrations = local_migrations(project)
    for skipped in skipped_files(project):
        report.note(skipped)
    fresh = [
        migration
        for migration in migrations
        if migration.version not in done and (not until or migration.version <= until)
    ]
    if not include_all:
        _require_newer(fresh, done)
    missing = sorted(done.keys() - {migration.version for migration in migrations})
    if fresh and missing:
        raise UserError(
            f"The database has migrations that {project.supabase / 'migrations'} lacks: {', '.join(missing)}.",
            "Put their files back, or make the database anew, without its present data: `supabase db reset`.",
        )
    changed = _changed(done, migrations) if fresh else []
    for name in changed:
        report.note(
            f"migration {name} has changed since it was applied; `supabase db reset` applies it afresh"
        )
    try:
        for migration in fresh:
            _apply(connection, migration, report)
    except ScriptError as error:
        if not changed:
            raise
        raise UserError(
            str(error),
            f"{error.remedy}\n  → Applied migrations have changed since ({', '.join(changed)}), and this one may "
            "build on their new text. Make the database anew, without its present data: `supabase db reset`.",
        ) from error
    return len(fresh)


def _require_newer(fresh: list[Migration], done: Iterable[str]) -> None:
    newest = max(done, default="")
    if older := [migration.path.name for migration in fresh if migration.version < newest]:
        raise UserError(
            f"Migrations are older than the newest one that the database has ({newest}): {', '.join(older)}.",
            "Give them a later version, or apply them all the same with --include-all.",
        )


def _apply(connection: psycopg.Connection, migration: Migration, report: Report) -> None:
    script = Script(migration.path)
    values = [migration.version, script.statements, migration.name]
    with report.step(f"migration {migration.path.name}"):
        run_script(connection, script, report, lambda: connection.execute(_RECORD, values))


def _changed(done: Mapping[str, Applied], migrations: list[Migration]) -> list[str]:
    """The files whose statements are not those that were applied. Other tools may have recorded none."""
    return [
        migration.path.name
        for migration in migrations
        if migration.version in done
        and (applied := done[migration.version].statements)
        and _cut(applied) != Script(migration.path).statements
    ]


def _cut(statements: Iterable[str]) -> list[str]:
    """Recorded statements as they are recorded here: the official CLI leaves comments before them."""
    return [piece.text for statement in statements for piece in split(statement)]


def apply_seed(connection: psycopg.Connection, project: Project, report: Report) -> int:
    """Runs every seed file that has not run yet; returns how many. A changed one is recorded, not run again."""
    count = 0
    for key, path, digest in _seeds(connection, project):
        if not digest:
            script = Script(path)
            with report.step(f"seed {path.name}"):
                values = [key, _digest(path)]
                run_script(connection, script, report, partial(connection.execute, _RECORD_SEED, values))
            count += 1
        elif digest != _digest(path):
            report.note(f"seed {path.name} has changed since it ran; `supabase db reset` runs it afresh")
    return count


def fresh_seeds(connection: psycopg.Connection, project: Project) -> list[Path]:
    """The seed files that have not run here."""
    return [path for _, path, digest in _seeds(connection, project) if not digest]


def _seeds(connection: psycopg.Connection, project: Project) -> list[tuple[str, Path, str]]:
    """Each seed file, how it is recorded, and the digest of what ran; empty where it has not."""
    if not project.settings.db.seed.enabled:
        return []
    with as_project(connection):
        rows = connection.execute("select path, hash from supabase_migrations.seed_files").fetchall()
    done: dict[str, str] = dict(rows)
    keys = [
        (path.relative_to(project.root).as_posix() if path.is_relative_to(project.root) else str(path), path)
        for path in seed_files(project)
    ]
    return [(key, path, done.get(key, "")) for key, path in keys]


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def apply_files(connection: psycopg.Connection, paths: list[Path], report: Report) -> None:
    """Runs SQL files that are no migrations."""
    for path in paths:
        script = Script(path)
        with report.step(path.name):
            run_script(connection, script, report)
