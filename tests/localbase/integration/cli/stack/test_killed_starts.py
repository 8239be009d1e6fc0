"""A start that something ends on its way: the next one works, nothing is lost, and no process is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from localbase.core.project import open_project
from localbase.postgres import damage
from localbase.postgres.cluster import cluster_of

from tests.localbase.integration.small_project import SmallProject, is_alive, until
from tests.support.processes import free_port
from tests.support.project_files import ProjectFiles

_SLOW = "20260102000000_slow.sql"
# A process of the project's own that answers once the door is open: until then no start is over.
_DOOR = """
import http.server, pathlib, sys, time
while not pathlib.Path("open").exists():
    time.sleep(0.02)
http.server.test(http.server.SimpleHTTPRequestHandler, port=int(sys.argv[1]), bind="127.0.0.1")
"""


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    port = free_port()
    files = ProjectFiles(
        migrations={_SLOW: "create table shop.more (id int); select pg_sleep(0.5);"},
        others={
            "processes.toml": f"""
[door]
command = ["python", "door.py", "{port}"]
ready = "http://127.0.0.1:{port}/"
""",
            "../door.py": _DOOR,
        },
    )
    with SmallProject(tmp_path / "killed", files) as made:
        yield made


def await_line(child: subprocess.Popen[str], text: str) -> None:
    """Reads the command's output up to the line that holds `text`."""
    assert child.stderr is not None
    assert any(text in line for line in child.stderr), f"{text!r} never came"


def reported(project: SmallProject, name: str) -> int:
    """The process id of a process, or of the supervisor itself, as soon as it stands in the report."""
    found: list[int] = []

    def look() -> bool:
        try:
            report = json.loads((project.state / "supervisor.json").read_text())
        except FileNotFoundError:
            return False
        found.extend([report["pid"]] if name == "supervisor" else [report["processes"].get(name, 0)])
        return bool(found[-1])

    assert until(look)
    return found[-1]


def server_apart(project: SmallProject) -> int:
    """The server in which the migrations run."""
    (folder,) = project.data.parent.glob("postgres.new-*")
    number = damage.server_id(cluster_of(open_project(project.root, {})).at(folder))
    assert number is not None
    return number


def processes_of(project: SmallProject) -> list[str]:
    """All that runs with a path of the project among its arguments."""
    shown = subprocess.run(
        ["ps", "-A", "-ww", "-o", "stat=,args="], capture_output=True, text=True, check=True
    )
    lines = [line for line in shown.stdout.splitlines() if not line.startswith("Z")]
    return [line for line in lines if str(project.root) in line or str(project.data) in line]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere processes outlive a killed supervisor")
@pytest.mark.parametrize(
    ("victim", "word", "code", "outcome"),
    [
        ("command, migrating", signal.SIGINT, 130, ""),
        ("server apart", signal.SIGKILL, 1, "has ended the server: try again"),
        ("command, launched", signal.SIGTERM, -signal.SIGTERM, ""),
        ("supervisor", signal.SIGKILL, 1, "The stack was ended while it started"),
        ("supervisor", signal.SIGTERM, 1, "The stack was ended while it started"),
        ("postgres", signal.SIGKILL, 0, ""),
    ],
)
def test_start_after_a_killed_one_works_and_nothing_is_left(
    project: SmallProject, victim: str, word: signal.Signals, code: int, outcome: str
) -> None:
    child = project.begin("start")
    if victim in ("command, migrating", "server apart"):
        await_line(child, _SLOW)
        target = server_apart(project) if victim == "server apart" else child.pid
    elif victim == "command, launched":
        reported(project, "postgres")
        target = child.pid
    else:
        target = reported(project, victim)
    os.kill(target, word)
    (project.root / "open").touch()
    _, said = child.communicate()
    assert child.returncode == code, said
    assert outcome in said
    assert "Traceback" not in said
    project.start()
    with project.database() as connection:
        assert connection.execute("select name from shop.things").fetchall() == [("first",)]
        assert connection.execute("select to_regclass('shop.more')::text").fetchone() == ("shop.more",)
    assert project.run("stop").returncode == 0
    assert until(lambda: not processes_of(project)), processes_of(project)
    assert [path.name for path in project.data.parent.glob("postgres*")] == ["postgres"]


def test_start_during_a_stop_waits_and_starts_anew(project: SmallProject) -> None:
    (project.root / "open").touch()
    project.start()
    first = project.processes()["gateway"]
    stop = project.begin("stop")
    assert until(lambda: not is_alive(first))
    start = project.begin("start")
    assert (stop.wait(), start.wait()) == (0, 0)
    assert project.processes()["gateway"] != first
    assert project.things().json() == [{"id": 1, "name": "first"}]
