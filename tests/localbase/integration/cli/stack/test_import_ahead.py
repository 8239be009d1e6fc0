"""The next processes are imported while a command prepares: what becomes of them when it, or they, come to grief."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.localbase.integration.cli.stack.test_outage import Visitors, outcomes
from tests.localbase.integration.small_project import SmallProject, is_alive, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
_FIRST = [{"id": 1, "name": "first"}]
# Long enough to see, or to end, what is imported meanwhile.
_SLOW = "select pg_sleep(3);"


@pytest.fixture
def project(project: SmallProject) -> Iterator[SmallProject]:
    """The running stack, which every test leaves so, without the migration that the test adds."""
    assert until(lambda: project.things(timeout=60).json() == _FIRST)
    yield project
    (project.root / "supabase" / "migrations" / "20260102000000_slow.sql").unlink(missing_ok=True)


def ahead(project: SmallProject) -> list[int]:
    """The processes of the project that were imported ahead, and have not begun yet or have since."""
    pids = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if b"localbase.cli.stack.preloaded" in words and str(project.root).encode() in words:
            pids.append(int(entry.name))
    return sorted(pids)


def reset_under_way(project: SmallProject) -> subprocess.Popen[str]:
    """`db reset` that has begun, with what it waits for."""
    child = project.begin("db", "reset")
    assert until(lambda: len(ahead(project)) == 1)
    return child


def test_processes_imported_ahead_take_over_when_the_data_is_in_place(project: SmallProject) -> None:
    before = project.processes()
    project.migration("20260102000000_slow.sql", _SLOW)
    visitors = Visitors(project)
    child = reset_under_way(project)
    imported = ahead(project)
    assert project.processes() == before
    _, errors = child.communicate()
    assert child.returncode == 0, errors
    assert outcomes(visitors.leave()) == {200}
    # At rest there is none more.
    assert [project.processes()["gateway"]] == imported == ahead(project)
    assert project.report()["restarts"] == {}
    # What is killed starts as before.
    os.kill(project.processes()["gateway"], signal.SIGKILL)
    assert project.things(timeout=60).json() == _FIRST
    assert ahead(project) == []


def test_processes_that_die_before_they_are_wanted_are_started_anew(project: SmallProject) -> None:
    project.migration("20260102000000_slow.sql", _SLOW)
    visitors = Visitors(project)
    child = reset_under_way(project)
    (victim,) = ahead(project)
    os.kill(victim, signal.SIGKILL)
    _, errors = child.communicate()
    assert child.returncode == 0, errors
    assert outcomes(visitors.leave()) == {200}
    assert project.processes()["gateway"] != victim
    assert project.report()["restarts"] == {}
    assert ahead(project) == []


def test_command_that_fails_leaves_no_process_behind(project: SmallProject) -> None:
    before = project.processes()
    project.migration("20260102000000_slow.sql", f"{_SLOW} select nonsense;")
    child = reset_under_way(project)
    child.communicate()
    assert child.returncode == 1
    assert until(lambda: ahead(project) == [])
    assert project.processes() == before
    assert project.things().json() == _FIRST


def test_killed_command_leaves_no_process_behind(project: SmallProject) -> None:
    before = project.processes()
    project.migration("20260102000000_slow.sql", _SLOW)
    child = reset_under_way(project)
    child.kill()
    child.communicate()
    assert until(lambda: ahead(project) == [])
    assert project.processes() == before
    assert project.things().json() == _FIRST


def test_killed_supervisor_leaves_no_process_behind(project: SmallProject) -> None:
    project.migration("20260102000000_slow.sql", _SLOW)
    child = reset_under_way(project)
    imported = ahead(project)
    os.kill(int(str(project.report()["pid"])), signal.SIGKILL)
    assert until(lambda: not any(is_alive(pid) for pid in imported))
    child.communicate()
    assert child.returncode == 1
    project.start()
    assert project.things().json() == _FIRST
