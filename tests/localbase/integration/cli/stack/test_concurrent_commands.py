"""Concurrent commands on one project wait for each other."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.localbase.integration.small_project import SmallProject, is_alive, until
from tests.support.stacks import SUPABASE, clean_environ


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    with SmallProject(tmp_path / "a folder with spaces") as made:
        yield made


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[SmallProject]:
    """The same with the installed command: its process is the one that works."""
    with SmallProject(tmp_path / "a folder with spaces", command=SUPABASE) as made:
        yield made


def wait_for_line(child: subprocess.Popen[str], text: str) -> str:
    """Reads the command's output until `text` comes. Returns all of it."""
    said = ""
    assert child.stderr is not None
    while text not in said:
        line = child.stderr.readline()
        assert line, f"{text!r} never came: {said}"
        said += line
    # Later output must not fill the pipe.
    threading.Thread(target=child.stderr.read, daemon=True).start()
    return said


def test_second_start_waits_and_finds_the_stack_running(project: SmallProject) -> None:
    children = [project.begin("start") for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        said = [errors for _, errors in pool.map(subprocess.Popen.communicate, children)]
    assert [child.returncode for child in children] == [0, 0, 0, 0], said
    assert sum("Starting other" in text for text in said) == 1
    waited = [text for text in said if "other is already running." in text]
    assert len(waited) == 3
    assert all("Another `supabase` command (process " in text for text in waited)
    assert project.things().json() == [{"id": 1, "name": "first"}]


def test_stop_during_a_start_stops_the_whole_stack(project: SmallProject) -> None:
    project.migration("20260102000000_slow.sql", "select pg_sleep(2);")
    first = project.begin("start")
    wait_for_line(first, "migration 20260102000000_slow.sql")
    stopped = project.run("stop")
    assert (first.wait(), stopped.returncode) == (0, 0)
    assert "Stopped other; its data is kept." in stopped.stderr
    assert project.run("status").returncode == 1


def test_resets_and_migrations_wait_for_each_other(installed: SmallProject) -> None:
    project = installed
    project.start()
    project.migration("20260102000000_slow.sql", "select pg_sleep(2);")
    up = project.begin("migration", "up")
    wait_for_line(up, "migration 20260102000000_slow.sql")
    reset = project.run("db", "reset")
    waits = f"Another `supabase` command (process {up.pid}, migration up) works on other; waiting"
    assert waits in reset.stderr
    assert (up.wait(), reset.returncode) == (0, 0)
    assert project.things().json() == [{"id": 1, "name": "first"}]


def test_killed_command_releases_the_lock_and_its_unfinished_database_is_removed(
    project: SmallProject,
) -> None:
    slow = project.root / "supabase" / "migrations" / "20260102000000_slow.sql"
    slow.write_text("create table shop.half (id int); select pg_sleep(60);")
    first = project.begin("start")
    wait_for_line(first, slow.name)
    os.kill(first.pid, signal.SIGKILL)
    slow.unlink()
    project.start()
    assert project.things().json() == [{"id": 1, "name": "first"}]
    left = [path.name for path in project.data.parent.iterdir() if path.name.startswith("postgres")]
    assert left == ["postgres"]


def test_start_after_one_killed_during_initdb_succeeds(
    project: SmallProject,
) -> None:
    first = project.begin("start")
    assert until(lambda: any(project.state.glob("postgres*/PG_VERSION")))
    os.kill(first.pid, signal.SIGKILL)
    project.start()
    assert project.things().json() == [{"id": 1, "name": "first"}]


def test_lock_survives_the_reset_of_its_folder(project: SmallProject) -> None:
    project.migration("20260102000000_slow.sql", "select pg_sleep(2);")
    first = project.begin("start")
    wait_for_line(first, "migration 20260102000000_slow.sql")
    second = project.begin("db", "reset")
    wait_for_line(second, "waiting")
    third = project.begin("start")
    wait_for_line(third, "waiting")
    assert [first.wait(), second.wait(), third.wait()] == [0, 0, 0]
    assert project.things().json() == [{"id": 1, "name": "first"}]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_unwritable_folder_is_reported_without_a_traceback(project: SmallProject) -> None:
    if run_unprivileged(["--help"]).returncode:
        pytest.skip("the Python of this virtual environment lies where only root can reach it")
    for verb in ("stop", "db reset", "status", "start"):
        failed = run_unprivileged([*verb.split(), "--workdir", str(project.root)])
        assert failed.returncode == 1 or verb == "stop", failed.stderr
        assert "Traceback" not in failed.stderr
    assert "Permission denied" in failed.stderr
    assert str(project.root / "supabase") in failed.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_users_of_one_folder_share_its_lock(installed: SmallProject) -> None:
    project = installed
    if run_unprivileged(["--help"]).returncode:
        pytest.skip("the Python of this virtual environment lies where only root can reach it")
    project.migration("20260102000000_slow.sql", "select pg_sleep(2);")
    shutil.chown(project.root / "supabase", "nobody", "nogroup")
    first = project.begin("start")
    wait_for_line(first, "migration 20260102000000_slow.sql")
    second = run_unprivileged(["start", "--workdir", str(project.root)])
    assert f"(process {first.pid}, start)" in second.stderr
    assert (first.wait(), second.returncode) == (0, 0)
    assert is_alive(project.processes()["gateway"])


def run_unprivileged(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    environ = clean_environ({"HOME": "/tmp"})  # noqa: S108 - any folder that exists
    # Its process could not write what `make coverage` measures.
    environ.pop("COVERAGE_PROCESS_CONFIG", None)
    # The shell returns 126 where the command's own Python cannot be reached.
    return subprocess.run(
        ["sh", "-c", 'exec "$0" "$@"', str(SUPABASE), *arguments],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        user="nobody",
        group="nogroup",
        extra_groups=[],
    )
