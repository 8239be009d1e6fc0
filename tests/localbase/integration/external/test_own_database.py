"""`[db] external_url`: a project that is served from a Postgres of the owner's own, and what is refused there."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest
from localbase.core.errors import UserError
from localbase.postgres.external import require_fit, wait_for_turn

from tests.localbase.integration.external.conftest import (
    PASSWORD,
    PORTS,
    VARIABLE,
    OwnProject,
    OwnServer,
)
from tests.support.processes import free_port
from tests.support.random_cases import few


@pytest.fixture(scope="module")
def name(own_server: OwnServer) -> str:
    """What a command that throws data away wants typed."""
    return f"127.0.0.1:{own_server.cluster.port}/shop"


def test_project_is_served_from_the_owners_postgres_alone(running: OwnProject) -> None:
    assert "postgres" not in running.processes()
    assert not (running.root / "supabase/.localbase/external/postgres").exists()
    signed_up = running.call(
        "POST", "/auth/v1/admin/users", json={"email": "a@shop.example", "password": "long-enough-1"}
    )
    assert signed_up.status_code == 200
    (note,) = running.call("GET", "/rest/v1/notes?select=text,owner").json()
    assert note == {"text": "Welcome", "owner": signed_up.json()["id"]}
    assert running.call("POST", "/storage/v1/bucket", json={"name": "pictures"}).status_code == 200
    assert running.call("POST", "/storage/v1/object/pictures/a.txt", content=b"hi").status_code == 200
    message = {"topic": "notes", "event": "new", "payload": {}}
    assert running.call("POST", "/realtime/v1/api/broadcast", json={"messages": [message]}).status_code == 202
    everything = running.call("PATCH", "/rest/v1/notes", json={"text": "all"})
    assert (everything.status_code, everything.json()["code"]) == (400, "21000")
    # The API's knowledge of the schema follows a change, by the event triggers of the printed file.
    with psycopg.connect(running.address, autocommit=True) as connection:
        connection.execute("alter table public.notes add column if not exists colour text default 'red'")
    while running.call("GET", "/rest/v1/notes?select=colour").json() != [{"colour": "red"}]:
        continue


def test_nothing_runs_as_a_superuser_and_no_service_may_make_roles(
    running: OwnProject, own_server: OwnServer
) -> None:
    assert running.call("GET", "/rest/v1/notes").status_code == 200
    rows = own_server.run(
        "select usename, rolsuper, rolcreaterole from pg_stat_activity join pg_roles on rolname = usename"
        " where datname = 'shop' and pid <> pg_backend_pid()"
    )
    assert {role for role, *_ in rows} >= {"authenticator", "postgres"}
    # From Postgres 16 on the project's own role may make roles, which are not the services'.
    assert [row for row in rows if row[1] or (row[2] and row[0] != "postgres")] == []


def test_password_is_in_no_log_and_no_output(running: OwnProject) -> None:
    shown = running.run("status")
    values = running.run("status", "-o", "env")
    assert f"postgresql://postgres@127.0.0.1:{running.address.rpartition(':')[2]}" in shown.stdout
    failed = running.run("db", "query", "select 1/0").stderr
    for text in (
        running.written(),
        shown.stdout,
        values.stdout,
        failed,
        *map(str, running.run("logs").stdout),
    ):
        assert PASSWORD not in text
        assert PASSWORD.replace("@", "%40").replace("/", "%2F").replace(":", "%3A") not in text


# An ordinary run takes the first.
_COMMANDS = (
    ("db", "query", "select 1"),
    ("db", "dump"),
    ("migration", "up"),
    ("gen", "types"),
    ("inspect", "db", "role-stats"),
    ("db", "diff"),
    ("db", "dump", "--role-only"),
    ("db", "lint"),
    ("db", "push", "--dry-run"),
    ("inspect", "db", "db-stats"),
    ("migration", "list"),
    ("snapshot", "list"),
    ("services",),
)


@pytest.mark.parametrize("arguments", few(_COMMANDS, 5))
def test_commands_work_on_the_owners_database(running: OwnProject, arguments: tuple[str, ...]) -> None:
    done = running.run(*arguments)
    assert done.returncode == 0, done.stderr
    if arguments == ("db", "diff"):
        # The test above has added a column, if it has run.
        assert "drop" not in done.stdout
    assert PASSWORD not in done.stdout + done.stderr


def test_commands_on_a_databases_files_are_refused(running: OwnProject, name: str) -> None:
    own = "a server of your own"
    assert own in running.refused("snapshot", "save", "monday")
    assert own in running.refused("snapshot", "load", "monday")
    assert own in running.refused("db", "start")
    for command in (("db", "reset"), ("migration", "down"), ("stop", "--no-backup")):
        assert f"--database {name}" in running.refused(*command)
        assert f"--database {name}" in running.refused(*command, "--database", "shop", "--yes")
    assert running.call("GET", "/rest/v1/notes").status_code == 200


def test_typed_name_throws_the_data_away(running: OwnProject, own_server: OwnServer, name: str) -> None:
    with psycopg.connect(running.address, autocommit=True) as connection:
        connection.execute("create schema if not exists extra")
        connection.execute("insert into public.notes (text) values ('old')")
    assert running.run("db", "reset", "--database", name).returncode == 0
    assert running.call("GET", "/rest/v1/notes").json() == []
    assert own_server.run("select to_regnamespace('extra')", "shop") == [(None,)]
    assert running.run("stop", "--no-backup", "--database", name).returncode == 0
    assert own_server.run("select to_regnamespace('auth'), to_regnamespace('_localbase')", "shop") == [
        (None, None)
    ]
    assert "migration 20260101000000_notes.sql" in running.start()


def test_seed_runs_by_itself_only_in_a_new_database(running: OwnProject, name: str) -> None:
    seed = running.root / "supabase" / "seed.sql"
    try:
        seed.write_text("insert into public.notes (text) values ('sample')")
        running.stop()
        assert "seed.sql did not run; `supabase db push --include-seed` runs it" in running.start()
        assert running.call("GET", "/rest/v1/notes?text=eq.sample").json() == []
        assert running.run("db", "push", "--include-seed", "--yes").returncode == 0
        assert len(running.call("GET", "/rest/v1/notes?text=eq.sample").json()) == 1
        assert running.run("db", "reset", "--database", name).returncode == 0
        assert len(running.call("GET", "/rest/v1/notes?text=eq.sample").json()) == 1
    finally:
        seed.unlink()


def test_databases_that_cannot_be_used_are_refused_in_a_sentence(
    own_project: OwnProject, own_server: OwnServer, tmp_path: Path
) -> None:
    own_server.run("create database strange")
    own_server.run("alter database strange owner to postgres; ")
    own_server.run(
        "create schema extensions; create schema auth; create table auth.users (id int)", "strange"
    )
    own_server.run("create database bare")

    def refused(address: str) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return OwnProject(folder, address, PORTS[1]).refused("start")

    assert "has a schema auth that localbase did not make" in refused(own_server.address("strange"))
    assert "does not belong to the role postgres yet" in refused(own_server.address("bare"))
    assert "db roles --print" in refused(own_server.address("bare"))
    wrong = refused(own_server.address("shop", password="a-password-of-another"))
    assert "does not let postgres in" in wrong
    assert "db roles --print" in wrong
    assert "a-password-of-another" not in wrong
    nobody = f"postgresql://postgres:{'x' * 20}@127.0.0.1:{free_port()}/shop"
    assert "cannot be reached" in refused(nobody)
    own_server.run("drop extension pg_stat_statements", "shop")
    assert "lacks the extensions pg_stat_statements" in refused(own_server.address("shop"))
    own_server.run("create extension pg_stat_statements with schema extensions", "shop")
    assert "owner=" not in own_project.refused("start", **{VARIABLE: ""})


def test_platform_of_another_version_is_refused(own_project: OwnProject, own_server: OwnServer) -> None:
    own_project.start()
    own_project.stop()
    (note,) = own_server.run("select name from _localbase.platform where name like 'version %'", "shop")
    own_server.run(
        "update _localbase.platform set name = 'version 9.9.9 x' where name like 'version %'", "shop"
    )
    try:
        assert "localbase 9.9.9 made the platform of this database" in own_project.refused("start")
    finally:
        own_server.run(
            f"update _localbase.platform set name = '{note[0]}' where name like 'version %'", "shop"
        )


def test_command_that_prepares_the_database_is_waited_for(
    own_project: OwnProject, own_server: OwnServer
) -> None:
    with psycopg.connect(own_server.address("shop"), autocommit=True) as connection:
        wait_for_turn(connection, lambda: None)
        child = own_project.begin("start")
        assert child.stderr is not None
        for line in child.stderr:
            if "waiting for another command" in line:
                break
        assert child.poll() is None
    out, errors = child.communicate()
    assert child.returncode == 0, out + errors
    own_project.stop()


def test_older_postgres_is_refused_before_any_query() -> None:
    class OldServer:
        class info:  # noqa: N801 - as psycopg names it
            server_version = 140012

    with pytest.raises(UserError, match="is Postgres 14; localbase needs 15 or later"):
        require_fit(OldServer(), "postgresql://host/shop", [], realtime=True)  # type: ignore[arg-type]


def test_only_the_file_names_a_database(tmp_path: Path, own_server: OwnServer) -> None:
    project = OwnProject(tmp_path / "a", own_server.address("shop"), PORTS[1])
    assert f"names the variable {VARIABLE}, which is not set" in project.refused("start", **{VARIABLE: ""})
    plain = OwnProject(tmp_path / "b", "", PORTS[1])
    config = plain.root / "supabase" / "config.toml"
    config.write_text(config.read_text().replace(f'external_url = "env({VARIABLE})"', ""))
    environ = {
        "SUPABASE_DB_URL": own_server.address("shop"),
        "SUPABASE_DB_EXTERNAL_URL": own_server.address("shop"),
    }
    try:
        started = plain.run("start", **environ)
        assert started.returncode == 0, started.stderr
        assert "SUPABASE_DB_URL is a deployed database's address and is not used here" in started.stderr
        assert "postgres" in plain.processes()
    finally:
        plain.run("stop", "--no-backup")
