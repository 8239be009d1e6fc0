"""`supabase_migrations.schema_migrations`: which migrations a database has, changed without running them."""

from __future__ import annotations

from dataclasses import dataclass

import psycopg

from localbase.postgres.migrate import Migration
from localbase.postgres.statements import split

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


def make_history(connection: psycopg.Connection) -> None:
    """Makes the tables where a database has none."""
    if not has_history(connection):
        connection.execute(_TABLES)


def has_history(connection: psycopg.Connection) -> bool:
    """Whether any tool has recorded migrations here."""
    row = connection.execute(
        "select to_regclass('supabase_migrations.schema_migrations') is not null"
    ).fetchone()
    return row is not None and bool(row[0])


def read_history(connection: psycopg.Connection) -> list[Applied]:
    """All of them, oldest first; none where there is no table."""
    if not has_history(connection):
        return []
    rows = connection.execute(
        "select version, coalesce(name, ''), statements from supabase_migrations.schema_migrations order by version"
    )
    return [Applied(version, name, tuple(statements or ())) for version, name, statements in rows]


def record(connection: psycopg.Connection, migration: Migration) -> None:
    """Has the database say that it has the migration, as its file is now."""
    text = migration.path.read_text(encoding="utf-8")
    connection.execute(
        "insert into supabase_migrations.schema_migrations (version, statements, name) values (%s, %s, %s) "
        "on conflict (version) do update set statements = excluded.statements, name = excluded.name",
        [migration.version, [piece.sql for piece in split(text)], migration.name],
    )


def forget(connection: psycopg.Connection, versions: list[str]) -> int:
    """Has the database say that it does not have them; returns how many it had."""
    done = connection.execute(
        "delete from supabase_migrations.schema_migrations where version = any (%s)", [versions]
    )
    return done.rowcount
