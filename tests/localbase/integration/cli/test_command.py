"""The `supabase` command: other projects' folders, errors that say what to do, and stacks that mend themselves."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from localbase.cli.stack.stack import report
from localbase.core.project import open_project
from localbase.postgres.binaries import find_binaries

from tests.localbase.integration.small_project import PORT, SmallProject, until
from tests.support.stacks import SUPABASE, clean_environ


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    with SmallProject(tmp_path / "a folder with spaces") as made:
        yield made


def test_another_project_runs_with_its_own_schema_and_seed(project: SmallProject) -> None:
    assert f"http://127.0.0.1:{PORT}" in project.start()
    assert project.things().json() == [{"id": 1, "name": "first"}]
    again = project.run("start")
    assert (again.returncode, "other is already running." in again.stderr) == (0, True)
    stopped = project.run("stop")
    assert "its data is kept" in stopped.stderr
    project.start()
    assert project.things().json() == [{"id": 1, "name": "first"}]


def test_status_has_the_official_names(project: SmallProject) -> None:
    shown = project.run("status", "-o", "env")
    assert shown.returncode == 1
    assert "is not running" in shown.stderr
    names = {line.partition("=")[0] for line in shown.stdout.splitlines()}
    assert names >= {
        "API_URL",
        "DB_URL",
        "ANON_KEY",
        "SERVICE_ROLE_KEY",
        "PUBLISHABLE_KEY",
        "SECRET_KEY",
        "JWT_SECRET",
        "MAILPIT_URL",
        "SITE_URL",
        "STORAGE_S3_URL",
        "S3_PROTOCOL_ACCESS_KEY_ID",
        "S3_PROTOCOL_ACCESS_KEY_SECRET",
        "S3_PROTOCOL_REGION",
    }
    assert f'API_URL="http://127.0.0.1:{PORT}"' in shown.stdout


def test_migrations_run_as_a_role_that_is_no_superuser(project: SmallProject) -> None:
    project.migration("20260102000000_who.sql", "create table shop.who as select current_user::text as name;")
    project.start()
    with psycopg.connect(f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres") as connection:
        assert connection.execute("select name from shop.who").fetchone() == ("postgres",)
        assert connection.execute("show is_superuser").fetchone() == ("off",)


def test_dump_of_a_hosted_project_runs_as_a_migration(project: SmallProject) -> None:
    project.migration(
        "20250101000000_remote_schema.sql",
        """
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS "pg_graphql" WITH SCHEMA "graphql";
COMMENT ON EXTENSION "pg_graphql" IS 'of the platform';
CREATE EXTENSION IF NOT EXISTS "pgcrypto" WITH SCHEMA "extensions";
CREATE EXTENSION IF NOT EXISTS supabase_vault WITH SCHEMA vault;
CREATE TABLE "public"."dumped" ("id" uuid REFERENCES "auth"."users" ("id"), "at" timestamptz DEFAULT "now"());
ALTER PUBLICATION "supabase_realtime" OWNER TO "postgres";
ALTER PUBLICATION "supabase_realtime" ADD TABLE ONLY "public"."dumped";
GRANT ALL ON TABLE "public"."dumped" TO "anon";
GRANT SELECT ON TABLE "public"."dumped" TO "keeper";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON TABLES TO "service_role";
""",
    )
    # What the dump sets for its session does not reach the next file: extensions are found without their schema.
    project.migration(
        "20250102000000_more.sql",
        "begin; create table found (id uuid default uuid_generate_v4(), secret text); commit;"
        "insert into public.found (secret) values (crypt('x', gen_salt('bf', 4)));",
    )
    (project.root / "supabase" / "roles.sql").write_text("create role keeper; grant keeper to authenticator;")
    project.start()
    shown = project.run("db", "reset")
    assert shown.returncode == 0, shown.stderr
    assert "left out: extension pg_graphql, which this Postgres does not have" in shown.stderr
    assert "pgcrypto" not in shown.stderr
    with psycopg.connect(f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres") as connection:
        member = connection.execute("select pg_has_role('authenticator', 'keeper', 'member')").fetchone()
        reader = connection.execute("select has_table_privilege('keeper', 'dumped', 'select')").fetchone()
        assert (member, reader) == ((True,), (True,))
    assert project.run("stop").returncode == 0
    project.start()


def test_migrations_can_be_switched_off(project: SmallProject) -> None:
    config = project.root / "supabase" / "config.toml"
    config.write_text(config.read_text() + "[db.migrations]\nenabled = false\n[db.seed]\nenabled = false\n")
    project.start()
    assert "20260101000000  pending" in project.run("migration", "list").stdout


def test_failing_migration_is_named_with_its_line_and_leaves_nothing(project: SmallProject) -> None:
    project.migration("20260102000000_bad.sql", "create table shop.half (id int);\n\nselect\n  nonsense;\n")
    failed = project.run("start")
    assert failed.returncode == 1
    assert "20260102000000_bad.sql, line 4" in failed.stderr
    assert 'column "nonsense" does not exist' in failed.stderr
    assert "Traceback" not in failed.stderr
    project.migration("20260102000000_bad.sql", "create table shop.half (id int);")
    project.start()


def test_pending_migrations_are_listed_and_applied_to_the_running_stack(project: SmallProject) -> None:
    project.start()
    project.migration("20260103000000_more.sql", "insert into shop.things values (2, 'second');")
    assert "20260103000000  pending" in project.run("migration", "list").stdout
    assert "1 applied." in project.run("migration", "up").stderr
    assert "20260103000000  applied" in project.run("migration", "list").stdout
    assert [row["id"] for row in project.things().json()] == [1, 2]


def test_reset_recreates_the_database(project: SmallProject) -> None:
    project.start()
    with psycopg.connect(f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1}/postgres") as connection:
        connection.execute("delete from shop.things")
    assert project.run("db", "reset").returncode == 0
    assert project.things().json() == [{"id": 1, "name": "first"}]


def test_taken_port_is_named_with_its_setting(project: SmallProject) -> None:
    with socket.create_server(("127.0.0.1", PORT)):
        failed = project.run("start")
    assert failed.returncode == 1
    assert f"Port {PORT} is taken by another program (setting: api.port" in failed.stderr
    assert not (project.root / "supabase" / ".localbase" / "other" / "postgres").exists()


@pytest.mark.parametrize("victim", ["gateway", "postgres"])
def test_killed_process_is_restarted(project: SmallProject, victim: str) -> None:
    project.start()
    before = project.processes()
    os.kill(before[victim], signal.SIGKILL)
    assert until(lambda: project.processes().get(victim, before[victim]) != before[victim])
    assert until(lambda: project.things().status_code == 200)


def test_killed_supervisor_leaves_nothing_behind_and_the_next_start_works(project: SmallProject) -> None:
    project.start()
    state = open_project(project.root, {})
    os.kill(int(report(state)["pid"]), signal.SIGKILL)
    project.start()
    assert project.things().json() == [{"id": 1, "name": "first"}]


def test_invalid_configuration_is_reported_without_a_traceback(project: SmallProject) -> None:
    (project.root / "supabase" / "config.toml").write_text("[api]\nport = 'many'\n")
    failed = project.run("start")
    assert failed.returncode == 1
    assert "api.port must be a port, 1 to 65535, not 'many'" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_folder_without_a_project_is_reported(tmp_path: Path) -> None:
    failed = subprocess.run(
        [SUPABASE, "start", "--workdir", tmp_path], capture_output=True, text=True, check=False
    )
    assert failed.returncode == 1
    assert f"There is no supabase/ folder in {tmp_path}." in failed.stderr


def test_pg_bin_names_the_postgres_to_use(project: SmallProject) -> None:
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    bin_folder = system[-1].parent if system else find_binaries({}).folder
    project.start(PG_BIN=str(bin_folder))
    assert project.things().json() == [{"id": 1, "name": "first"}]
    command = Path(f"/proc/{project.processes()['postgres']}/cmdline")
    if command.exists():
        assert command.read_bytes().startswith(str(bin_folder).encode())


def test_pg_bin_without_postgres_is_reported(project: SmallProject) -> None:
    failed = project.run("start", PG_BIN="/nowhere")
    assert failed.returncode == 1
    assert "PG_BIN: /nowhere/postgres does not run" in failed.stderr


def test_outdated_postgres_is_rejected(project: SmallProject, tmp_path: Path) -> None:
    (tmp_path / "postgres").write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 12.3'\n")
    (tmp_path / "postgres").chmod(0o755)
    failed = project.run("start", PG_BIN=str(tmp_path))
    assert "localbase needs Postgres 15 or later" in failed.stderr


def run_unprivileged(command: list[str], environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    # The shell returns 126 where the command's own Python cannot be reached.
    return subprocess.run(
        ["sh", "-c", 'exec "$0" "$@"', *command],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        user="nobody",
        group="nogroup",
        extra_groups=[],
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_unprivileged_user_can_run_a_stack(project: SmallProject) -> None:
    if run_unprivileged([str(SUPABASE), "--help"], clean_environ({})).returncode:
        pytest.skip("the Python of this virtual environment lies where only root can reach it")
    shutil.chown(project.root / "supabase", "nobody", "nogroup")
    command = [str(SUPABASE), "start", "--workdir", str(project.root)]
    environ = clean_environ({"HOME": str(project.root)})
    done = run_unprivileged(command, environ)
    assert done.returncode == 0, done.stderr
    assert project.things().json() == [{"id": 1, "name": "first"}]
