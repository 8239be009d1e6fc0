"""`migration …`, `db push`, `db pull`, `db query` and the flags of `db reset`, on a project and on another database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tests.localbase.integration.small_project import PORT, SmallProject
from tests.support.project_files import ProjectFiles

_FIRST = "create schema shop; create table shop.things (id int primary key, name text);"
_SECOND = (
    "alter table shop.things add column price int default 1; comment on column shop.things.price is 'cents';"
)
_REMOTE = f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/remote"


FILES = ProjectFiles(migrations={"20260101000000_things.sql": _FIRST, "20260102000000_price.sql": _SECOND})


@pytest.fixture
def remote(project: SmallProject) -> Iterator[psycopg.Connection]:
    """A database without the platform."""
    with project.database("supabase_admin") as connection:
        connection.execute("create database remote owner postgres")
        try:
            with psycopg.connect(_REMOTE, autocommit=True) as other:
                yield other
        finally:
            connection.execute("drop database remote with (force)")


def _json(project: SmallProject, *arguments: str) -> object:
    done = project.run(*arguments, "--output", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def _error(project: SmallProject, *arguments: str) -> str:
    done = project.run(*arguments)
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    return done.stderr


@contextmanager
def _file(project: SmallProject, name: str, text: str) -> Iterator[Path]:
    path = project.root / "supabase" / "migrations" / name
    path.write_text(text)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


def _versions(connection: psycopg.Connection) -> list[str]:
    rows = connection.execute("select version from supabase_migrations.schema_migrations order by 1")
    return [row[0] for row in rows]


def test_push_applies_to_any_postgres_what_is_pending(
    project: SmallProject, remote: psycopg.Connection
) -> None:
    names = ["20260101000000_things.sql", "20260102000000_price.sql"]
    shown = _json(project, "db", "push", "--db-url", _REMOTE, "--dry-run")
    assert shown == {"applied": [], "pending": names}
    assert remote.execute("select to_regclass('shop.things')").fetchone() == (None,)
    pushed = _json(project, "db", "push", "--db-url", _REMOTE, "--include-seed")
    assert pushed == {"applied": names, "pending": []}
    assert remote.execute("select * from shop.things").fetchall() == [(1, "first", 1)]
    assert _json(project, "db", "push", "--db-url", _REMOTE) == {"applied": [], "pending": []}
    listed = _json(project, "migration", "list", "--db-url", _REMOTE)
    assert listed == [
        {"version": "20260101000000", "name": "things", "applied": True},
        {"version": "20260102000000", "name": "price", "applied": True},
    ]


def test_push_of_a_failing_migration_leaves_the_ones_before_it(
    project: SmallProject, remote: psycopg.Connection
) -> None:
    with _file(project, "20260103000000_broken.sql", "create table shop.half (id int);\nselect wrong;"):
        error = _error(project, "db", "push", "--db-url", _REMOTE)
    assert "20260103000000_broken.sql, line 2" in error
    assert _versions(remote) == ["20260101000000", "20260102000000"]
    assert remote.execute("select to_regclass('shop.half')").fetchone() == (None,)


def test_push_refuses_older_migrations_unless_all_are_wanted(
    project: SmallProject, remote: psycopg.Connection
) -> None:
    assert project.run("db", "push", "--db-url", _REMOTE).returncode == 0
    with _file(project, "20250101000000_older.sql", "create table shop.older (id int);"):
        assert "20250101000000_older.sql" in _error(project, "db", "push", "--db-url", _REMOTE)
        assert project.run("db", "push", "--db-url", _REMOTE, "--include-all").returncode == 0
    assert _versions(remote)[0] == "20250101000000"
    assert "repair --status reverted 20250101000000" in _error(project, "db", "push", "--db-url", _REMOTE)


def test_up_refuses_older_migrations_unless_all_are_wanted(project: SmallProject) -> None:
    with _file(project, "20250101000000_older.sql", "create table shop.older (id int);"):
        assert "older than the newest one" in _error(project, "migration", "up")
        assert _json(project, "migration", "up", "--include-all") == {"applied": 1}
    with project.database() as connection:
        connection.execute("drop table shop.older")
    assert _json(project, "migration", "repair", "20250101000000", "--status", "reverted") == {
        "status": "reverted",
        "versions": ["20250101000000"],
    }


def test_repair_changes_the_record_only(project: SmallProject) -> None:
    done = _json(project, "migration", "repair", "20260102000000", "--status", "reverted")
    assert done == {"status": "reverted", "versions": ["20260102000000"]}
    with project.database() as connection:
        assert _versions(connection) == ["20260101000000"]
        assert connection.execute("select price from shop.things").fetchall() == [(1,)]
    assert "does not have migration 7" in _error(project, "migration", "repair", "7", "--status", "reverted")
    assert "no file of migration 7" in _error(project, "migration", "repair", "7", "--status", "applied")
    every = _json(project, "migration", "repair", "--status", "applied")
    assert every == {"status": "applied", "versions": ["20260101000000", "20260102000000"]}


def test_fetch_writes_the_applied_migrations(project: SmallProject) -> None:
    folder = project.root / "supabase" / "migrations"
    texts = {path.name: path.read_text() for path in folder.iterdir()}
    for path in folder.iterdir():
        path.unlink()
    try:
        fetched = _json(project, "migration", "fetch")
        assert fetched == {"written": sorted(texts)}
        assert (folder / "20260102000000_price.sql").read_text() == _SECOND.replace("; ", ";\n\n") + "\n\n"
        assert _json(project, "migration", "fetch") == {"written": []}
        (folder / "20260102000000_price.sql").write_text("select 1;")
        assert "another text" in _error(project, "migration", "fetch")
    finally:
        for name, text in texts.items():
            (folder / name).write_text(text)


def test_fetch_never_leaves_its_folder(project: SmallProject, remote: psycopg.Connection) -> None:
    remote.execute("create schema supabase_migrations")
    remote.execute(
        "create table supabase_migrations.schema_migrations (version text, statements text[], name text)"
    )
    remote.execute("insert into supabase_migrations.schema_migrations values ('../../x', '{select 1}', 'y')")
    assert "no version of a migration" in _error(project, "migration", "fetch", "--db-url", _REMOTE)
    remote.execute("update supabase_migrations.schema_migrations set version = '1', name = '../../x'")
    try:
        assert _json(project, "migration", "fetch", "--db-url", _REMOTE) == {"written": ["1_x.sql"]}
    finally:
        (project.root / "supabase" / "migrations" / "1_x.sql").unlink()


def test_pull_writes_what_the_migrations_lack_and_records_it(project: SmallProject) -> None:
    with project.database() as connection:
        connection.execute("create table shop.more (id int)")
    pulled = _json(project, "db", "pull", "more things")
    assert isinstance(pulled, dict)
    path = Path(pulled["path"])
    version = path.name.partition("_")[0]
    try:
        assert path.name.endswith("_more_things.sql")
        assert path.read_text() == "create table shop.more (\n  id integer\n);\n"
        with project.database() as connection:
            assert _versions(connection)[-1] == version
        assert _json(project, "db", "pull") == {"path": None}
    finally:
        path.unlink()
    assert "migration fetch" in _error(project, "db", "pull")
    with project.database() as connection:
        connection.execute("drop table shop.more")
    assert project.run("migration", "repair", version, "--status", "reverted").returncode == 0


def test_squash_makes_one_migration_that_makes_the_same(project: SmallProject) -> None:
    folder = project.root / "supabase" / "migrations"
    texts = {path.name: path.read_text() for path in folder.iterdir()}
    try:
        squashed = _json(project, "migration", "squash")
        path = folder / "20260102000000_price.sql"
        assert squashed == {"path": str(path), "removed": ["20260101000000_things.sql"]}
        assert "price integer default 1" in path.read_text()
        assert [each.name for each in folder.iterdir()] == [path.name]
        with project.database() as connection:
            assert _versions(connection) == ["20260102000000"]
        diff = project.run("db", "diff")
        assert (diff.returncode, diff.stdout) == (0, ""), diff.stderr
        assert "no two migrations" in _error(project, "migration", "squash")
    finally:
        for name, text in texts.items():
            (folder / name).write_text(text)
        assert project.run("migration", "repair", "--status", "applied").returncode == 0


def test_squash_that_loses_a_role_changes_nothing(project: SmallProject) -> None:
    folder = project.root / "supabase" / "migrations"
    with _file(
        project, "20260103000000_role.sql", "create role clerk; grant select on shop.things to clerk;"
    ):
        error = _error(project, "migration", "squash")
        assert "A role belongs in supabase/roles.sql" in error
        assert len(list(folder.iterdir())) == 3


def test_reset_stops_at_a_version_and_leaves_rows_out(project: SmallProject) -> None:
    assert "There is no migration 7" in _error(project, "db", "reset", "--version", "7")
    assert project.run("db", "reset", "--version", "20260101000000", "--no-seed").returncode == 0
    with project.database() as connection:
        assert _versions(connection) == ["20260101000000"]
        assert connection.execute("select * from shop.things").fetchall() == []
    (project.root / "supabase" / "other.sql").write_text("insert into shop.things values (5, 'other');")
    assert project.run("db", "reset", "--last", "1", "--sql-paths", "./other.sql").returncode == 0
    with project.database() as connection:
        assert connection.execute("select * from shop.things").fetchall() == [(5, "other")]


def test_down_leaves_out_the_last_migrations(project: SmallProject) -> None:
    assert "There are 2 migrations, not 3" in _error(project, "migration", "down", "--last", "3")
    # The seed names a table that no migration makes then.
    (project.root / "supabase" / "seed.sql").rename(project.root / "supabase" / "seed.off")
    try:
        assert project.run("migration", "down", "--last", "2").returncode == 0
        with project.database() as connection:
            assert _versions(connection) == []
    finally:
        (project.root / "supabase" / "seed.off").rename(project.root / "supabase" / "seed.sql")
    assert project.run("db", "reset").returncode == 0


def test_query_prints_rows_as_text_json_and_csv(project: SmallProject) -> None:
    sql = "select 1 as a, null as b, 'x|y' as a"
    assert project.run("db", "query", sql).stdout == "a | b | a_2\n--+---+----\n1 |   | x|y\n"
    assert _json(project, "db", "query", sql) == [{"a": 1, "b": None, "a_2": "x|y"}]
    assert project.run("db", "query", sql, "-o", "csv").stdout == "a,b,a_2\n1,,x|y\n"


def test_query_names_a_file_that_is_not_there(project: SmallProject) -> None:
    assert "missing.sql cannot be read" in _error(project, "db", "query", "-f", "missing.sql")


def test_query_is_the_project_role_and_may_be_read_only(project: SmallProject) -> None:
    assert _json(project, "db", "query", "select session_user::text as me") == [{"me": "postgres"}]
    error = _error(project, "db", "query", "--read-only", "create table shop.no (id int)")
    assert "read-only transaction (25006)" in error
    error = _error(project, "db", "query", "create table shop.no (id int);\nselect wrong")
    assert 'column "wrong" does not exist (42703), line 2' in error
    assert _json(project, "db", "query", "select to_regclass('shop.no') as it") == [{"it": None}]


def test_database_starts_alone_and_the_rest_of_the_stack_later(project: SmallProject) -> None:
    assert project.run("stop").returncode == 0
    done = project.run("db", "start")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"DB URL: postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres\n"
    assert list(project.processes()) == ["postgres"]
    assert "already running" in project.run("db", "start").stderr
    assert project.run("db", "query", "select 1 as one", "-o", "csv").stdout == "one\n1\n"
    assert "psql" in _error(project, "db", "start", "--from-backup", "x.sql")
    project.start()
    assert project.things().status_code == 401
    assert "postgres" in project.processes()
    assert len(project.processes()) > 1
