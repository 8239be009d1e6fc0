"""Extensions in SQL of our own: pgTAP, vault, pgmq, pgjwt, http; and what is said of those that are not there."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from tests.integration.localbase.background_project import NOTES, prepare
from tests.integration.localbase.small_project import SmallProject


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path_factory.mktemp("extensions"))
    prepare(made)
    done = made.run("start")
    assert done.returncode == 0, done.stderr
    (made.root / "notes.txt").write_text(done.stderr)
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


def test_command_runs_tests_that_are_written_with_pgtap(project: SmallProject) -> None:
    tests = project.root / "supabase" / "tests"
    tests.mkdir()
    (tests / "things_test.sql").write_text(
        "begin;\nselect plan(3);\nselect has_table('shop', 'things', 'things are there');\nset local role anon;\n"
        "select results_eq('select id from shop.things', array[1], 'all see things');\n"
        "select throws_ok('delete from shop.things', '42501', null, 'none may delete them');\n"
        "select * from finish();\nrollback;\n"
    )
    done = project.run("test", "db")
    assert (done.returncode, "Result: PASS" in done.stdout) == (0, True), done.stdout + done.stderr
    assert "Tests=3" in done.stdout


def test_vault_shows_a_secret_and_stores_none(project: SmallProject, database: psycopg.Connection) -> None:
    text = "päss\U0001f511 " * 40
    first = value(database, "select vault.create_secret(%s, 'key', 'for tests')", text)
    second = value(database, "select vault.create_secret(%s)", text)
    row = database.execute(
        "select name, description, decrypted_secret, secret from vault.decrypted_secrets where id = %s",
        [first],
    ).fetchone()
    assert row is not None
    assert row[:3] == ("key", "for tests", text)
    stored = "select secret from vault.secrets where id = %s"
    assert value(database, stored, first) == row[3] != value(database, stored, second)
    assert "pä" not in base64.b64decode(row[3]).decode("utf-8", errors="replace")
    database.execute("select vault.update_secret(%s, 'other', new_name => 'renamed')", [first])
    shown = "select name || ' ' || decrypted_secret from vault.decrypted_secrets where id = %s"
    assert value(database, shown, first) == "renamed other"
    assert value(database, "select vault.create_secret('')") is not None
    key = project.data / "localbase" / "vault.key"
    assert (len(key.read_bytes()), key.stat().st_mode & 0o777) == (32, 0o600)


def test_secret_that_was_changed_or_moved_is_rejected(project: SmallProject) -> None:
    with project.database("supabase_admin") as database, database.transaction(force_rollback=True):
        first = value(database, "select vault.create_secret('one')")
        second = value(database, "select vault.create_secret('two')")
        shown = "select decrypted_secret from vault.decrypted_secrets where id = %s"
        assert value(database, shown, first) == "one"
        database.execute(
            "update vault.secrets s set secret = o.secret, nonce = o.nonce from vault.secrets o"
            " where s.id = %s and o.id = %s",
            [first, second],
        )
        with pytest.raises(psycopg.errors.RaiseException, match="cannot be decrypted"):
            database.execute(shown.encode(), [first])


@pytest.mark.parametrize("role", ["anon", "authenticated"])
@pytest.mark.parametrize(
    "statement",
    [
        "select * from vault.secrets",
        "select * from vault.decrypted_secrets",
        "select vault.create_secret('x')",
        "select vault._decrypt('', gen_random_uuid(), '')",
        "select vault._key('cipher')",
        "select pgmq.create('theirs')",
        "select * from pgmq.meta",
    ],
)
def test_clients_reach_neither_vault_nor_queues(
    database: psycopg.Connection, role: str, statement: str
) -> None:
    database.execute(f"set local role {role}".encode())
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        database.execute(statement.encode())


@pytest.mark.parametrize(
    "statement", ["select vault._key('cipher')", "select pg_read_file('localbase/vault.key')"]
)
def test_project_cannot_read_the_vaults_key(database: psycopg.Connection, statement: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        database.execute(statement.encode())


def messages(database: psycopg.Connection, statement: str) -> list[tuple[int, int, Any]]:
    rows = database.execute(f"select msg_id, read_ct, message from {statement}".encode()).fetchall()
    return [(row[0], row[1], row[2]) for row in rows]


def test_queue_gives_a_message_to_one_reader_at_a_time(project: SmallProject) -> None:
    with project.database() as database, project.database() as other:
        database.execute("select pgmq.create('Tasks')")
        try:
            assert value(database, "select * from pgmq.send('Tasks', '{\"n\": 1}', '{\"h\": 1}'::jsonb)") == 1
            sent = "select * from pgmq.send_batch('Tasks', array['{\"n\": 2}', '{\"n\": 3}']::jsonb[])"
            assert database.execute(sent.encode()).fetchall() == [(2,), (3,)]
            assert value(database, "select * from pgmq.send('Tasks', '{\"late\": true}', 60)") == 4
            with database.transaction():
                first = messages(database, "pgmq.read('Tasks', 60, 1)")
                second = messages(other, "pgmq.read('Tasks', 60, 5)")
            assert (first, second) == ([(1, 1, {"n": 1})], [(2, 1, {"n": 2}), (3, 1, {"n": 3})])
            assert messages(database, "pgmq.read('Tasks', 60, 5)") == []
            assert messages(database, "pgmq.set_vt('Tasks', 2, 0)") == [(2, 1, {"n": 2})]
            assert messages(database, "pgmq.read('Tasks', 0, 5)") == [(2, 2, {"n": 2})]
            assert value(database, "select pgmq.delete('Tasks', 2)") is True
            assert value(database, "select pgmq.delete('Tasks', 2)") is False
            assert value(database, "select pgmq.archive('Tasks', 3)") is True
            assert value(database, "select message ->> 'n' from pgmq.a_tasks") == "3"
            metrics = "select queue_length, queue_visible_length, total_messages from pgmq.metrics('Tasks')"
            assert database.execute(metrics.encode()).fetchone() == (2, 0, 4)
            assert value(database, "select pgmq.purge_queue('Tasks')") == 2
            assert value(database, "select queue_name from pgmq.list_queues()") == "Tasks"
        finally:
            assert value(database, "select pgmq.drop_queue('Tasks')") is True
        assert value(database, "select pgmq.drop_queue('Tasks')") is False


def test_queue_is_polled_popped_and_filtered(database: psycopg.Connection) -> None:
    database.execute("select pgmq.create('polled'), pgmq.create_unlogged('fast')")
    assert messages(database, "pgmq.read_with_poll('polled', 10, 1, 1, 50)") == []
    database.execute("select pgmq.send('polled', '{\"a\": 1}'), pgmq.send('polled', '{\"a\": 2}')")
    assert messages(database, "pgmq.read_with_poll('polled', 0, 1, 1, 50, '{\"a\": 2}')") == [
        (2, 1, {"a": 2})
    ]
    assert messages(database, "pgmq.pop('polled')") == [(1, 0, {"a": 1})]
    names = database.execute("select queue_name, is_unlogged from pgmq.list_queues() order by 1").fetchall()
    assert names == [("fast", True), ("polled", False)]
    with pytest.raises(psycopg.errors.RaiseException, match="invalid characters"):
        database.execute("select pgmq.create('a; drop table x')")


def test_tokens_are_signed_and_verified(database: psycopg.Connection) -> None:
    token = value(database, "select extensions.sign('{\"sub\": \"1\"}', 'a secret of tests')")
    key = OctKey.import_key("a secret of tests")
    assert jwt.decode(token, key).claims == {"sub": "1"}
    assert jwt.decode(token, key).header == {"alg": "HS256", "typ": "JWT"}
    verify = "select valid from extensions.verify(%s, %s, %s)"
    assert value(database, verify, token, "a secret of tests", "HS256") is True
    assert value(database, verify, token, "other", "HS256") is False
    assert value(database, verify, token, "a secret of tests", "HS512") is False
    late = value(database, "select extensions.sign('{\"exp\": 1}', 'secret', 'HS384')")
    assert value(database, verify, late, "secret", "HS384") is False


def test_first_migration_of_a_hosted_project_runs(
    project: SmallProject, database: psycopg.Connection
) -> None:
    installed = {row[0] for row in database.execute("select extname from pg_extension").fetchall()}
    assert {
        "pg_cron",
        "pg_net",
        "pgtap",
        "pgmq",
        "supabase_vault",
        "pgjwt",
        "pg_stat_statements",
    } <= installed
    shown = (project.root / "notes.txt").read_text()
    assert [note for note in NOTES if f"left out: {note}" not in shown] == []


def test_project_creates_extensions_in_a_session_of_its_own(database: psycopg.Connection) -> None:
    database.execute("drop schema if exists elsewhere cascade; create schema elsewhere")
    database.execute("create extension if not exists pgtap with schema elsewhere")
    with pytest.raises(psycopg.errors.FeatureNotSupported):
        database.execute("create extension pg_graphql")


def test_extension_that_is_not_there_says_how_to_get_it(project: SmallProject) -> None:
    """At the end of the file: the migration stays."""
    project.migration("20260101000009_postgis.sql", "create extension postgis with schema extensions;")
    done = project.run("migration", "up")
    assert done.returncode == 1
    assert 'extension "postgis" is not available' in done.stderr
    assert "Install it with a system Postgres (Debian: postgresql-17-postgis-3)" in done.stderr
    assert "PG_BIN=/usr/lib/postgresql/17/bin" in done.stderr
