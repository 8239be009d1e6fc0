"""When a process serves, as the command that starts it sees it."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from localbase.cli.stack.processes import Process
from localbase.cli.stack.stack import all_serve
from localbase.core.project import Project
from localbase.core.settings import Settings
from localbase.core.web.identity import HEADER


@contextmanager
def answering(status: int, identity: str = "") -> Iterator[str]:
    """The address of a server that answers every request so."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("location", "/elsewhere")
            self.send_header(HEADER.title(), identity)
            self.end_headers()

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/up?deep=1"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path, Settings(), {})


def process(address: str, *command: str) -> Process:
    return Process("web", command or ("node", "web.js"), Path("/"), ready=address)


@pytest.mark.parametrize(("status", "serves"), [(200, True), (307, True), (404, False), (503, False)])
def test_process_serves_when_it_answers_well(project: Project, status: int, serves: bool) -> None:
    with answering(status) as address:
        assert all_serve(project, [process(address)]) is serves


def test_process_that_does_not_listen_does_not_serve(project: Project) -> None:
    with answering(200) as address:
        pass
    assert not all_serve(project, [process(address)])


@pytest.mark.parametrize("is_ours", [True, False])
def test_process_of_localbase_serves_when_it_is_this_stacks(project: Project, *, is_ours: bool) -> None:
    own = ("python", "-m", "localbase.gateway.server")
    with answering(200, project.identity if is_ours else "another") as address:
        assert all_serve(project, [process(address, *own)]) is is_ours
