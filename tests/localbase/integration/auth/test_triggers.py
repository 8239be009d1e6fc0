"""Rights of the project's role on Auth's tables: triggers and policies, as on the hosted platform, and no more."""

from __future__ import annotations

import psycopg
import pytest

from tests.localbase.integration.schema_cluster import run_as_project

TRIGGER = """
create function public.handle_new_user() returns trigger language plpgsql security definer set search_path = '' as $$
begin return new; end $$;
create trigger on_auth_user_created after insert on auth.users
  for each row execute function public.handle_new_user();
"""
REFUSED = (
    "alter table auth.users add column extra text",
    "alter table auth.users disable trigger all",
    "alter table auth.users disable row level security",
    "alter table auth.users owner to postgres",
    "alter table auth.users rename to people",
    "create index on auth.users (phone)",
    "create rule nothing as on insert to auth.users do instead nothing",
    "comment on table auth.users is 'mine'",
    "drop table auth.sessions cascade",
    "drop index auth.users_email_partial_key",
    "drop schema auth cascade",
    "drop function auth.uid() cascade",
    "drop type auth.factor_type cascade",
    "alter schema auth rename to other",
    "drop owned by supabase_auth_admin cascade",
    "create or replace function auth.uid() returns uuid language sql as 'select null::uuid'",
    "alter publication supabase_realtime add table auth.users",
    "set session_replication_role = replica; drop table auth.sessions cascade",
)


def triggers(database: psycopg.Connection) -> list[str]:
    rows = database.execute(
        "select tgname from pg_trigger where tgrelid = 'auth.users'::regclass and not tgisinternal"
    )
    return [row[0] for row in rows]


def test_trigger_on_users_is_made_changed_and_dropped(database: psycopg.Connection) -> None:
    run_as_project(database, TRIGGER)
    run_as_project(database, "alter trigger on_auth_user_created on auth.users rename to handle_sign_up")
    assert triggers(database) == ["handle_sign_up"]
    run_as_project(database, "drop trigger handle_sign_up on auth.users")
    assert triggers(database) == []
    run_as_project(database, TRIGGER.replace("create function", "create or replace function"))
    run_as_project(database, "drop function public.handle_new_user() cascade")
    assert triggers(database) == []


def test_policy_on_users_is_made_changed_and_dropped(database: psycopg.Connection) -> None:
    run_as_project(database, "create policy mine on auth.users for select using (id = auth.uid())")
    run_as_project(database, "alter policy mine on auth.users using (false)")
    run_as_project(database, "drop policy mine on auth.users")
    assert database.execute("select from pg_policies where schemaname = 'auth'").fetchall() == []


@pytest.mark.parametrize("script", REFUSED)
def test_anything_else_needs_the_owner(database: psycopg.Connection, script: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        run_as_project(database, script)


def test_role_of_the_project_does_not_become_the_owner(database: psycopg.Connection) -> None:
    if database.info.server_version < 160000:
        pytest.skip("Postgres 15 has no membership without SET ROLE")
    with pytest.raises(psycopg.errors.InsufficientPrivilege), database.transaction():
        database.execute("set local session authorization postgres")
        database.execute("set local role supabase_auth_admin")


def test_own_objects_of_the_project_in_auth_are_its_own(database: psycopg.Connection) -> None:
    run_as_project(database, "create function auth.company() returns text language sql as 'select null'")
    run_as_project(database, "alter function auth.company() stable")
    run_as_project(database, "drop function auth.company()")


@pytest.mark.parametrize("role", ["anon", "authenticated"])
def test_roles_of_the_api_have_gained_nothing(database: psycopg.Connection, role: str) -> None:
    run_as_project(database, TRIGGER)
    assert database.execute(
        "select pg_has_role(%s, 'supabase_auth_admin', 'member'), pg_has_role(%s, 'postgres', 'member')",
        [role, role],
    ).fetchone() == (False, False)
    granted = database.execute(
        "select table_name, privilege_type from information_schema.role_table_grants"
        " where table_schema = 'auth' and grantee in (%s, 'PUBLIC')",
        [role],
    ).fetchall()
    assert granted == []
    for script in ("drop trigger on_auth_user_created on auth.users", "select from auth.users"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), database.transaction():
            database.execute(f"set local role {role}".encode())
            database.execute(script.encode())
