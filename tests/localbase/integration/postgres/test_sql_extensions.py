"""Extensions in SQL that localbase brings: pgTAP, vault, pgmq, pgjwt; and what is said of those that are not there."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from joserfc import jwt
from joserfc.jwk import OctKey

from tests.localbase.integration.background.project import NOTES, background_project
from tests.localbase.integration.postgres.pgtap_cases import PASSING, SCHEMA
from tests.localbase.integration.small_project import SmallProject, value


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    with background_project(tmp_path_factory.mktemp("extensions")) as made:
        done = made.run("start")
        assert done.returncode == 0, done.stderr
        (made.root / "notes.txt").write_text(done.stderr)
        yield made


@pytest.fixture
def database(project: SmallProject) -> Iterator[psycopg.Connection]:
    """In a transaction that is undone."""
    with project.undone() as connection:
        yield connection


def test_pgtap_passes_what_holds(database: psycopg.Connection) -> None:
    database.execute(SCHEMA.encode())
    try:
        database.execute("select no_plan()")
        failed = [
            line for call in PASSING if not (line := value(database, f"select {call}")).startswith("ok ")
        ]
        assert failed == []
        assert value(database, "select * from finish()") == f"1..{len(PASSING)}"
    finally:
        database.execute("deallocate numbers")


def test_pgtap_says_what_does_not_hold(database: psycopg.Connection) -> None:
    database.execute("select plan(2)")
    wrong = value(database, "select is(1, 2, 'd')")
    assert wrong == 'not ok 1 - d\n# Failed test 1: "d"\n#         have: 1\n#         want: 2'
    assert value(database, "select pass()") == "ok 2"
    assert value(database, "select * from finish()") == "# Looks like you failed 1 test of 2"


def test_pgtap_tests_policies_as_another_role(database: psycopg.Connection) -> None:
    database.execute(SCHEMA.encode())
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
    assert re.search(
        r"apt-get install postgresql-(\d+)-postgis-3\n +PG_BIN=/usr/lib/postgresql/\1/bin ", done.stderr
    )
    (project.root / "supabase/migrations/20260101000009_postgis.sql").unlink()


# Of a hosted project's dump, behind the rows of the platform's own tables.
DUMPED_SEQUENCES = (
    '"pgsodium"."key_key_id_seq"', '"auth"."refresh_tokens_id_seq"', '"supabase_functions"."hooks_id_seq"',
)  # fmt: skip


def test_statements_on_a_platforms_extension_that_no_statement_uses_are_left_out(
    project: SmallProject,
) -> None:
    names = ["pg_hashids", "pg_tle", "pg_stat_monitor", "plpgsql_check", "pgroonga", "index_advisor"]
    project.migration(
        "20260101000010_dump.sql",
        "".join(
            f"create extension if not exists {name} with schema extensions; comment on extension {name} is 'x';"
            f"alter extension {name} update; drop extension if exists {name};"
            for name in names
        )
        + "".join(f"select pg_catalog.setval('{name}', 1, false);" for name in DUMPED_SEQUENCES),
    )
    done = project.run("migration", "up")
    assert done.returncode == 0, done.stderr
    names.append("pgsodium")
    assert [name for name in names if f"left out: extension {name}, which" not in done.stderr] == []


def test_use_of_an_extension_that_was_left_out_names_it(project: SmallProject) -> None:
    path = "20260101000011_use.sql"
    project.migration(
        path, "create extension hypopg; select * from hypopg_create_index('create index on shop.things');"
    )
    done = project.run("migration", "up")
    assert done.returncode == 1
    assert "This Postgres does not have hypopg" in done.stderr
    (project.root / "supabase/migrations" / path).unlink()
