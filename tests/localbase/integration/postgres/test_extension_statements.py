"""Statements on extensions in a project's files: several at once, moved, brought to another version."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from localbase.core.errors import UserError
from localbase.postgres.migrate import apply_files

from tests.localbase.integration.schema_cluster import SchemaCluster


class Notes(list[str]):
    """A report's lines."""

    def step(self, _: str) -> contextlib.AbstractContextManager[None]:
        """Takes no time."""
        return contextlib.nullcontext()

    def note(self, text: str) -> None:
        """Kept."""
        self.append(text)


@pytest.fixture
def database(cluster: SchemaCluster) -> Iterator[psycopg.Connection]:
    with cluster.database() as connection:
        yield connection


@pytest.fixture
def migrate(database: psycopg.Connection, tmp_path: Path) -> Callable[[str], Notes]:
    def run(script: str) -> Notes:
        notes, file = Notes(), tmp_path / "script.sql"
        file.write_text(script)
        apply_files(database, [file], notes)
        return notes

    return run


def value(database: psycopg.Connection, call: str) -> Any:
    row = database.execute(f"select {call}".encode()).fetchone()
    assert row is not None
    return row[0]


def installed(database: psycopg.Connection) -> set[str]:
    return {row[0] for row in database.execute("select extname from pg_extension").fetchall()}


@pytest.mark.parametrize(
    "names", ["hypopg, http", "http, hypopg", 'if exists "http", pg_tle ,hypopg cascade']
)
def test_drop_of_several_drops_those_that_are_there(
    database: psycopg.Connection, migrate: Callable[[str], Notes], names: str
) -> None:
    notes = migrate(f"create extension http with schema extensions; drop extension {names};")
    assert "http" not in installed(database)
    assert any("left out: extension hypopg" in note for note in notes)


def test_drop_of_what_the_platform_does_not_have_is_the_files_error(migrate: Callable[[str], Notes]) -> None:
    with pytest.raises(UserError, match='extension "of_nobody" does not exist'):
        migrate("drop extension of_nobody cascade;")
    assert migrate("drop extension if exists of_nobody;") == []


@pytest.mark.parametrize("schema", ["elsewhere", '"El.se wh\\ere"'])
def test_extension_that_upstream_can_move_is_moved(
    database: psycopg.Connection, migrate: Callable[[str], Notes], schema: str
) -> None:
    """And again, from a name that is quoted; what uses it goes on."""
    migrate("create extension pgjwt with schema extensions; create extension pgtap with schema extensions")
    table = "create table public.things (id uuid default extensions.uuid_generate_v4(), t text)"
    migrate(table)
    before = value(database, "extensions.sign('{\"sub\": \"1\"}', 'secret')")
    for target in (schema, "extensions", schema):
        migrate(f"create schema if not exists {target}")
        for name in ("pgcrypto", '"uuid-ossp"', "pgtap"):
            migrate(f"alter extension {name} set schema {target}")
    database.execute("set search_path = ''")
    assert value(database, "extensions.sign('{\"sub\": \"1\"}', 'secret')") == before
    assert value(database, f"{schema}.crypt('a', {schema}.gen_salt('bf', 4)) like '$2a$04$%'") is True
    assert value(database, f"{schema}.uuid_generate_v5({schema}.uuid_ns_dns(), 'a') is not null") is True
    assert value(database, f"{schema}.uuid_generate_v1() is not null") is True
    database.execute("insert into public.things (t) values ('a')")
    database.execute(f"set search_path = {schema}; select plan(1)".encode())
    assert value(database, "has_table('public', 'things', 'd')") == "ok 1 - d"


@pytest.mark.parametrize("name", ["http", "pg_jsonschema", "pgmq", "supabase_vault"])
def test_extension_that_upstream_cannot_move_stays(
    database: psycopg.Connection, migrate: Callable[[str], Notes], name: str
) -> None:
    migrate(f"create extension if not exists {name}; create schema elsewhere;")
    with pytest.raises(UserError, match="does not support SET SCHEMA"):
        migrate(f"alter extension {name} set schema elsewhere")


def test_update_to_the_hosted_version_is_one_to_ours(
    database: psycopg.Connection, migrate: Callable[[str], Notes]
) -> None:
    migrate("""alter extension "pg_net" update to '0.19.5'; alter extension pgcrypto update;""")
    assert value(database, "extversion from pg_extension where extname = 'pg_net'") == "0.14"


def test_functions_of_an_extension_stay_its_own(migrate: Callable[[str], Notes]) -> None:
    """Else another one could be put in the place of what runs with more rights."""
    with pytest.raises(UserError, match="must be owner of function"):
        migrate("alter extension pg_net drop function net._enqueue(text, text, jsonb, bytea, integer)")
