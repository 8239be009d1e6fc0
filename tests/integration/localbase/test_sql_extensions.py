"""Extensions in SQL of our own: pgTAP, vault, pgmq, pgjwt, http; and what is said of those that are not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.integration.localbase.background_project import prepare
from tests.integration.localbase.small_project import SmallProject


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path_factory.mktemp("extensions"))
    prepare(made)
    made.start()
    yield made
    made.run("stop")


@pytest.fixture
def database(project: SmallProject) -> Iterator[psycopg.Connection]:
    """In a transaction that is undone."""
    with project.database() as connection, connection.transaction(force_rollback=True):
        yield connection


def value(database: psycopg.Connection, statement: str, *values: object) -> Any:
    row = database.execute(statement.encode(), values or None).fetchone()
    assert row is not None
    return row[0]


_SCHEMA = """
create type public.mood as enum ('sad', 'happy');
create table public.users (
  id uuid primary key, name text not null default 'x', mood public.mood, age int check (age > 0)
);
create table public.posts (id int primary key, author uuid references public.users (id), title varchar(20) unique);
alter table public.posts enable row level security;
create policy "Read" on public.posts for select to anon, authenticated using (true);
create function public.touch() returns trigger language plpgsql security definer as 'begin return new; end';
create trigger touched before update on public.posts for each row execute function public.touch();
create index posts_author on public.posts (author);
prepare numbers as select 1 union select 2 order by 1;
"""


@pytest.mark.parametrize(
    "call",
    [
        "ok(true, 'd')",
        "pass('d')",
        "is(1, 1, 'd')",
        "is(null::text, null, 'd')",
        "isnt(1, 2, 'd')",
        "cmp_ok(1, '<', 2, 'd')",
        "isa_ok(1, 'integer')",
        "matches('abc'::text, 'b', 'd')",
        "imatches('ABC'::text, 'b')",
        "doesnt_match('abc'::text, 'x')",
        "alike('abc'::text, 'a%')",
        "unalike('abc'::text, 'b%')",
        "ialike('ABC'::text, 'a%')",
        "lives_ok('select 1', 'd')",
        "lives_ok('numbers')",
        "throws_ok('select 1/0')",
        "throws_ok('select 1/0', '22012')",
        "throws_ok('select 1/0', 22012)",
        "throws_ok('select 1/0', 'division by zero')",
        "throws_ok('select 1/0', '22012', 'division by zero', 'd')",
        "throws_ok('select 1/0', '22012', 'division by zero')",
        "throws_like('select 1/0', 'division%')",
        "throws_matching('select 1/0', 'by zero')",
        "performs_ok('select 1', 5000)",
        "results_eq('numbers', 'values (1), (2)')",
        "results_eq('numbers', array[1, 2])",
        "results_ne('numbers', array[2, 1])",
        "results_eq($$select 1, 'a'::text$$, $$values (1, 'a'::text)$$)",
        "set_eq('numbers', array[2, 1, 1])",
        "set_ne('numbers', array[3])",
        "set_has('numbers', 'select 2')",
        "set_hasnt('numbers', 'select 3')",
        "bag_eq('numbers', array[2, 1])",
        "bag_ne('numbers', array[1, 2, 2])",
        "bag_has('numbers', 'select 1')",
        "bag_hasnt('numbers', 'select 4')",
        "is_empty('select 1 where false')",
        "isnt_empty('numbers')",
        "row_eq('select 1, 2', row(1, 2))",
        "has_table('users')",
        "has_table('public', 'users', 'd')",
        "has_table('public'::name, 'users'::name)",
        "hasnt_table('nowhere')",
        "has_schema('public')",
        "has_role('anon')",
        "has_extension('pgtap')",
        "has_type('mood')",
        "has_enum('mood')",
        "enum_has_labels('mood', array['sad', 'happy'])",
        "has_column('users', 'name')",
        "has_column('public', 'users', 'name', 'd')",
        "hasnt_column('users', 'nothing')",
        "col_not_null('users', 'name')",
        "col_is_null('users', 'mood')",
        "col_has_default('users', 'name')",
        "col_default_is('users', 'name', 'x')",
        "col_type_is('users', 'age', 'integer')",
        "col_type_is('users', 'age', 'int')",
        "col_type_is('public', 'posts', 'title', 'character varying(20)', 'd')",
        "has_pk('users')",
        "col_is_pk('users', 'id')",
        "col_is_unique('posts', 'title')",
        "has_fk('posts')",
        "col_is_fk('posts', 'author')",
        "has_check('users')",
        "col_has_check('users', 'age')",
        "fk_ok('posts', 'author', 'users', 'id')",
        "fk_ok('public', 'posts', 'author', 'public', 'users', 'id')",
        "has_index('posts', 'posts_author')",
        "has_trigger('posts', 'touched')",
        "has_function('touch')",
        "has_function('public', 'touch', '{}'::name[])",
        "hasnt_function('nothing')",
        "function_returns('touch', 'trigger')",
        "is_definer('public', 'touch')",
        "function_lang_is('public', 'touch', 'plpgsql')",
        "volatility_is('public', 'touch', 'volatile')",
        "columns_are('posts', array['id', 'author', 'title'])",
        "tables_are('shop', array['things'])",
        "policies_are('public', 'posts', array['Read'])",
        "policy_cmd_is('public', 'posts', 'Read', 'select')",
        "policy_roles_are('public', 'posts', 'Read', array['anon', 'authenticated'])",
        "table_privs_are('shop', 'things', 'anon', array['SELECT'])",
        "schema_privs_are('shop', 'anon', array['USAGE'])",
        "table_owner_is('public', 'users', 'postgres')",
        "is_member_of('anon', 'authenticator')",
        "isnt_superuser('postgres')",
        "triggers_are('posts', array['touched'])",
        "functions_are('shop', '{}')",
    ],
)
def test_pgtap_passes_what_holds(database: psycopg.Connection, call: str) -> None:
    database.execute(_SCHEMA.encode())
    try:
        database.execute("select plan(1)")
        assert value(database, f"select {call}").startswith("ok 1"), value(database, f"select {call}")
        assert database.execute("select * from finish()").fetchall() == []
    finally:
        database.execute("deallocate numbers")


@pytest.mark.parametrize(
    ("call", "details"),
    [
        ("is(1, 2, 'd')", "#         have: 1\n#         want: 2"),
        ("isnt(1, 1, 'd')", "#         have: 1\n#         want: anything else"),
        ("ok(null, 'd')", "#     (test result was NULL)"),
        ("lives_ok('select 1/0', 'd')", "#     died: 22012: division by zero"),
        ("throws_ok('select 1', '22012', null, 'd')", "#       caught: no exception\n#       wanted: 22012"),
        (
            "results_eq('values (1), (2)', array[1, 3], 'd')",
            "#     Results differ beginning at row 2:\n#         have: (2)\n#         want: (3)",
        ),
        (
            "set_eq('values (1), (2)', array[1, 3], 'd')",
            "#     Extra records:\n#         (2)\n#     Missing records:\n#         (3)",
        ),
        ("is_empty('select 7', 'd')", "#     Unexpected records:\n#         (7)"),
        (
            "columns_are('shop', 'things', array['id', 'title'], 'd')",
            "#     Extra:\n#         name\n#     Missing:\n#         title",
        ),
    ],
)
def test_pgtap_says_what_does_not_hold(database: psycopg.Connection, call: str, details: str) -> None:
    assert value(database, "select plan(2)") == "1..2"
    assert value(database, f"select {call}") == f'not ok 1 - d\n# Failed test 1: "d"\n{details}'
    assert value(database, "select pass()") == "ok 2"
    assert value(database, "select * from finish()") == "# Looks like you failed 1 test of 2"


def test_pgtap_tests_policies_as_another_role(database: psycopg.Connection) -> None:
    database.execute(_SCHEMA.encode())
    database.execute("deallocate numbers")
    database.execute(
        "insert into public.posts values (1); alter table public.posts enable row level security"
    )
    database.execute("select no_plan(); set local role anon")
    assert value(database, "select results_eq('select id from public.posts', array[1])") == "ok 1"
    denied = "select throws_ok('insert into public.posts values (2)', '42501')"
    assert value(database, denied) == "ok 2 - threw 42501"
    database.execute("select todo('later', 1)")
    assert value(database, "select ok(false, 'd')").startswith("not ok 3 - d # TODO later")
    assert value(database, "select skip('no reason', 1)") == "ok 4 # SKIP no reason"
    assert value(database, "select * from finish()") == "1..4"
