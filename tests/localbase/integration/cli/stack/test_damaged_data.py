"""A data folder that Postgres cannot serve: the command names the fault and the remedy, without a traceback."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of
from localbase.postgres.damage import remove_stale_lock

from tests.localbase.integration.small_project import SmallProject
from tests.support.stacks import SUPABASE, clean_environ


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    """A project with a database that no server runs on."""
    with SmallProject(tmp_path_factory.mktemp("damaged") / "project") as made:
        made.start()
        made.run("stop")
        subprocess.run(["cp", "-a", made.data, sound_copy(made)], check=True)
        yield made


def sound_copy(project: SmallProject) -> Path:
    return project.root / "sound"


@pytest.fixture
def project(stopped: SmallProject) -> Iterator[SmallProject]:
    """The same project with a database that a test may damage: an intact copy is restored afterwards."""
    yield stopped
    stopped.run("stop")
    if stopped.data.is_file():
        stopped.data.unlink()
    shutil.rmtree(stopped.data, ignore_errors=True)
    subprocess.run(["cp", "-a", sound_copy(stopped), stopped.data], check=True)


def remove_version(data: Path) -> None:
    (data / "PG_VERSION").unlink()


def damage_version(data: Path) -> None:
    (data / "PG_VERSION").write_bytes(b"\xff\xfe")


def older_version(data: Path) -> None:
    (data / "PG_VERSION").write_text("12\n")


def cut_control_file(data: Path) -> None:
    os.truncate(data / "global" / "pg_control", 100)


def damage_control_file(data: Path) -> None:
    (data / "global" / "pg_control").write_bytes(b"x" * 8192)


def damage_configuration(data: Path) -> None:
    (data / "postgresql.conf").write_text("this is = = no configuration\n")


def damage_access_rules(data: Path) -> None:
    (data / "pg_hba.conf").write_text("nonsense\n")


def remove_log(data: Path) -> None:
    shutil.rmtree(data / "pg_wal")


def replace_by_file(data: Path) -> None:
    shutil.rmtree(data)
    data.write_text("a file")


@pytest.mark.parametrize(
    ("damage", "said", "advice"),
    [
        (remove_version, "is damaged: its file PG_VERSION is missing", "supabase db reset"),
        (damage_version, "is damaged: its file PG_VERSION holds", "supabase db reset"),
        (older_version, "was made by Postgres 12, but", "Set PG_BIN to a Postgres 12, or throw"),
        (cut_control_file, "is damaged: global/pg_control is missing or cut short", "supabase db reset"),
        (damage_control_file, "Postgres does not start on", "supabase db reset"),
        (damage_configuration, 'syntax error in file "', "Mend the line that is named"),
        (damage_access_rules, "pg_hba.conf", "Mend the line that is named"),
        (remove_log, "Postgres does not start on", "supabase db reset"),
        (replace_by_file, "is damaged: it is no folder", "supabase db reset"),
    ],
)
def test_damaged_database_is_reported(
    project: SmallProject, damage: Callable[[Path], None], said: str, advice: str
) -> None:
    damage(project.data)
    failed = project.run("start")
    assert failed.returncode == 1
    assert said in failed.stderr
    assert str(project.data) in failed.stderr
    assert advice in failed.stderr
    assert "Traceback" not in failed.stderr
    assert project.run("status").returncode == 1


# It puts away what lies there, unread.
@pytest.mark.parametrize("damage", [remove_log, replace_by_file])
def test_reset_repairs_a_damaged_database(project: SmallProject, damage: Callable[[Path], None]) -> None:
    damage(project.data)
    mended = project.run("db", "reset")
    assert mended.returncode == 0, mended.stderr
    assert project.things().json() == [{"id": 1, "name": "first"}]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_folder_of_another_user_is_reported(project: SmallProject) -> None:
    os.chown(project.data, 4321, 4321)
    failed = project.run("start")
    assert failed.returncode == 1
    assert "belongs to the user with the number 4321, not to nobody." in failed.stderr
    assert f"Give {project.data} and all in it back to nobody (chown -R)" in failed.stderr


@pytest.mark.parametrize(
    "left", ["", "garbage", "1\n/elsewhere\n"], ids=["empty", "garbage", "another program"]
)
def test_stale_pid_file_is_taken_away(tmp_path: Path, left: str) -> None:
    cluster = cluster_of(open_project(SmallProject(tmp_path).root, {})).at(tmp_path)
    path = tmp_path / "postmaster.pid"
    path.write_text(left)
    remove_stale_lock(cluster)
    assert not path.exists()


@pytest.mark.parametrize("left", [f"{os.getpid()}\n", "999999999\n"], ids=["this process", "no process"])
def test_stale_pid_file_neither_blocks_a_start_nor_stops_another_program(
    project: SmallProject, left: str
) -> None:
    (project.data / "postmaster.pid").write_text(left)
    project.start()
    assert project.things().json() == [{"id": 1, "name": "first"}]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
@pytest.mark.parametrize("size", ["38m", "41m"], ids=["initdb", "server"])
def test_full_disk_is_reported_and_the_next_start_works(tmp_path: Path, size: str) -> None:
    project, disk = SmallProject(tmp_path / "project"), tmp_path / "disk"
    project.migration(
        "20260102000000_large.sql",
        "create table shop.large as select repeat('x', 900) from generate_series(1, 9000);",
    )
    disk.mkdir()
    command = f"'{SUPABASE}' {{}} --workdir '{project.root}'"
    steps = [
        f"mount -t tmpfs -o size={size},mode=755 none '{disk}' && {command.format('start')}",
        f"echo code $?; ls '{disk}'/other-*; mount -o remount,size=500m '{disk}'",
        f"{command.format('start')} >/dev/null 2>&1; echo code $?",
        f"{command.format('stop')} 2>/dev/null",
    ]
    shown = subprocess.run(
        ["unshare", "-m", "sh", "-c", "; ".join(steps)],
        # Without a template, that `initdb` runs.
        env=clean_environ({"LOCALBASE_STATE": str(disk), "HOME": "/nowhere"}),
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in shown.stderr or "mount:" in shown.stderr:
        pytest.skip("this machine lets nobody mount")
    # of a page that has room for a half, Postgres says the second
    assert re.search("No space left on device|Check free disk space", shown.stderr)
    assert "Traceback" not in shown.stderr
    assert "free space" in shown.stderr or "Free some space" in shown.stderr
    assert shown.stdout.split("\n", 1)[0] == "code 1"
    assert "postgres" not in shown.stdout.partition("code 0")[0]
    assert "code 0" in shown.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a tree read-only")
def test_project_of_a_read_only_checkout_runs_on_a_state_elsewhere(tmp_path: Path) -> None:
    project, state = SmallProject(tmp_path / "project"), tmp_path / "state"
    state.mkdir()
    # The first makes a database and starts on it.
    verbs = ("db reset", "stop", "start", "db query 'select name from shop.things'", "stop --no-backup")
    root = f"'{project.root}'"
    steps = [f"mount --bind {root} {root}", f"mount -o remount,ro,bind {root}"]
    steps += [f"'{SUPABASE}' {verb} --workdir {root}" for verb in verbs]
    shown = subprocess.run(
        ["unshare", "-m", "sh", "-c", " && ".join(steps)],
        env=clean_environ({"LOCALBASE_STATE": str(state)}),
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in shown.stderr or "mount:" in shown.stderr:
        pytest.skip("this machine lets nobody mount")
    assert shown.returncode == 0, shown.stderr
    assert "first" in shown.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a tree read-only")
def test_read_only_folder_is_reported(tmp_path: Path) -> None:
    project = SmallProject(tmp_path / "project")
    for verb in ("start", "stop", "db reset", "migration up"):
        script = (
            f"mount --bind '{project.root}' '{project.root}' && mount -o remount,ro,bind '{project.root}' && "
        )
        script += f"exec '{SUPABASE}' {verb} --workdir '{project.root}'"
        shown = subprocess.run(
            ["unshare", "-m", "sh", "-c", script],
            env=clean_environ({}),
            capture_output=True,
            text=True,
            check=False,
        )
        if "unshare" in shown.stderr or "mount:" in shown.stderr:
            pytest.skip("this machine lets nobody mount")
        assert "Traceback" not in shown.stderr
        if verb == "stop":
            assert (shown.returncode, shown.stderr) == (0, "other is not running.\n")
        else:
            assert shown.returncode == 1
            assert f"Cannot make {project.root}/supabase/.localbase" in shown.stderr
            assert "Read-only file system" in shown.stderr


def test_damaged_mailbox_is_set_aside_with_a_warning(project: SmallProject) -> None:
    path, content = project.state / "mail.sqlite", b"no database at all" * 100
    path.write_bytes(content)
    started = project.run("start")
    assert started.returncode == 0, started.stderr
    (aside,) = path.parent.glob("mail.sqlite.damaged-*")
    assert aside.read_bytes() == content
    assert f"warning: {path} is damaged (" in started.stderr
    assert f"It was put aside as {aside.name}, and a new one was begun." in started.stderr
    assert "Traceback" not in started.stderr
    aside.unlink()
    project.run("stop")
    assert "warning" not in project.run("start").stderr


def test_folder_in_place_of_the_mailbox_is_reported_in_one_line(project: SmallProject) -> None:
    path = project.state / "mail.sqlite"
    path.unlink(missing_ok=True)
    path.mkdir()
    failed = project.run("start")
    path.rmdir()
    assert failed.returncode == 1
    assert f"error: {path} is a folder, not a file. Move it away and try again." in failed.stderr
    assert "Traceback" not in failed.stderr
