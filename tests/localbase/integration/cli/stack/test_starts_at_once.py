"""Projects that start in one moment, all with the same ports in their settings: each gets ports of its own."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from localbase.cli.stack.processes import stack_environ
from localbase.cli.stack.register import choosing
from localbase.cli.stack.stack import report
from localbase.core.project import open_project

from tests.localbase.integration.small_project import PORT, SmallProject
from tests.support.project_files import ProjectFiles
from tests.support.random_cases import cases
from tests.support.stacks import clean_environ

# Ten times as many cases a week are at most as many projects as a machine bears at once.
COUNT = min(20, cases(3))
# Of one test alone: none before it has left an ended connection there, which the system keeps for a minute.
_OWN_PORT = PORT + 12


@pytest.fixture
def projects(tmp_path: Path) -> Iterator[list[SmallProject]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(
                SmallProject(
                    tmp_path / f"p{number}",
                    ProjectFiles(seed=f"insert into shop.things values (1, 'of {number}');"),
                )
            )
            for number in range(COUNT)
        ]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    with SmallProject(tmp_path / "other") as made:
        yield made


def started_at_once(projects: list[SmallProject]) -> None:
    children = [project.begin("start") for project in projects]
    for child in children:
        _, errors = child.communicate()
        assert child.returncode == 0, errors


def test_projects_that_start_at_once_serve_and_answer_for_no_other(projects: list[SmallProject]) -> None:
    for _ in range(2):
        started_at_once(projects)
        values = [project.status_values() for project in projects]
        assert len({value["API_URL"] for value in values}) == len(projects)
        for number, (project, value) in enumerate(zip(projects, values, strict=True)):
            key = {"apikey": value["PUBLISHABLE_KEY"]}
            rows = httpx.get(f"{value['API_URL']}/rest/v1/things", headers=key, timeout=20).json()
            assert rows == [{"id": 1, "name": f"of {number}"}]
            queried = project.run("db", "query", "select name from shop.things", "-o", "json")
            assert queried.returncode == 0, queried.stderr
            assert json.loads(queried.stdout) == [{"name": f"of {number}"}], queried.stderr
        for project in projects:
            assert project.run("stop").returncode == 0


def test_third_failed_bind_of_a_new_stack_is_its_end(project: SmallProject) -> None:
    project.start()
    assert project.run("stop").returncode == 0
    environ = {**os.environ, **stack_environ(open_project(project.root, clean_environ({})))}
    command = [sys.executable, "-m", "localbase.cli.stack.supervision", "--workdir", str(project.root)]
    with socket.create_server(("127.0.0.1", PORT + 1)):
        subprocess.run(command, env=environ, timeout=60, check=True)
    lost = report(open_project(project.root, {}))["lost"]
    assert lost == {"process": "postgres", "port": PORT + 1}
    assert "is taken by another program" in (project.state / "logs" / "postgres.log").read_text()


def test_start_waits_for_a_port_without_a_listener(project: SmallProject) -> None:
    """As that of a connection that has ended."""
    own = {"SUPABASE_API_PORT": str(_OWN_PORT)}
    with socket.socket() as ended:
        ended.bind(("127.0.0.1", _OWN_PORT))
        child = project.begin("start", **own)
        assert child.stderr is not None
        line = next(line for line in child.stderr if "waiting for port" in line)
        assert str(_OWN_PORT) in line
        # No other start waits meanwhile: were the choice still this one's, it would give up before this goes on.
        with choosing(clean_environ({})):
            assert child.poll() is None
    _, errors = child.communicate()
    assert child.returncode == 0, errors
    status = project.run("status", "-o", "env", **own)
    assert f'API_URL="http://127.0.0.1:{_OWN_PORT}"' in status.stdout
