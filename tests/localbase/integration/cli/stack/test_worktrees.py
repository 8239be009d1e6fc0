"""Two worktrees of one project run side by side: the second one gets free ports, and they stay its own."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from localbase.core.moved_ports import moved_file

from tests.localbase.integration.small_project import PORT, SmallProject
from tests.support.project_files import ProjectFiles

_SITE, _SIDE = PORT + 8, PORT + 9
_CONFIG = f"""
[auth]
site_url = "http://127.0.0.1:{_SITE}"
additional_redirect_urls = ["http://localhost:{_SITE}/**"]
"""
_SERVER = """
import http.server, os, sys
from urllib.parse import urlsplit
port = int(sys.argv[1]) if sys.argv[1:] else urlsplit(os.environ["SITE_URL"]).port
http.server.test(http.server.SimpleHTTPRequestHandler, port=port, bind="127.0.0.1")
"""
_PROCESSES = f"""
[side]
command = ["python", "serve.py", "${{SIDE_PORT:-{_SIDE}}}"]
ready = "http://127.0.0.1:${{SIDE_PORT:-{_SIDE}}}/"

[site]
command = ["python", "serve.py"]
ready = "${{SITE_URL}}/"
"""
_FUNCTION = """
import os
import functions_framework

@functions_framework.http
def where(request: object) -> str:
    return os.environ["SUPABASE_URL"]
"""


FILES = ProjectFiles(
    config=_CONFIG,
    functions={"where": _FUNCTION},
    others={"processes.toml": _PROCESSES, "../serve.py": _SERVER},
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The register of the stacks that run."""
    return {"XDG_STATE_HOME": str(tmp_path_factory.mktemp("state"))}


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    with SmallProject(tmp_path_factory.mktemp("main") / "main", FILES) as made:
        yield made


@pytest.fixture
def main(first: SmallProject, home: dict[str, str]) -> SmallProject:
    """The one that has the ports, running."""
    first.start(**home)
    return first


@pytest.fixture
def second(tmp_path: Path) -> Iterator[SmallProject]:
    """Another worktree."""
    with SmallProject(tmp_path / "second", FILES) as made:
        yield made


def values(project: SmallProject, home: dict[str, str]) -> dict[str, str]:
    variables: dict[str, str] = json.loads(project.run("status", "-o", "json", **home).stdout)
    return variables


def where(api: str, key: str) -> httpx.Response:
    return httpx.get(f"{api}/functions/v1/where", headers={"authorization": f"Bearer {key}"}, timeout=30)


def test_port_that_the_environment_names_or_a_strange_program_has_is_an_error(
    main: SmallProject, second: SmallProject, home: dict[str, str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as strange:
        port = strange.getsockname()[1]
        for name, number in {"SUPABASE_API_PORT": PORT, "SUPABASE_DB_PORT": port}.items():
            refused = second.begin("start", **home, **{name: str(number)})
            said = refused.communicate()[1]
            assert refused.returncode == 1
            assert f"Port {number} is taken by another program" in said
    assert not moved_file(second.state).exists()


def test_second_worktree_gets_free_ports_that_stay_its_own(
    main: SmallProject, second: SmallProject, home: dict[str, str]
) -> None:
    started = second.run("start", **home)
    assert started.returncode == 0, started.stderr
    assert f"The ports of other are taken by the stack in {main.root}." in started.stderr
    here, there = values(main, home), values(second, home)
    assert here["API_URL"] == f"http://127.0.0.1:{PORT}"
    step = int(there["API_URL"].rpartition(":")[2]) - PORT
    assert step >= 100
    assert there["SITE_URL"] == f"http://127.0.0.1:{_SITE + step}"
    assert there["DB_URL"] == f"postgresql://postgres:postgres@127.0.0.1:{PORT + 1 + step}/postgres"
    assert there["SIDE_PORT"] == str(_SIDE + step)
    for variables in (here, there):
        response = where(variables["API_URL"], variables["ANON_KEY"])
        assert (response.status_code, response.text) == (200, variables["API_URL"])
        assert httpx.get(variables["SITE_URL"]).status_code == 200
    assert httpx.get(f"http://127.0.0.1:{_SIDE + step}").status_code == 200
    # A magic link leads to the second one's own API and site.
    key = {"apikey": there["SECRET_KEY"], "authorization": f"Bearer {there['SERVICE_ROLE_KEY']}"}
    body = {"type": "magiclink", "email": "a@example.com"}
    link = httpx.post(f"{there['API_URL']}/auth/v1/admin/generate_link", headers=key, json=body).json()
    assert link["action_link"].startswith(f"{there['API_URL']}/auth/v1/verify?")
    assert link["action_link"].endswith(f"redirect_to={quote(there['SITE_URL'], safe='')}")
    # Each command finds its own stack; a reset keeps the ports.
    assert second.run("db", "reset", **home).returncode == 0
    assert values(second, home) == there
    assert main.run("stop", **home).returncode == 0
    assert httpx.get(there["SITE_URL"]).status_code == 200
    assert second.run("stop", **home).returncode == 0
    assert second.run("start", **home).returncode == 0
    assert values(second, home) == there
