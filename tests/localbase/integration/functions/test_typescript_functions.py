"""A foreign project's TypeScript functions: served by Deno behind the same gateway as Python ones."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.localbase.integration.functions import typescript_functions
from tests.localbase.integration.small_project import PORT, SmallProject, is_alive, until
from tests.support.deno import HOME, installed_deno
from tests.support.logs import read_log
from tests.support.project_files import ProjectFiles

_ADDRESS = f"http://127.0.0.1:{PORT}/functions/v1"
_KEY = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
_NO_DENO = {
    "code": "BOOT_ERROR",
    "message": "This function needs Deno, which is not installed: npm install --save-dev deno",
}


def write_files(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / "supabase" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def path_without_deno() -> str:
    """PATH without the folders that hold a Deno."""
    folders = os.environ["PATH"].split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if not (Path(folder) / "deno").exists())


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    """Runs with Deno among its own npm packages."""
    assert installed_deno() is not None, "install it: python -m tests.support.deno"
    written = dict(typescript_functions.FILES)
    files = ProjectFiles(written.pop("config.toml"), others=written)
    with SmallProject(tmp_path_factory.mktemp("typescript"), files, runs_functions=True) as made:
        (made.root / "node_modules").symlink_to(HOME / "node_modules")
        made.start(PATH=path_without_deno())
        yield made


def get(slug: str, **arguments: Any) -> httpx.Response:
    return httpx.get(f"{_ADDRESS}/{slug}", timeout=30, **arguments)


def logged(project: SmallProject, text: str) -> bool:
    return until(lambda: text in read_log(project.state, "functions"), 10)


def pid_of(project: SmallProject) -> int:
    del project
    return int(get("trouble").json()["pid"])


def test_function_gets_the_request_and_its_variables(project: SmallProject) -> None:
    response = httpx.post(
        f"{_ADDRESS}/open/a/b?q=1&q=ä", content="a body", headers={"x-mine": "1"}, timeout=30
    )
    assert response.status_code == 201
    assert response.headers["x-of"] == "shared"
    body = response.json()
    assert "x-localbase-function-key" not in body.pop("headers")
    assert body == {
        "url": f"http://127.0.0.1:{PORT}/open/a/b?q=1&q=%C3%A4",
        "method": "POST",
        "body": "a body",
        "greeting": "GOOD DAY",
        "own": "of the file",
        "address": f"http://127.0.0.1:{PORT}",
    }
    assert logged(project, "called with ?q=1&q=%C3%A4")
    shown = project.run("functions", "logs", "open").stdout
    assert "called with ?q=1" in shown
    assert "answered 201" in shown


def test_function_answers_preflight_requests_itself(project: SmallProject) -> None:
    response = httpx.options(f"{_ADDRESS}/open", timeout=30)
    assert (response.status_code, response.text, response.headers["x-of"]) == (200, "ok", "shared")


def test_token_is_verified_before_the_function_is_called(project: SmallProject) -> None:
    assert get("closed").status_code == 401
    key = project.status_values()["ANON_KEY"]
    response = get("closed", headers={"authorization": f"Bearer {key}"})
    assert (response.status_code, response.text) == (200, "the map of all functions")


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("mapped", "the map of config.toml"),
        ("named", "by its entrypoint"),
        ("old", "of before"),
        ("exported", "exported"),
    ],
)
def test_settings_and_older_forms_are_served(project: SmallProject, slug: str, text: str) -> None:
    response = get(slug)
    assert (response.status_code, response.text) == (200, text)


def test_python_functions_run_beside_them(project: SmallProject) -> None:
    assert get("python").json() == {"language": "Python"}
    assert get("_shared").status_code == get("silent").status_code == 404


def test_response_is_sent_while_it_is_made(project: SmallProject) -> None:
    pid_of(project)
    with httpx.stream("GET", f"{_ADDRESS}/trouble?do=stream", timeout=30) as response:
        arrivals = [(time.monotonic(), line) for line in response.iter_lines()]
    assert [line for _, line in arrivals] == ["part 1", "part 2", "part 3"]
    assert arrivals[2][0] - arrivals[0][0] > 0.3


def test_function_may_do_no_more_than_it_needs(project: SmallProject) -> None:
    body = get("trouble").json()
    variables = body.pop("variables").split()
    assert {"OWN", "GREETING", "SUPABASE_SERVICE_ROLE_KEY", "SUPABASE_JWKS"} <= set(variables)
    assert [name for name in variables if name.startswith(("LOCALBASE", "JWT_", "SMTP_"))] == []
    del body["pid"]
    refused = "NotCapable"
    assert body == {"read": refused, "write": refused, "run": refused, "own": '{"note": 1}'}


@pytest.mark.skipif(not Path("/proc/net/tcp").is_file(), reason="only Linux lists ports there")
def test_function_is_not_reached_past_the_gateway(project: SmallProject) -> None:
    pid = pid_of(project)
    statuses = {httpx.get(f"http://127.0.0.1:{port}/trouble").status_code for port in listening_ports(pid)}
    assert statuses == {403}


def listening_ports(pid: int) -> list[int]:
    """TCP ports of 127.0.0.1 on which a process of Linux listens."""
    sockets = {str(entry.readlink()) for entry in Path(f"/proc/{pid}/fd").iterdir() if entry.is_symlink()}
    lines = [line.split() for line in Path(f"/proc/{pid}/net/tcp").read_text().splitlines()[1:]]
    return [
        int(line[1].split(":")[1], 16)
        for line in lines
        if line[3] == "0A" and f"socket:[{line[9]}]" in sockets
    ]


@pytest.mark.parametrize(
    ("do", "status", "code", "words"),
    [
        # On a busy machine it gets so little processor time that the wall clock ends it first.
        ("loop", 546, "WORKER_LIMIT", "has used 1 s of processor time|takes longer than 5 s"),
        ("memory", 546, "WORKER_LIMIT", "of memory and may use 400|takes longer than 5 s"),
        ("sleep", 546, "WORKER_LIMIT", "takes longer than 5 s"),
        ("exit", 500, "WORKER_ERROR", "it exited with 3"),
    ],
)
def test_function_that_exceeds_a_limit_is_ended_and_stops_no_other(
    project: SmallProject, do: str, status: int, code: str, words: str
) -> None:
    pid = pid_of(project)
    with ThreadPoolExecutor() as pool:
        ending = pool.submit(get, f"trouble?do={do}")
        assert get("open").status_code == 201
    response = ending.result()
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert response.headers["x-relay-error"] == "true"
    assert until(lambda: re.search(words, read_log(project.state, "functions")) is not None, 5)
    assert until(lambda: not is_alive(pid), 5)
    assert get("trouble").status_code == 200


def test_error_of_a_function_is_logged_and_answered(project: SmallProject) -> None:
    response = get("trouble?do=throw")
    assert (response.status_code, response.text) == (500, "Internal Server Error")
    assert logged(project, "Error: an error of its own")


def test_work_after_the_response_is_done(project: SmallProject) -> None:
    assert get("trouble?do=later").text == "soon"
    assert logged(project, "done later")


@pytest.mark.parametrize(("slug", "words"), [("offline", "Connection refused"), ("wrong", "Expected")])
def test_code_that_cannot_be_loaded_says_why(project: SmallProject, slug: str, words: str) -> None:
    response = get(slug)
    assert response.status_code == 503
    assert response.json() == {
        "code": "BOOT_ERROR",
        "message": "Function failed to start (please check logs)",
    }
    assert logged(project, words)
    assert logged(project, f"cannot load {slug}: Deno has ended with 1; the lines above say why")


@pytest.mark.parametrize(
    ("file", "change"),
    [
        ("functions/open/text/shout.ts", lambda text: text.replace("toUpperCase", "toLowerCase")),
        ("functions/_shared/cors.ts", lambda text: text.replace("shared", "changed")),
        ("functions/.env", lambda text: text.replace("file", "changed file")),
    ],
)
def test_changed_files_are_loaded_within_a_second(
    project: SmallProject, file: str, change: Callable[[str], str]
) -> None:
    def state() -> tuple[object, ...]:
        response = get("open")
        return response.headers["x-of"], response.json()["greeting"], response.json()["own"]

    before, path = state(), project.root / "supabase" / file
    text = path.read_text()
    path.write_text(change(text))
    try:
        assert until(lambda: state() != before, 5)
    finally:
        path.write_text(text)
    assert until(lambda: state() == before, 5)


def test_without_deno_a_line_says_how_to_get_it(project: SmallProject) -> None:
    """At the end of the file: it starts the project again."""
    project.run("stop")
    (project.root / "node_modules").unlink()
    done = project.run("start", PATH=path_without_deno())
    assert done.returncode == 0, done.stderr
    assert (
        "TypeScript functions need Deno, which is not installed (npm install --save-dev deno)" in done.stderr
    )
    listed = project.run("functions", "list", PATH=path_without_deno())
    assert "npm install --save-dev deno" in listed.stderr
    assert get("python").status_code == 200
    response = get("open")
    assert (response.status_code, response.json()) == (503, _NO_DENO)
    # What was installed meanwhile serves the next call.
    (project.root / "node_modules").symlink_to(HOME / "node_modules")
    assert get("open").status_code == 201
