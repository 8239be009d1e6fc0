"""A restart's request: either the supervisor carries it out, or the next command takes it back. Never both."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from localbase.cli.stack.restart import RestartRequest, end_request, settle, take_request
from localbase.core.project import Project
from localbase.core.settings import Settings


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path, Settings(project_id="other"), {})
    made.state.mkdir(parents=True)
    # This process is the supervisor.
    (made.state / "supervisor.json").write_text(json.dumps({"pid": os.getpid()}))
    return made


def request_of(project: Project) -> RestartRequest:
    made = RestartRequest("1", {"A": "b"}, project.state, project.state / "postgres", copy=Path("/copy"))
    made.write(project.state / "restart.json")
    return made


def test_request_is_taken_once(project: Project) -> None:
    made = request_of(project)
    assert take_request(project) == made
    assert take_request(project) is None


def test_request_of_a_killed_command_is_taken_back(project: Project) -> None:
    request_of(project)
    settle(project)
    assert take_request(project) is None
    assert sorted(path.name for path in project.state.iterdir()) == ["supervisor.json"]


def test_next_command_waits_for_a_restart_that_is_under_way(project: Project) -> None:
    request_of(project)
    take_request(project)
    waiting = threading.Thread(target=settle, args=[project])
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive()
    end_request(project)
    waiting.join(10)
    assert not waiting.is_alive()


@pytest.mark.parametrize(
    "module", ["localbase.cli.main", "localbase.cli.database.snapshots", "localbase.cli.stack.supervision"]
)
def test_way_to_a_restart_imports_no_client_of_postgres_and_no_loop(module: str) -> None:
    """Each would take longer than all the rest of the module's import, while clients may be waiting."""
    program = f"import sys, {module}; sys.exit(bool({{'psycopg', 'asyncio'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
