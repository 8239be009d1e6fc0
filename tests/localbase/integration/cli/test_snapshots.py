"""Snapshots of a real stack: all that is stored comes back together; a killed command leaves all or nothing."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from localbase.core.settings import Settings

from tests.localbase.integration.cli.stack.test_outage import Visitors, outcomes
from tests.localbase.integration.small_project import MIGRATION, PORT, SmallProject, until

_URL = f"http://127.0.0.1:{PORT}"
_KEYS = Settings().keys
_SERVICE = {"apikey": _KEYS.secret, "authorization": f"Bearer {_KEYS.service_role}"}
_OBJECT = f"{_URL}/storage/v1/object/pictures/one.txt"
_FIRST = [{"id": 1, "name": "first"}]


@pytest.fixture
def project(project: SmallProject) -> SmallProject:
    """A running stack without snapshots. Its data is what the test before has left."""
    shutil.rmtree(store(project), ignore_errors=True)
    return project


def store(project: SmallProject) -> Path:
    return project.state.with_name("other.snapshots")


def listed(project: SmallProject) -> list[dict[str, Any]]:
    done = project.run("snapshot", "list", "-o", "json")
    assert done.returncode == 0, done.stderr
    snapshots: list[dict[str, Any]] = json.loads(done.stdout)
    return snapshots


def must(project: SmallProject, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = project.run(*arguments)
    assert done.returncode == 0, done.stderr
    return done


def fill(project: SmallProject, text: str) -> None:
    """Puts `text` into every place where a stack stores something."""
    with project.database() as connection:
        connection.execute("update shop.things set name = %s", [text])
        connection.execute("create table if not exists shop.later (n int generated always as identity)")
        connection.execute("insert into shop.later default values")
    httpx.post(f"{_URL}/storage/v1/bucket", headers=_SERVICE, json={"name": "pictures", "id": "pictures"})
    uploaded = httpx.post(_OBJECT, headers={**_SERVICE, "x-upsert": "true"}, content=text.encode())
    assert uploaded.status_code == 200, uploaded.text
    credentials = {"email": f"{text}@example.com", "password": "correct horse"}
    signed = httpx.post(f"{_URL}/auth/v1/signup", headers={"apikey": _KEYS.publishable}, json=credentials)
    assert signed.status_code == 200, signed.text
    recovered = httpx.post(
        f"{_URL}/auth/v1/recover", headers={"apikey": _KEYS.publishable}, json={"email": credentials["email"]}
    )
    assert recovered.status_code == 200, recovered.text
    assert until(lambda: f"{text}@example.com" in contents(project)["mails"])
    # As a process of the project's own has it.
    (project.state / "emulators").mkdir(exist_ok=True)
    (project.state / "emulators" / "orders.json").write_text(text)


def contents(project: SmallProject) -> dict[str, Any]:
    """Return what every service has."""
    with project.database("supabase_admin") as connection:
        later = connection.execute("select to_regclass('shop.later') is not null").fetchone()
        users = connection.execute("select email from auth.users order by 1").fetchall()
        sequence = connection.execute(
            "select max(last_value) from pg_sequences where schemaname = 'shop'"
        ).fetchone()
    mails = httpx.get(f"http://127.0.0.1:{PORT + 3}/api/v1/messages").json()["messages"]
    stored = httpx.get(_OBJECT, headers=_SERVICE)
    state = project.state / "emulators" / "orders.json"
    return {
        "things": project.things().json(),
        "later": later == (True,),
        "sequence": sequence,
        "users": [row[0] for row in users],
        "object": stored.text if stored.status_code == 200 else None,
        "mails": sorted(mail["To"][0]["Address"] for mail in mails),
        "emulators": state.read_text() if state.exists() else None,
    }


def test_everything_that_is_stored_comes_back_together_and_no_client_is_refused(
    project: SmallProject,
) -> None:
    fill(project, "saved")
    before = contents(project)
    supervisor = project.report()["pid"]
    visitors = Visitors(project)
    saved = must(project, "snapshot", "save", "first")
    fill(project, "changed")
    assert contents(project)["users"] == ["changed@example.com", "saved@example.com"]
    must(project, "snapshot", "load", "first")
    assert contents(project) == before
    responses = visitors.leave()
    assert outcomes(responses) == {200}
    assert "Saved first: " in saved.stdout
    assert project.report()["pid"] == supervisor
    # A stack on a loaded database writes to a copy: the snapshot stays as it is.
    fill(project, "changed")
    must(project, "snapshot", "load", "first")
    assert contents(project) == before


def test_snapshot_is_as_large_as_its_data_however_much_was_written_before(project: SmallProject) -> None:
    fill(project, "much")
    with project.database("supabase_admin") as connection:
        connection.autocommit = True
        for _ in range(6):
            connection.execute("select pg_logical_emit_message(false, 'test', 'written'), pg_switch_wal()")
        connection.execute("checkpoint")
        row = connection.execute("select count(*), sum(size) from pg_ls_waldir()").fetchone()
    assert row is not None
    assert row[0] > 3, "no segment was made ready for later use"
    before = contents(project)
    must(project, "snapshot", "save", "first")
    [snapshot] = listed(project)
    segments = list(store(project).glob("*/postgres/pg_wal/0*"))
    assert 1 <= len(segments) <= 2
    assert snapshot["bytes"] < row[1]
    must(project, "snapshot", "load", "first")
    assert contents(project) == before


def test_snapshot_outlives_a_reset_and_loads_into_a_stopped_stack(project: SmallProject) -> None:
    before = contents(project)
    must(project, "stop")
    must(project, "snapshot", "save", "stopped")
    assert project.run("status").returncode == 1
    must(project, "db", "reset")
    assert contents(project)["object"] is None
    assert project.things().json() == _FIRST
    must(project, "stop")
    loaded = must(project, "snapshot", "load", "stopped")
    assert "Loaded stopped. Start it with `localbase start`." in loaded.stdout
    assert project.run("status").returncode == 1
    project.start()
    assert contents(project) == before


def test_list_says_what_a_snapshot_is_of_and_one_that_does_not_fit_is_refused(project: SmallProject) -> None:
    assert listed(project) == []
    things = project.things().json()
    assert "There are no snapshots." in must(project, "snapshot", "list").stdout
    must(project, "stop")
    must(project, "snapshot", "save", "first")
    snapshots = listed(project)
    size, date = snapshots[0].pop("bytes"), snapshots[0].pop("saved_at")
    assert size > 10_000_000
    assert len(date) == len("2026-01-01T00:00:00Z")
    version = must(project, "--version").stdout.split()[1]
    major = int((project.data / "PG_VERSION").read_text())
    assert snapshots == [
        {"name": "first", "localbase": version, "postgres": major, "migrations": ["20260101000000"]}
    ]
    assert must(project, "snapshot", "list").stdout.splitlines()[1].startswith("first  ")
    refused = project.run("snapshot", "save", "first")
    assert (refused.returncode, "There is a snapshot first already." in refused.stderr) == (1, True)
    must(project, "snapshot", "save", "first", "--force")
    assert len([path for path in store(project).iterdir() if path.is_dir()]) == 1
    path = store(project) / "first.json"
    described = path.read_text()
    path.write_text(json.dumps({**json.loads(described), "postgres": 15}))
    refused = project.run("snapshot", "load", "first")
    assert (refused.returncode, "was saved by Postgres 15" in refused.stderr) == (1, True)
    assert "The present data is untouched." in refused.stderr
    path.write_text(described)
    shutil.rmtree(next(path for path in store(project).iterdir() if path.is_dir()) / "state")
    refused = project.run("snapshot", "load", "first")
    assert (refused.returncode, "The snapshot first is damaged" in refused.stderr) == (1, True)
    left = [path.name for path in project.data.parent.iterdir() if path.name.startswith("postgres")]
    assert left == ["postgres"]
    assert not any(project.state.glob("staged-*"))
    must(project, "snapshot", "delete", "first")
    assert listed(project) == []
    project.start()
    assert project.things().json() == things


@pytest.mark.parametrize("verb", ["save", "load", "delete"])
def test_name_that_is_a_path_is_refused(project: SmallProject, verb: str) -> None:
    before = project.processes()
    for name in ("../x", "/tmp/x"):  # noqa: S108 - a name that must not be one
        refused = project.run("snapshot", verb, name)
        assert refused.returncode == 1
        assert "cannot be the name of a snapshot" in refused.stderr
    assert not store(project).exists()
    assert project.processes() == before


def kill_when(
    project: SmallProject, folder: Path, pattern: str, *arguments: str, undo: tuple[str, ...] = ()
) -> None:
    """Kills the command as soon as it has made such a file; where it was quicker than that, the next one."""
    for _ in range(20):
        child = project.begin(*arguments)
        if is_seen(child, lambda: any(folder.glob(pattern))):
            os.kill(child.pid, signal.SIGKILL)
            child.communicate()
            return
        if undo:
            must(project, *undo)
    pytest.fail(f"no command was seen to make {pattern}")


def is_seen(child: subprocess.Popen[str], condition: Callable[[], bool]) -> bool:
    """Tell whether the condition holds at any time before the command has ended."""
    while child.poll() is None:
        if condition():
            return True
        time.sleep(0.001)  # polling for a file of another process, far more often than it is there
    child.communicate()
    return False


def test_killed_save_lists_nothing_and_the_stack_serves(project: SmallProject) -> None:
    things = project.things().json()
    for pattern in ("*", "*/state"):
        kill_when(
            project,
            store(project),
            pattern,
            "snapshot",
            "save",
            "first",
            undo=("snapshot", "delete", "first"),
        )
        assert listed(project) == []
        assert until(lambda: project.things(timeout=60).json() == things)
    must(project, "snapshot", "save", "first")
    assert [snapshot["name"] for snapshot in listed(project)] == ["first"]
    assert len([path for path in store(project).iterdir() if path.is_dir()]) == 1


def test_killed_load_leaves_the_old_data_or_the_new(project: SmallProject) -> None:
    fill(project, "old")
    saved = contents(project)
    must(project, "snapshot", "save", "first")
    fill(project, "new")
    changed = contents(project)
    for pattern in ("staged-*", "restart.json"):
        kill_when(project, project.state, pattern, "snapshot", "load", "first")
        assert until(lambda: contents(project) in (saved, changed), 60)
    # The supervisor too: the next start finishes or undoes what it has begun.
    supervisor = int(str(project.report()["pid"]))
    child = project.begin("snapshot", "load", "first")
    while not is_seen(child, lambda: (project.state / "old").exists()):
        child = project.begin("snapshot", "load", "first")
    os.kill(supervisor, signal.SIGKILL)
    child.communicate()
    project.start()
    assert contents(project) in (saved, changed)
    assert sorted(path.name for path in project.data.parent.glob("postgres*")) == ["postgres"]
    assert not any(project.state.glob("staged-*"))


def test_commands_at_once_wait_for_each_other(project: SmallProject) -> None:
    must(project, "stop")
    saves = [project.begin("snapshot", "save", name) for name in ("one", "two", "three")]
    assert [child.communicate() and child.returncode for child in saves] == [0, 0, 0]
    commands = [
        project.begin("snapshot", "load", "one"),
        project.begin("snapshot", "delete", "two"),
        project.begin("snapshot", "load", "three"),
        project.begin("start"),
    ]
    assert [child.communicate() and child.returncode for child in commands] == [0, 0, 0, 0]
    assert sorted(snapshot["name"] for snapshot in listed(project)) == ["one", "three"]


def test_migrations_that_differ_are_named(project: SmallProject) -> None:
    must(project, "snapshot", "save", "first")
    coloured = [{**row, "colour": "red"} for row in project.things().json()]
    project.migration("20260102000000_colour.sql", "alter table shop.things add colour text default 'red';")
    loaded = must(project, "snapshot", "load", "first")
    assert "lacks migrations of supabase/migrations: 20260102000000_colour.sql" in loaded.stderr
    assert "supabase migration up" in loaded.stderr
    must(project, "migration", "up")
    assert until(lambda: project.things().json() == coloured)
    must(project, "stop")
    must(project, "snapshot", "save", "second")
    (project.root / "supabase" / "migrations" / "20260102000000_colour.sql").unlink()
    project.migration("20260101000000_things.sql", f"{MIGRATION}\nselect 1;")
    loaded = must(project, "snapshot", "load", "second", "-o", "json")
    assert json.loads(loaded.stdout) == {
        "name": "second",
        "running": False,
        "pending_migrations": [],
        "missing_migrations": ["20260102000000"],
        "changed_migrations": ["20260101000000_things.sql"],
    }
    project.start()
    assert project.things().json() == coloured
