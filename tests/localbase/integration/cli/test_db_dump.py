"""`supabase db dump`: what it writes is run by the project's role on a new project, which then has the same schema."""

from __future__ import annotations

import json
from pathlib import Path

import psycopg
import pytest
from localbase.cli.terminal import Progress
from localbase.postgres.binaries import find_binaries
from localbase.postgres.migrate import apply_files
from localbase.postgres.schema.difference import difference, to_sql
from localbase.postgres.schema.read import read_model

from tests.localbase.integration.postgres.schema_pairs import PAIRS
from tests.localbase.integration.schema_cluster import SchemaCluster, run_as_project
from tests.localbase.integration.small_project import PORT, SmallProject

# One of each kind; the databases of the pairs are made side by side.
_NOTES = "create table public.notes (id bigint primary key, body text, owner uuid);"
_SCHEMA = "".join(PAIRS[name][1] for name in ("names in quotes", "functions", "rights"))
_SCHEMA += PAIRS["platform's tables"][1].replace(_NOTES, "")
_SCHEMA += """
create view public.bodies with (security_invoker = true) as select body from public.notes;
create materialized view public.counted as select count(*) as n from public.notes;
alter publication supabase_realtime add table public.notes;
revoke all on public.profiles from anon;
alter table public.profiles enable row level security;
create function public.hidden() returns int language sql as 'select 1';
revoke execute on function public.hidden() from public, anon, authenticated;
insert into public.notes values (1, E'line\\n-- no remark\\n;', null), (2, 'it''s', null);
"""


@pytest.fixture(scope="module")
def project(project: SmallProject) -> SmallProject:
    with project.database() as connection:
        connection.execute(_SCHEMA.encode())
    return project


def _migrate(connection: psycopg.Connection, folder: Path, script: str) -> None:
    """As a migration of this text: `create extension` has the platform's rights there."""
    path = folder / "script.sql"
    path.write_text(script)
    apply_files(connection, [path], Progress())


def _dump(project: SmallProject, *arguments: str) -> str:
    done = project.run("db", "dump", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("remarks", [False, True])
def test_dump_of_the_schema_makes_the_same_schema(
    project: SmallProject, cluster: SchemaCluster, tmp_path: Path, *, remarks: bool
) -> None:
    script = _dump(project, *(["--keep-comments"] if remarks else []))
    assert ("\n-- Name: notes" in script) == remarks
    assert "INSERT INTO" not in script
    with cluster.database() as connection, project.database("supabase_admin") as running:
        _migrate(connection, tmp_path, script)
        rest = to_sql(difference(read_model(connection), read_model(running)))
        assert rest == "", script


def test_dump_of_the_rows_is_read_back_by_the_project_role(
    project: SmallProject, cluster: SchemaCluster, tmp_path: Path
) -> None:
    schema, rows = _dump(project), _dump(project, "--data-only", "-x", "shop.things")
    with cluster.database() as connection:
        _migrate(connection, tmp_path, schema)
        _migrate(connection, tmp_path, rows)
        notes = connection.execute("select id, body from public.notes order by id").fetchall()
        assert notes == [(1, "line\n-- no remark\n;"), (2, "it's")]
        assert connection.execute("select count(*) from shop.things").fetchone() == (0,)


def test_dump_of_rows_as_copy_is_read_by_psql(project: SmallProject) -> None:
    script = _dump(project, "--data-only", "--use-copy", "--schema", "public")
    assert 'COPY "public"."notes" ("id", "body", "owner") FROM stdin;' in script
    assert "things" not in script


def test_dump_of_a_schema_has_that_schema_only(project: SmallProject) -> None:
    script = _dump(project, "--schema", "My Schema")
    assert 'CREATE SCHEMA IF NOT EXISTS "My Schema"' in script
    assert "notes" not in script
    assert "storage" not in script


def test_dump_of_the_roles_has_the_projects_own(project: SmallProject, cluster: SchemaCluster) -> None:
    with project.database() as connection:
        connection.execute("create role reporting login password 'hidden'; grant reporting to postgres;")
    try:
        script = _dump(project, "--role-only")
        assert 'CREATE ROLE "reporting";' in script
        assert 'ALTER ROLE "reporting" WITH INHERIT NOCREATEROLE NOCREATEDB LOGIN;' in script
        assert "SUPERUSER" not in script
        assert 'CREATE ROLE "anon"' not in script
        assert "hidden" not in script
        assert "ON PARAMETER" not in script
        with cluster.database() as fresh:
            run_as_project(fresh, script)
            assert fresh.execute("select pg_has_role('postgres', 'reporting', 'member')").fetchone() == (
                True,
            )
    finally:
        with project.database() as connection:
            connection.execute("drop role reporting")


def test_dump_is_written_to_a_file(project: SmallProject) -> None:
    path = project.root / "dumps" / "schema.sql"
    done = project.run("db", "dump", "-f", str(path), "--output", "json")
    assert (done.returncode, json.loads(done.stdout)) == (0, {"path": str(path)}), done.stderr
    assert 'CREATE TABLE "public"."notes"' in path.read_text()


def test_dry_run_shows_a_command_without_the_password(project: SmallProject) -> None:
    text = _dump(project, "--dry-run", "--data-only")
    assert "pg_dump --quote-all-identifiers" in text
    assert "postgres:postgres" not in text


def test_password_is_in_no_argument_of_a_program(project: SmallProject, tmp_path: Path) -> None:
    real = find_binaries({}).folder
    (tmp_path / "postgres").symlink_to(real / "postgres")
    seen = tmp_path / "arguments"
    script = tmp_path / "pg_dump"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {seen}\nexec {real}/pg_dump "$@"\n')
    script.chmod(0o755)
    address = (
        f"postgresql://supabase_admin:postgres@127.0.0.1:{PORT + 1}/postgres?application_name=top-secret"
    )
    done = project.run("db", "dump", "--data-only", "--db-url", address, PG_BIN=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "--data-only" in seen.read_text().splitlines()
    assert "postgres:postgres" not in seen.read_text()
    assert "top-secret" not in seen.read_text()


def test_dump_refuses_flags_without_rows(project: SmallProject) -> None:
    done = project.run("db", "dump", "--use-copy")
    assert (done.returncode, done.stdout) == (1, "")
    assert "--use-copy and --exclude are for rows." in done.stderr
