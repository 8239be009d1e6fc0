"""A project's event triggers run with its own rights, for any session's events: none makes a role a superuser."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from localbase.core.errors import UserError
from localbase.postgres.migrate import apply_files

from tests.localbase.integration.postgres.test_platform_allowlist import Silent
from tests.localbase.integration.small_project import until

# As whom it runs is written down; a superuser would make one of the project's role.
BODY = """
  insert into public.seen values (current_user);
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter role postgres superuser;
  end if;
"""
FUNCTION = f"""
create table public.seen (who text);
grant all on public.seen to public;
create or replace function public.watch() returns event_trigger language plpgsql as $$ begin {BODY} end $$;
create event trigger watching on ddl_command_end execute function public.watch();
"""
REPLACED = f"create or replace function public.watch() returns event_trigger language plpgsql as $$ begin {BODY} end $$"


def migrate(database: psycopg.Connection, folder: Path, script: str) -> None:
    path = folder / "script.sql"
    path.write_text(script)
    apply_files(database, [path], Silent())


@contextmanager
def project_role(database: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """A connection of the project's own."""
    with psycopg.connect(
        database.info.dsn, user="postgres", password="postgres", autocommit=True
    ) as connection:
        yield connection


@pytest.mark.parametrize(
    "statements",
    [
        (),
        (REPLACED,),
        ("alter function public.watch() security invoker",),
        ("alter routine public.watch() security invoker",),
        ("set session_replication_role = replica", REPLACED),
        ('alter event trigger watching rename to U&"\\0001\\0001\\0001"', REPLACED),
        ('alter event trigger watching rename to " "', "alter function public.watch() security invoker"),
        ("alter event trigger watching disable", REPLACED, "alter event trigger watching enable always"),
        (f"create function public.other() returns event_trigger language plpgsql as $$ begin {BODY} end $$",
         "alter function public.watch() rename to former", "alter function public.other() rename to watch"),
        # Its function makes an extension, whose script runs with the platform's rights, as soon as it is replaced.
        (REPLACED.replace("begin", "begin if not exists (select from pg_extension where extname = 'hstore') then"
                          " create extension hstore with schema public; end if;", 1),),
    ],
)  # fmt: skip
def test_event_trigger_runs_as_the_projects_role(
    database: psycopg.Connection, tmp_path: Path, statements: tuple[str, ...]
) -> None:
    migrate(database, tmp_path, FUNCTION)
    with project_role(database) as project:
        for statement in statements:
            project.execute(statement.encode())
        project.execute("create table public.own (id int)")
        project.execute("create extension if not exists citext")
    database.execute("create table _localbase.platforms_own (id int)")
    assert database.execute("select distinct who from public.seen").fetchall() == [("postgres",)]
    assert database.execute("select rolsuper from pg_roles where rolname = 'postgres'").fetchone() == (False,)


@pytest.mark.parametrize("event", ["ddl_command_start", "sql_drop", "ddl_command_end"])
def test_no_code_of_the_project_runs_while_its_role_makes_a_publication(
    database: psycopg.Connection, tmp_path: Path, event: str
) -> None:
    # By name before the platform's trigger at one end, after it at the other: these are the first and the last names.
    names = ("\x01\x01\x01", "\U0010ffff" * 15 + "\ufffe")
    body = "insert into public.seen select rolname, rolsuper from pg_roles where rolname = current_user;"
    migrate(
        database,
        tmp_path,
        "create table public.seen (who text, strong boolean);"
        " create function public.watch() returns event_trigger language plpgsql as $$ begin "
        + body
        + " end $$;"
        + "".join(
            f'create event trigger "{name}" on {event} execute function public.watch();' for name in names
        ),
    )
    with project_role(database) as project:
        project.execute("create publication everything for all tables")
        project.execute("alter publication supabase_realtime add tables in schema public")
        project.execute("alter publication supabase_realtime drop tables in schema public")
        project.execute("alter publication supabase_realtime add table public.seen")
        project.execute("alter publication supabase_realtime drop table public.seen")
    rows = database.execute("select who, strong, count(*) from public.seen group by 1, 2").fetchall()
    assert [row[:2] for row in rows] == [("postgres", False)]
    assert rows[0][2] >= 4


STRONG = "select rolsuper from pg_roles where rolname = 'postgres'"


LITERALS = {
    "row": ("create type public.pair as (one public.checked)", "('(1)'::public.pair) is not null"),
    "array": ("select", "('{1}'::public.checked[]) is not null"),
    "range": (
        "create type public.span as range (subtype = public.checked)",
        "('[1,2)'::public.span) is not null",
    ),
}


@pytest.mark.parametrize("check", ["public.watch(value)", "value operator(public.=#) 1"])
@pytest.mark.parametrize("literal", LITERALS)
def test_domains_of_the_project_are_not_checked_while_its_role_makes_a_publication(
    database: psycopg.Connection, literal: str, check: str
) -> None:
    made, condition = LITERALS[literal]
    with project_role(database) as project:
        project.execute("create table public.rows (id int primary key)")
        project.execute(
            "create function public.watch(int) returns boolean language plpgsql as $$ begin"
            " if (select rolsuper from pg_roles where rolname = current_user) then raise 'too strong'; end if;"
            " return true; end $$"
        )
        project.execute(
            "create function public.equal(int, int) returns boolean language sql as 'select public.watch($1)'"
        )
        project.execute("create operator public.=# (leftarg = int, rightarg = int, function = public.equal)")
        project.execute(f"create domain public.checked as int check ({check})".encode())
        project.execute(made.encode())
        with pytest.raises(psycopg.errors.FeatureNotSupported, match="WHERE expression"):
            project.execute(f"create publication p for table public.rows where ({condition})".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="superuser"):
            project.execute("create publication everything for all tables")


def test_failed_publication_leaves_no_rights(database: psycopg.Connection) -> None:
    failing = "create publication p for table public.absent"
    with project_role(database) as project:
        with pytest.raises(psycopg.errors.UndefinedTable):
            project.execute(failing)
        assert project.execute(STRONG).fetchone() == (False,)
        with project.transaction():
            caught = f"do $$ begin {failing}; exception when undefined_table then null; end $$"
            project.execute(caught.encode())
            assert project.execute(STRONG).fetchone() == (False,)
            with pytest.raises(psycopg.errors.InsufficientPrivilege), project.transaction():
                project.execute("alter role postgres superuser")


def test_publications_at_once_wait_for_each_other(database: psycopg.Connection) -> None:
    waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted"
    with ThreadPoolExecutor(1) as thread, project_role(database) as second, project_role(database) as first:
        first.execute("begin; create publication one for all tables")
        other = thread.submit(second.execute, "create publication two for all tables")
        assert until(lambda: database.execute(waiting).fetchone() == (1,))
        # Nobody else sees the first one's rights.
        assert database.execute(STRONG).fetchone() == (False,)
        first.execute("create publication three for all tables; commit")
        other.result()
    names = database.execute("select pubname from pg_publication where puballtables order by 1").fetchall()
    assert names == [("one",), ("three",), ("two",)]


@pytest.mark.parametrize("role", ["anon", "service_role"])
def test_publication_of_all_tables_is_the_projects_roles_alone(
    database: psycopg.Connection, role: str
) -> None:
    database.execute(f"grant create on database {database.info.dbname} to {role}".encode())
    with project_role(database) as project:
        project.execute(f"set role {role}".encode())
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="superuser"):
            project.execute("create publication everything for all tables")


def test_event_trigger_of_a_superusers_function_is_refused(
    database: psycopg.Connection, tmp_path: Path
) -> None:
    database.execute(
        "create function public.strong() returns event_trigger language plpgsql as 'begin perform 1; end'"
    )
    script = "create event trigger strong on ddl_command_end execute function public.strong()"
    with pytest.raises(UserError, match="Non-superuser owned event trigger must execute a non-superuser"):
        migrate(database, tmp_path, script)
    count = "select count(*) from pg_event_trigger where evtname = 'strong'"
    assert database.execute(count).fetchone() == (0,)


@pytest.mark.parametrize("role", ["anon", "service_role"])
def test_only_the_projects_role_has_statements_performed(
    database: psycopg.Connection, tmp_path: Path, role: str
) -> None:
    with pytest.raises(UserError, match="permission denied for database"):
        migrate(database, tmp_path, f"set role {role}; create publication everything for all tables")


def test_superuser_only_extension_keeps_its_rule(database: psycopg.Connection) -> None:
    with project_role(database) as project:
        project.execute("create extension dblink with schema extensions")
        project.execute("create extension postgres_fdw with schema extensions")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            project.execute("select extensions.dblink_connect_u('dbname=postgres')")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            project.execute("grant execute on function extensions.dblink_connect_u(text) to postgres")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            project.execute("select _localbase.allowlist('extensions')")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            project.execute("alter extension dblink drop function extensions.dblink_connect_u(text)")
