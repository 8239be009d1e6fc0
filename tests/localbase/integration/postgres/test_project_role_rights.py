"""The project's role owns a database, its schemas and its extensions: none of that makes it a superuser."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from localbase.background.requests import IS_INSTALLED
from localbase.postgres import history
from localbase.postgres.cluster import EXTENSIONS
from localbase.postgres.scripts.files import Migration

from tests.localbase.integration.postgres.test_event_trigger_rights import BODY, STRONG, migrate, project_role

# It writes down as whom it runs, and makes a superuser of the project's role if it may.
TAKING = "create table public.seen (who text); grant all on public.seen to public;"
HOOK = (
    "create trigger hook after insert on public.source for each row"
    " execute function supabase_functions.http_request('http://127.0.0.1:1', 'POST', '{}', '{}', '1000')"
)


def function(signature: str, returns: str, result: str) -> str:
    body = f"begin {BODY} return {result}; end"
    return f"create function {signature} returns {returns} language plpgsql as $$ {body} $$"


def is_strong(database: psycopg.Connection) -> bool:
    row = database.execute(STRONG).fetchone()
    assert row is not None
    return bool(row[0])


def run(project: psycopg.Connection, *statements: str) -> None:
    for statement in statements:
        project.execute(statement.encode())


def test_platforms_functions_are_in_no_schema_of_the_projects(database: psycopg.Connection) -> None:
    """A schema's owner drops and replaces what is in it. What stays only makes the Data API hear of changes."""
    rows = database.execute(
        """
        select p.oid::regprocedure::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where pg_has_role('postgres', n.nspowner, 'usage') and n.nspname !~ '^pg_'
          and (p.prorettype = 'event_trigger'::regtype or p.prosecdef)
          and pg_get_userbyid(p.proowner) = 'supabase_admin'
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        order by 1
        """
    ).fetchall()
    assert [row[0] for row in rows] == ["extensions.pgrst_ddl_watch()", "extensions.pgrst_drop_watch()"]


def test_no_function_runs_as_a_superuser_and_reads_what_the_project_can_replace(
    database: psycopg.Connection,
) -> None:
    """Those of extensions call only their own, which the project cannot drop one by one."""
    rows = database.execute(
        """
        select p.oid::regprocedure::text from pg_proc p
        where p.prosecdef and pg_get_userbyid(p.proowner) = 'supabase_admin'
          and p.pronamespace <> '_localbase'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        """
    ).fetchall()
    assert rows == []


@pytest.mark.parametrize(
    "statements",
    [
        (function("public.take()", "trigger", "new"),
         "create trigger taking before insert on supabase_functions.hooks for each row execute function public.take()"),
        ("drop extension pg_net", "create schema net",
         "grant usage on schema net to public",
         function("net.http_post(url text, body jsonb, params jsonb, headers jsonb, timeout_milliseconds integer)",
                  "bigint", "1")),
    ],
)  # fmt: skip
def test_webhook_runs_nothing_with_the_platforms_rights(
    database: psycopg.Connection, statements: tuple[str, ...]
) -> None:
    with project_role(database) as project:
        run(project, TAKING, "create table public.source (id int)", *statements, HOOK)
        run(project, "insert into public.source values (1)")
    assert database.execute("select distinct who from public.seen").fetchall() == [
        ("supabase_functions_admin",)
    ]
    assert not is_strong(database)


@pytest.mark.parametrize("schema", ["pg_catalog", "extensions", "vault"])
def test_extension_gives_away_no_function_but_its_own(database: psycopg.Connection, schema: str) -> None:
    granted = """
        select p.oid::regprocedure::text from pg_proc p where has_function_privilege('postgres', p.oid, 'execute')
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1
    """
    before = database.execute(granted).fetchall()
    with project_role(database) as project:
        run(project, f"create extension amcheck with schema {schema}")
        project.execute(f"select {schema}.bt_index_check('pg_class_oid_index')".encode())
    assert database.execute(granted).fetchall() == before


@pytest.mark.parametrize("extension", sorted(path.stem for path in EXTENSIONS.glob("*.control")))
def test_extensions_script_calls_nothing_of_the_schema_that_it_is_made_in(
    database: psycopg.Connection, extension: str
) -> None:
    planted = (
        ("format(text, text)", "text", "null"),
        ("format(text, text, text)", "text", "null"),
        ("split_part(text, text, integer)", "text", "null"),
        ("concat_ws(text, text, text)", "text", "null"),
        ("replace(text, text, text)", "text", "null"),
        ("coalesced(text, text)", "boolean", "true"),
    )
    with project_role(database) as project:
        run(
            project,
            TAKING,
            "create schema own",
            f'drop extension if exists "{extension}" cascade',
        )
        for signature, returns, result in planted:
            run(project, function(f"own.{signature}", returns, result))
        run(
            project,
            "create operator own.= (leftarg = name, rightarg = text, function = pg_catalog.nameeqtext)",
            "create operator own.|| (leftarg = text, rightarg = text, function = pg_catalog.textcat)",
            "create operator own.= (leftarg = text, rightarg = text, function = own.coalesced)",
        )
        try:
            run(project, f'create extension "{extension}" with schema own')
        except psycopg.Error as error:
            # A text of the planted functions is no statement, and an extension may have a schema of its own.
            assert error.sqlstate in {"0A000", "22004", "42601", "42P13", "3F000"}, error
    assert not is_strong(database)


@pytest.mark.parametrize(
    "name", ["watching", "WATCHING", "\u00c9v", "\u0130", '"\u00c9""v"', "a" * 70, "\u212a"]
)
def test_event_trigger_of_any_name_runs_as_its_owner(
    database: psycopg.Connection, tmp_path: Path, name: str
) -> None:
    script = f"create event trigger {name} on ddl_command_start execute function public.watch();"
    made = function("public.watch()", "event_trigger", "").replace("return ;", "")
    migrate(database, tmp_path, f"{TAKING} {made}; {script}")
    database.execute("create table _localbase.platforms_own (id int)")
    assert database.execute("select distinct who from public.seen").fetchall() == [("postgres",)]
    assert not is_strong(database)


def test_history_of_migrations_is_written_and_read_as_the_project(
    database: psycopg.Connection, tmp_path: Path
) -> None:
    path = tmp_path / "1_first.sql"
    path.write_text("select 1")
    with project_role(database) as project:
        run(
            project,
            TAKING,
            function("public.take()", "trigger", "coalesce(new, old)"),
            "create trigger taking before insert or delete on supabase_migrations.schema_migrations"
            " for each row execute function public.take()",
        )
        history.record(database, Migration("1", "first", path))
        assert history.forget(database, ["1"]) == 1
        run(
            project,
            function("public.look()", "text[]", "'{}'"),
            "alter table supabase_migrations.schema_migrations rename to kept",
            "create view supabase_migrations.schema_migrations as"
            " select '2' as version, '' as name, public.look() as statements",
        )
        assert [each.version for each in history.read_history(database)] == ["2"]
    assert database.execute("select distinct who from public.seen").fetchall() == [("postgres",)]
    assert not is_strong(database)
    assert database.execute("select session_user::text").fetchone() == ("supabase_admin",)


@pytest.mark.parametrize("path", ["own, pg_catalog", "own"])
def test_databases_search_path_leads_the_platform_to_no_function_of_the_projects(
    database: psycopg.Connection, path: str
) -> None:
    name = database.info.dbname
    with project_role(database) as project:
        run(
            project,
            TAKING,
            "create schema own",
            function("own.to_regprocedure(text)", "regprocedure", "null"),
            f"alter database {name} set search_path = {path}",
        )
    with psycopg.connect(database.info.dsn, password="postgres") as fresh:
        assert fresh.execute("select to_regprocedure('pg_catalog.now()') is not null").fetchone() == (True,)
    assert not is_strong(database)


@pytest.mark.parametrize(
    ("name", "extension", "planted"),
    [
        ("net._localbase_take(integer)", "pg_net", function("net._localbase_take(integer)", "integer", "1")),
        (
            "cron._matches(text,timestamptz)",
            "pg_cron",
            function("cron._matches(text, timestamptz)", "boolean", "true"),
        ),
    ],
)
def test_background_works_for_extensions_alone(
    database: psycopg.Connection, name: str, extension: str, planted: str
) -> None:
    with project_role(database) as project:
        run(project, f"create extension if not exists {extension}")
        assert database.execute(IS_INSTALLED, [name]).fetchone() == (True,)
        schema = planted.split()[2].split(".")[0]
        run(project, f"drop extension {extension}", f"create schema {schema}", TAKING, planted)
    assert database.execute(IS_INSTALLED, [name]).fetchone() == (False,)


def test_any_role_may_change_what_it_owns(database: psycopg.Connection) -> None:
    with project_role(database) as project:
        run(project, "create role plain", "grant plain to postgres", "create schema own authorization plain")
        run(project, "set role plain", "create table own.rows (id int)", "drop table own.rows", "reset role")
    database.execute("drop schema own; drop role plain")
