"""cli.running and cli.lock: what lies in the place of a lock's file holds nobody up and is not written to."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

import pytest
from localbase.cli.stack.lock import command_lock, open_shared
from localbase.cli.stack.register import ports_of_others, register, running_projects
from localbase.core.errors import UserError
from localbase.core.project import Project
from localbase.core.settings import Settings


def project_at(root: Path, environ: dict[str, str]) -> Project:
    project = Project(root, Settings(project_id="odd"), environ)
    project.state.mkdir(parents=True)
    return project


@pytest.mark.parametrize("place", ["odd.lock", "odd/supervisor.lock"])
@pytest.mark.parametrize("kind", ["FIFO", "folder", "link to itself"])
def test_odd_file_of_one_project_stops_no_other(tmp_path: Path, place: str, kind: str) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "home")}
    odd, other = project_at(tmp_path / "odd", environ), project_at(tmp_path / "other", environ)
    register(odd, [4])
    path = odd.state.parent / place
    if kind == "FIFO":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path)
    assert ports_of_others(other, environ) == {}
    assert running_projects(environ) == []


def test_start_forgets_the_stacks_that_have_gone_and_no_other(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "home")}
    gone, starting, own = (project_at(tmp_path / name, environ) for name in ("gone", "starting", "own"))
    for port, each in enumerate((gone, starting), start=4):
        register(each, [port])
    with command_lock(starting, "start"):
        assert ports_of_others(own, environ) == {5: starting.root}
        entries = [json.loads(path.read_text()) for path in (tmp_path / "home").rglob("*.json")]
    assert [entry["root"] for entry in entries] == [str(starting.root)]


def test_stack_that_cannot_be_looked_at_is_not_forgotten(tmp_path: Path) -> None:
    environ = {"XDG_STATE_HOME": str(tmp_path / "home")}
    closed = project_at(tmp_path / "closed", environ)
    register(closed, [4])
    lock = closed.state / "supervisor.lock"
    lock.symlink_to(lock)
    assert running_projects(environ) == []
    assert len(list((tmp_path / "home").rglob("*.json"))) == 1
    lock.unlink()
    assert running_projects(environ) == []
    assert list((tmp_path / "home").rglob("*.json")) == []


def test_lock_is_not_written_through_a_link(tmp_path: Path) -> None:
    project = project_at(tmp_path, {})
    precious = tmp_path / "precious"
    precious.write_text("words")
    precious.chmod(0o600)
    (project.state.parent / "odd.lock").symlink_to(precious)
    with pytest.raises(UserError, match="Cannot make"), command_lock(project, "start"):
        pass
    assert (precious.read_text(), precious.stat().st_mode & 0o777) == ("words", 0o600)


def test_file_of_a_lock_is_for_all_users(tmp_path: Path) -> None:
    descriptors = [open_shared(tmp_path / "lock") for _ in range(2)]
    assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o666
    fcntl.flock(descriptors[0], fcntl.LOCK_EX)
    with pytest.raises(BlockingIOError):
        fcntl.flock(descriptors[1], fcntl.LOCK_EX | fcntl.LOCK_NB)
    for descriptor in descriptors:
        os.close(descriptor)
