"""The `supabase` command: starts of a new project of each kind, and errors that say what to do."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from localbase.postgres.binaries import find_binaries

from tests.localbase.integration.small_project import PORT, SmallProject, until
from tests.support.stacks import SUPABASE, clean_environ


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    with SmallProject(tmp_path / "a folder with spaces") as made:
        yield made


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


def test_migrations_that_are_switched_off_are_pending_until_they_are_applied(project: SmallProject) -> None:
    config = project.root / "supabase" / "config.toml"
    text = config.read_text()
    config.write_text(text + "[db.migrations]\nenabled = false\n[db.seed]\nenabled = false\n")
    project.start()
    config.write_text(text)
    project.migration("20260103000000_more.sql", "insert into shop.things values (2, 'second');")
    versions = ("20260101000000", "20260103000000")
    listed = project.run("migration", "list").stdout
    assert all(f"{version}  pending" in listed for version in versions)
    assert "2 applied." in project.run("migration", "up").stderr
    listed = project.run("migration", "list").stdout
    assert all(f"{version}  applied" in listed for version in versions)
    # The API hears of new tables from the database, and reads them in its own time.
    assert until(lambda: project.things().status_code == 200)
    assert [row["id"] for row in project.things().json()] == [2]


def test_failing_migration_is_named_with_its_line_and_leaves_nothing(project: SmallProject) -> None:
    project.migration("20260102000000_bad.sql", "create table shop.half (id int);\n\nselect\n  nonsense;\n")
    failed = project.run("start")
    assert failed.returncode == 1
    assert "20260102000000_bad.sql, line 4" in failed.stderr
    assert 'column "nonsense" does not exist' in failed.stderr
    assert "Traceback" not in failed.stderr
    # The next start is one of a project without a database.
    assert list(project.data.parent.glob("postgres*")) == []


def test_taken_port_is_named_with_its_setting(project: SmallProject) -> None:
    with socket.create_server(("127.0.0.1", PORT)):
        failed = project.run("start")
    assert failed.returncode == 1
    assert f"Port {PORT} is taken by another program (setting: api.port" in failed.stderr
    assert not (project.root / "supabase" / ".localbase" / "other" / "postgres").exists()


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
