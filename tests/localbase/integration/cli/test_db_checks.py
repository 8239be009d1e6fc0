"""`db lint` and `db advisors`: each mistake and weakness is found, and what is right is left alone."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from localbase.postgres.checks.advice import CHECKS, advise
from localbase.postgres.checks.functions import check_functions

from tests.localbase.integration.schema_cluster import run_as_project, schema_cluster

_TABLES = """create table public.notes (id int primary key, body text);
alter table public.notes enable row level security;"""
# Each with the message, the level and the line of its first mistake; None for a function that is right.
_FUNCTIONS: dict[str, tuple[str, tuple[str, str, int] | None]] = {
    "missing table": (
        "create function public.f() returns int language plpgsql as $$\nbegin\n  return (select 1);\nend $$;"
        "create function public.g(n int) returns void language plpgsql as $$\nbegin\n  if n > 1 then\n"
        "    insert into public.missing values (n);\n  end if;\nend $$;",
        ('relation "public.missing" does not exist', "error", 4),
    ),
    "missing column": (
        "create function public.f(n int) returns setof text language plpgsql as $$\n"
        "declare r record; total int;\nbegin\n"
        "  select count(*) into total from public.notes where id = n;\n"
        "  for r in select id, body from public.notes where id > total loop\n"
        "    return query select titel from public.notes where id = r.id;\n  end loop;\nend $$;",
        ('column "titel" does not exist', "error", 6),
    ),
    "sql function": (
        "create function public.f() returns bigint language sql as 'select count(*) from public.missing';",
        ('relation "public.missing" does not exist', "error", 1),
    ),
    "field of new": (
        "create function public.f() returns trigger language plpgsql as $$\nbegin\n  new.titel := 'x';\n  return new;\n"
        "end $$; create trigger t before insert on public.notes for each row execute function public.f();",
        ('record "new" has no field "titel" on table notes', "error", 3),
    ),
    "unused variable": (
        "create function public.f() returns int language plpgsql as $$\ndeclare\n  spare int;\nbegin return 1; end $$;",
        ('unused variable "spare"', "warning", 3),
    ),
    "transition tables, labels and names of the function": (
        """create function public.f() returns trigger language plpgsql as $$
           <<block>> declare total int;
           begin
             select count(*) into block.total from changed where changed.id > block.total;
             create temp table scratch (id int); insert into scratch select id from changed; return null;
           end $$;
           create trigger t after insert on public.notes referencing new table as changed
             for each statement execute function public.f();
           create function public.g(n int) returns bigint language plpgsql as $$
           begin return (select 1); select id from public.notes where id = g.n; end $$;""",
        None,
    ),
    "variables, records and dynamic SQL": (
        """create function public.f(id_ int, inout body text) language plpgsql as $$
           declare found_id int; line public.notes%rowtype; "Odd Name" text := 'it''s; -- no remark';
           begin
             -- select * from nowhere;
             select n.id, n.body into strict found_id, body from public.notes n
               where n.id = id_ and n.body <> "Odd Name";
             for line in select * from public.notes loop perform line.body, found_id; end loop;
             insert into public.notes (id, body) values (id_, body) on conflict (id) do update set body = excluded.body;
             execute 'select * from public.missing';
             create temporary table scratch (id int); drop table scratch;
           exception when unique_violation then raise notice 'select % from nowhere', sqlerrm;
           end $$;""",
        None,
    ),
}
_WEAK = {
    "rls_disabled": "create table public.w (id int primary key);",
    "policy_without_rls": "create table public.w (id int primary key); create policy p on public.w using (true);",
    "rls_without_policy": "",
    "security_definer_view": "create view public.v as select * from public.notes;",
    "auth_users_exposed": "create view public.v with (security_invoker = true) as select email from auth.users;",
    "materialized_view_in_api": "create materialized view public.m as select * from public.notes;",
    "policy_reads_user_metadata": (
        "create policy p on public.notes using ((select auth.jwt()) -> 'user_metadata' is null);"
    ),
    "function_search_path_mutable": "create function public.f() returns int language sql as 'select 1';",
    "security_definer_function_in_api": (
        "create function public.f() returns int language sql security definer set search_path = '' as 'select 1';"
    ),
    "unindexed_foreign_key": (
        "create table public.w (id int primary key, note int references public.notes);"
        "create table public.ok (id int primary key, note int references public.notes);"
        "create index on public.ok (note, id);"
    ),
    "duplicate_index": "create index a on public.notes (body); create index b on public.notes (body);",
    "policy_calls_auth_for_each_row": (
        "create policy p on public.notes using (body = auth.uid()::text);"
        "create policy q on public.notes as restrictive using (body = (select auth.uid())::text);"
    ),
    "multiple_permissive_policies": (
        "create policy p on public.notes for select using (true);"
        "create policy q on public.notes for select using (id > 1);"
    ),
    "no_primary_key": "create table public.w (id int);",
}


@pytest.fixture(scope="module")
def scratch() -> Iterator[psycopg.Connection]:
    with schema_cluster() as cluster, cluster.database() as connection:
        yield connection


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_lint_finds_the_mistake_and_its_line(scratch: psycopg.Connection, name: str) -> None:
    script, mistake = _FUNCTIONS[name]
    with scratch.transaction(force_rollback=True):
        run_as_project(scratch, _TABLES + script)
        issues = [issue for finding in check_functions(scratch) for issue in finding.issues]
        mistakes = [(issue.message, issue.level, issue.line) for issue in issues]
        assert mistakes == ([] if mistake is None else [mistake])


@pytest.mark.parametrize("name", _WEAK)
def test_advisor_finds_the_weakness(scratch: psycopg.Connection, name: str) -> None:
    with scratch.transaction(force_rollback=True):
        run_as_project(scratch, _TABLES + _WEAK[name])
        weaknesses = [each for each in advise(scratch, ["public"]) if each.check.name == name]
        assert len(weaknesses) == 1, weaknesses


def test_advisor_leaves_a_sound_schema_alone(scratch: psycopg.Connection) -> None:
    with scratch.transaction(force_rollback=True):
        run_as_project(
            scratch, _TABLES + "create policy p on public.notes using (body = (select auth.uid())::text);"
        )
        assert advise(scratch, ["public"]) == []


def test_every_check_has_a_test() -> None:
    # A foreign table needs an extension that the embedded Postgres lacks, and so does one in public that is no other's.
    assert {check.name for check in CHECKS} - _WEAK.keys() == {"foreign_table_in_api", "extension_in_public"}
