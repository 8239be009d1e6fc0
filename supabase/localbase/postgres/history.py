"""`supabase_migrations.schema_migrations`: which migrations a database has, changed without running them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from localbase.postgres.cluster import SUPERUSER
from localbase.postgres.scripts.files import Migration
from localbase.postgres.scripts.run import Script

if TYPE_CHECKING:
    import psycopg

# As the official CLI makes it; a database of the platform has it already.
_TABLES = """
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (
  version text primary key, statements text[], name text);
create table if not exists supabase_migrations.seed_files (path text primary key, hash text not null)
"""


@dataclass(frozen=True, slots=True)
class Applied:
    """A migration as the database has recorded it. Other tools may have recorded no statements."""

    version: str
    name: str
    statements: tuple[str, ...]


@contextmanager
def as_project(connection: psycopg.Connection) -> Iterator[None]:
    """The project owns these tables: their triggers and views run as its role, on the platform's connection too."""
    import psycopg

    is_platform = connection.info.parameter_status("session_authorization") == SUPERUSER
    if is_platform:
        connection.execute("set session authorization postgres")
    try:
        yield
    finally:
        # A transaction that has failed takes the change back.
        if is_platform and connection.info.transaction_status != psycopg.pq.TransactionStatus.INERROR:
            connection.execute("reset session authorization")


def make_history(connection: psycopg.Connection) -> None:
    """Makes the tables where a database has none."""
    if not has_history(connection):
        connection.execute(_TABLES)


def has_history(connection: psycopg.Connection) -> bool:
    """Tell whether any tool has recorded migrations here."""
    row = connection.execute(
        "select to_regclass('supabase_migrations.schema_migrations') is not null"
    ).fetchone()
    return row is not None and bool(row[0])


def read_history(connection: psycopg.Connection) -> list[Applied]:
    """All of them, oldest first; none where there is no table."""
    if not has_history(connection):
        return []
    query = "select version, coalesce(name, ''), statements from supabase_migrations.schema_migrations order by version"
    with as_project(connection):
        rows = connection.execute(query).fetchall()
    return [Applied(version, name, tuple(statements or ())) for version, name, statements in rows]


def has_seed(connection: psycopg.Connection) -> bool:
    """Tell whether a seed file has run here."""
    with as_project(connection):
        return connection.execute("select from supabase_migrations.seed_files limit 1").fetchone() is not None


def record(connection: psycopg.Connection, migration: Migration) -> None:
    """Has the database say that it has the migration, as its file is now."""
    with as_project(connection):
        connection.execute(
            "insert into supabase_migrations.schema_migrations (version, statements, name) values (%s, %s, %s) "
            "on conflict (version) do update set statements = excluded.statements, name = excluded.name",
            [migration.version, Script(migration.path).statements, migration.name],
        )


def forget(connection: psycopg.Connection, versions: list[str]) -> int:
    """Has the database say that it does not have them; returns how many it had."""
    delete = "delete from supabase_migrations.schema_migrations where version = any (%s)"
    with as_project(connection):
        return connection.execute(delete, [versions]).rowcount
