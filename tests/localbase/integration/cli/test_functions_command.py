"""`supabase functions new | list | serve | deploy | logs` on a running stack."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.localbase.integration.small_project import until
from tests.support.stacks import SUPABASE, Stack, clean_environ, supabase


def command(stack: Stack, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        supabase("functions", *arguments, "--workdir", stack.root),
        env=clean_environ(stack.environ),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )


@contextmanager
def running(stack: Stack, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    child = subprocess.Popen(
        [str(SUPABASE), "functions", *arguments, "--workdir", str(stack.root)],
        env=clean_environ(stack.environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # a shell that starts the tests in the background has them, and all that they start, ignore Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def line_with(child: subprocess.Popen[str], text: str) -> str:
    """The next line of a command's output that holds `text`; the test's own limit of time ends the wait."""
    assert child.stdout
    for line in child.stdout:
        if text in line:
            return line.rstrip("\n")
    raise AssertionError(f"the command ended without {text!r}")


def echo(stack: Stack, request_id: str) -> int:
    response = httpx.post(f"{stack.api_url}/functions/v1/echo", headers={"x-request-id": request_id})
    return response.status_code


@pytest.mark.parametrize("slug", ["made-by-new", "Made_2"])
def test_new_function_answers_at_once(services: Stack, slug: str) -> None:
    assert command(services, "new", slug).returncode == 0
    headers = {"authorization": f"Bearer {services.service_role_key}"}
    response = httpx.post(
        f"{services.api_url}/functions/v1/{slug}", json={"name": "Ada"}, headers=headers, timeout=20
    )
    assert response.json() == {"message": "Hello Ada!"}
    again = command(services, "new", slug)
    assert (again.returncode, "exists already" in again.stderr) == (1, True)


@pytest.mark.parametrize(
    ("auth", "headers", "status"),
    [
        ("none", {"authorization": "anon"}, 200),
        ("apikey", {"authorization": "anon"}, 401),
        ("apikey", {"authorization": "anon", "apikey": "publishable"}, 200),
        ("user", {"authorization": "anon"}, 401),
    ],
)
def test_new_function_checks_its_callers(
    services: Stack, auth: str, headers: dict[str, str], status: int
) -> None:
    slug = f"checks-{auth}"
    config = services.root / "supabase" / "config.toml"
    text = config.read_text()
    command(services, "new", slug, "--auth", auth)
    keys = {"publishable": services.publishable_key, "anon": f"Bearer {services.anon_key}"}
    sent = {name: keys[value] for name, value in headers.items()}
    try:
        assert ("verify_jwt" in config.read_text()[len(text) - 1 :]) == (auth != "user")
        response = httpx.post(f"{services.api_url}/functions/v1/{slug}", headers=sent, timeout=20)
    finally:
        config.write_text(text)
        shutil.rmtree(services.root / "supabase" / "functions" / slug, ignore_errors=True)
    assert response.status_code == status


@pytest.mark.parametrize("slug", ["2fast", "a/b", "..", "_shared", "import", "a b", "x" * 200])
def test_new_function_needs_a_name_that_python_and_addresses_can_have(services: Stack, slug: str) -> None:
    done = command(services, "new", slug)
    assert done.returncode == 1
    assert f"error: {slug!r} is no function name." in done.stderr


def test_list_shows_functions_with_their_settings(services: Stack) -> None:
    done = command(services, "list")
    assert done.returncode == 0
    rows = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    assert rows["NAME"] == ["ENABLED", "VERIFY", "JWT", "ENTRYPOINT"]
    assert rows["echo"] == ["yes", "no", "supabase/functions/echo/main.py"]
    assert rows["neighbour"] == ["yes", "yes", "supabase/functions/neighbour/main.py"]
    assert rows["off"] == ["no", "yes", "supabase/functions/off/main.py"]
    assert rows["moved-away"] == ["yes", "no", "supabase/functions/moved/app.py"]
    assert "gone" not in rows


_GCLOUD = """#!/bin/sh
echo "$@" >> "$GCLOUD_LOG"
for word in "$@"; do case "$word" in --source=*) find "${word#--source=}" -type f | sort >> "$GCLOUD_LOG";; esac; done
case "$*" in *neighbour*) exit 7;; esac
"""


def deployed(
    stack: Stack, folder: Path, *arguments: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """The command with a gcloud that writes down what it is called with, and which files are in its source."""
    (folder / "gcloud").write_text(_GCLOUD)
    (folder / "gcloud").chmod(0o755)
    log = folder / "log"
    log.write_text("")
    environ = {"PATH": f"{folder}:{os.environ['PATH']}", "GCLOUD_LOG": str(log)}
    done = subprocess.run(
        supabase("functions", "deploy", *arguments, "--workdir", stack.root),
        env=clean_environ({**stack.environ, **environ}),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    return done, log.read_text().splitlines()


def test_deploy_gives_gcloud_a_folder_that_holds_all(services: Stack, tmp_path: Path) -> None:
    done, log = deployed(
        services, tmp_path, "moved-away", "off", "--region", "europe-west1", "--project", "shop"
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    folder = services.state / "deploy"
    words = "--gen2 --runtime=python312 --region=europe-west1"
    assert [line for line in log if line.startswith("functions")] == [
        # Its callers need no token here either.
        f"functions deploy moved-away {words} --source={folder}/moved-away --entry-point=moved_away --trigger-http"
        " --allow-unauthenticated --project=shop",
        f"functions deploy off {words} --source={folder}/off --entry-point=off --trigger-http"
        " --no-allow-unauthenticated --project=shop",
    ]
    files = [line.removeprefix(f"{folder}/") for line in log if not line.startswith("functions")]
    shared = "_shared/greeting.py"
    assert {"moved-away/main.py", f"moved-away/{shared}", "off/main.py", f"off/{shared}"} <= set(files)
    assert not any(".env" in name or "__pycache__" in name for name in files)


def test_deploy_that_fails_ends_with_gclouds_code(services: Stack, tmp_path: Path) -> None:
    done, log = deployed(services, tmp_path, "neighbour", "echo")
    assert done.returncode == 7
    assert "neighbour was not deployed: gcloud ended with 7." in done.stderr
    assert not any("deploy echo" in line for line in log)


def test_deploy_shows_its_commands_without_running_them(services: Stack, tmp_path: Path) -> None:
    done, log = deployed(services, tmp_path, "--dry-run", "--no-verify-jwt")
    lines = done.stdout.splitlines()
    assert (done.returncode, log) == (0, [])
    assert all(line.startswith("gcloud functions deploy ") for line in lines)
    assert all("--allow-unauthenticated" in line for line in lines)
    slugs = {line.split(" ")[3] for line in lines}
    assert {"echo", "neighbour"} <= slugs
    assert "off" not in slugs


def test_deploy_of_a_function_that_is_none_is_an_error(services: Stack, tmp_path: Path) -> None:
    done, log = deployed(services, tmp_path, "echo", "nothing")
    assert (done.returncode, log) == (1, [])
    assert "There is no function 'nothing'." in done.stderr


def test_deploy_without_gcloud_says_what_to_install(services: Stack, tmp_path: Path) -> None:
    done = subprocess.run(
        supabase("functions", "deploy", "echo", "--workdir", services.root),
        env=clean_environ({**services.environ, "PATH": str(tmp_path)}),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert done.returncode == 1
    assert "Install the Google Cloud CLI" in done.stderr


def test_logs_show_the_last_lines_of_one_function(services: Stack) -> None:
    for number in range(3):
        assert echo(services, f"logs-{number}") == 201
    httpx.get(f"{services.api_url}/functions/v1/mirror", headers={"x-request-id": "logs-mirror"})
    assert until(lambda: "logs-mirror" in command(services, "logs").stdout)
    lines = command(services, "logs", "echo", "-n", "2").stdout.splitlines()
    assert [line.split()[-1] for line in lines] == ["logs-1", "logs-2"]
    assert all(line.split()[2:4] == ["echo", "answered"] for line in lines)
    missing = command(services, "logs", "missing")
    assert (missing.returncode, "There is no function 'missing'" in missing.stderr) == (1, True)


def test_logs_follow_shows_lines_to_come(services: Stack) -> None:
    with running(services, "logs", "echo", "-n", "0", "-f") as child:
        assert until(lambda: echo(services, "followed") == 201 and _has_output(child))
        assert line_with(child, "followed").split()[2:4] == ["echo", "answered"]


def _has_output(child: subprocess.Popen[str]) -> bool:
    assert child.stdout
    return bool(select.select([child.stdout.fileno()], [], [], 0.2)[0])


def environ_of(stack: Stack, name: str) -> str | None:
    response = httpx.get(f"{stack.api_url}/functions/v1/trouble", params={"do": "environ", "name": name})
    value: str | None = response.json()[name]
    return value


def test_serve_gives_variables_and_lets_callers_in_until_it_ends(services: Stack, tmp_path: Path) -> None:
    file = tmp_path / "serve.env"
    file.write_text("OWN=of serve\nSUPABASE_URL=http://elsewhere.example\n")
    closed = f"{services.api_url}/functions/v1/neighbour"
    assert httpx.post(closed).status_code == 401
    with running(services, "serve", "--env-file", str(file), "--no-verify-jwt") as child:
        assert "SUPABASE_URL" in line_with(child, "skipping")
        first = line_with(child, "Serving functions on")
        assert first == f"Serving functions on {services.api_url}/functions/v1/<function-name>"
        assert until(lambda: httpx.post(closed).status_code == 200)
        assert until(lambda: environ_of(services, "OWN") == "of serve")
        assert environ_of(services, "SUPABASE_URL") == services.api_url
        assert echo(services, "during-serve") == 201
        assert " echo answered 201 " in line_with(child, "during-serve")
        child.send_signal(signal.SIGINT)
        assert line_with(child, "Stopped serving") == "Stopped serving supabase/functions"
        assert child.wait(10) == 0
    assert until(lambda: httpx.post(closed).status_code == 401)
    assert until(lambda: environ_of(services, "OWN") is None)


def test_serve_that_is_killed_leaves_no_door_open(services: Stack) -> None:
    closed = f"{services.api_url}/functions/v1/neighbour"
    with running(services, "serve", "--no-verify-jwt") as child:
        assert until(lambda: httpx.post(closed).status_code == 200)
        child.kill()
        child.wait()
        assert (services.state / "functions-serve.json").exists()
        assert httpx.post(closed).status_code == 401


def test_serve_needs_a_file_that_exists(services: Stack, tmp_path: Path) -> None:
    done = command(services, "serve", "--env-file", str(tmp_path / "missing"))
    assert (done.returncode, "There is no file" in done.stderr) == (1, True)


def test_serve_needs_a_running_stack(tmp_path: Path) -> None:
    (tmp_path / "supabase" / "functions").mkdir(parents=True)
    done = subprocess.run(
        supabase("functions", "serve", "--workdir", tmp_path),
        env=clean_environ({}),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert (done.returncode, "is not running" in done.stderr) == (1, True)
