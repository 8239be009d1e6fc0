"""`localbase_project`: each test of a foreign project finds nothing of the one before, in a moment."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from localbase.testing.fresh_stack import FreshStack

from tests.support.project_files import ProjectFiles
from tests.support.random_cases import few
from tests.support.stacks import clean_environ

_CONFIG = """
project_id = "tested"
[api]
port = 1
[db]
port = 2
[storage.buckets.drafts]
public = true
[auth.rate_limit]
email_sent = 1
"""
_MIGRATION = """
create table public.notes (id int generated always as identity primary key, text text, owner uuid default auth.uid());
grant all on public.notes to anon, authenticated, service_role;
alter table public.notes enable row level security;
create policy own on public.notes using (owner = auth.uid() or owner is null) with check (true);
"""
_SEED = "insert into public.notes (text) values ('first');"
_FUNCTION = """
import flask
import functions_framework

@functions_framework.http
def hello(request: flask.Request) -> str:
    return "hello"
"""
# Each test sees a project as it was made, and leaves something everywhere; the second one is the same as the first.
_TESTS = """
import pathlib
import time
import httpx
import psycopg
import pytest


@pytest.mark.parametrize("turn", range(3))
def test_nothing_is_left_of_the_test_before(localbase_project, turn):
    project = localbase_project
    assert project.values["API_URL"] == project.api_url
    keys = {"apikey": project.secret_key, "authorization": f"Bearer {project.service_role_key}"}
    anonymous = {"apikey": project.publishable_key}
    rest, auth, storage = (f"{project.api_url}/{name}/v1" for name in ("rest", "auth", "storage"))
    # Rows and sequences.
    assert httpx.get(f"{rest}/notes", headers=anonymous).json() == [{"id": 1, "text": "first", "owner": None}]
    made = httpx.post(f"{rest}/notes", headers={**keys, "prefer": "return=representation"}, json={"text": "new"})
    assert (made.status_code, made.json()[0]["id"]) == (201, 2)
    # The gateway's cache of the schema.
    assert httpx.get(f"{rest}/later", headers=keys).json()["code"] == "PGRST205"
    # Users, and the limits on their mails.
    account = {"email": "alice@example.com", "password": "correct horse"}
    signed = httpx.post(f"{auth}/signup", headers=anonymous, json=account)
    assert signed.status_code == 200, signed.text
    assert httpx.post(f"{auth}/recover", headers=anonymous, json={"email": account["email"]}).status_code == 200
    assert httpx.post(f"{auth}/recover", headers=anonymous, json={"email": account["email"]}).status_code == 429
    # Buckets and objects.
    assert [bucket["id"] for bucket in httpx.get(f"{storage}/bucket", headers=keys).json()] == ["drafts"]
    assert httpx.post(f"{storage}/object/list/drafts", headers=keys, json={"prefix": ""}).json() == []
    assert httpx.post(f"{storage}/object/drafts/a.txt", headers=keys, content=b"x").status_code == 200
    # Mails.
    mails = f"{project.mailbox_url}/api/v1/messages"
    deadline = time.monotonic() + 10
    while (found := httpx.get(mails).json()["total"]) == 0:
        assert time.monotonic() < deadline
    assert found == 1
    # Roles and schema.
    with psycopg.connect(project.db_url, autocommit=True) as connection:
        assert connection.execute("select from pg_roles where rolname = 'later'").fetchone() is None
        connection.execute("create role later")
        connection.execute("create table public.later (id int)")
        connection.execute("grant all on public.later to service_role; notify pgrst, 'reload schema'")
    deadline = time.monotonic() + 10
    while httpx.get(f"{rest}/later", headers=keys).status_code != 200:
        assert time.monotonic() < deadline
    # Functions run.
    headers = {"authorization": f"Bearer {project.anon_key}"}
    response = httpx.get(f"{project.api_url}/functions/v1/hello", headers=headers)
    assert (response.status_code, response.text) == (200, "hello")
"""


# What is installed here beside localbase's, and takes long to import.
_WITHOUT = ("-p", "no:schemathesis", "-p", "no:hypothesispytest")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="localbase-tested-") as name:
        root = Path(name)
        # Postgres runs as another user when the tests run as root.
        root.chmod(0o755)
        ProjectFiles(
            _CONFIG,
            {"20260101000000_notes.sql": _MIGRATION},
            _SEED,
            {"hello": _FUNCTION},
            {"../pytest.ini": "[pytest]\n", "../test_notes.py": _TESTS},
        ).write(root)
        yield root


def run_pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environ = clean_environ({})
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_ADDOPTS"):
        environ.pop(name, None)
    # Limits on sign-up are the project's own here.
    environ = {name: value for name, value in environ.items() if not name.startswith("SUPABASE_AUTH_RATE")}
    # Of its own: pytest closes the folder that all its sessions share to other users, and Postgres is one.
    base = f"--basetemp={folder / 'base'}"
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *_WITHOUT,
            base,
            *arguments,
            str(folder),
        ],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


def left(folder: Path) -> list[str]:
    paths = (folder / "supabase" / ".localbase").iterdir()
    return sorted(path.name for path in paths if path.suffix != ".lock")


@pytest.mark.parametrize("arguments", few([["-p", "no:xdist"], ["--numprocesses", "2"]], 1), ids="".join)
def test_each_test_finds_nothing_of_the_one_before(folder: Path, arguments: list[str]) -> None:
    done = run_pytest(folder, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout
    assert left(folder) == []


def test_failing_migration_is_said_as_the_command_says_it(folder: Path) -> None:
    bad = folder / "supabase" / "migrations" / "20260102000000_bad.sql"
    bad.write_text("select nonsense;")
    done = run_pytest(folder, "-p", "no:xdist")
    bad.unlink()
    assert done.returncode == 1
    assert "20260102000000_bad.sql, line 1" in done.stdout
    assert "Traceback" not in done.stdout
    assert left(folder) == []


def test_two_runs_at_once_have_stacks_of_their_own(folder: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("SUPABASE_")}
    first, second = FreshStack(folder, environ, "twice"), FreshStack(folder, environ, "twice")
    try:
        assert first.project.state != second.project.state
        assert first.addresses()["api_url"] != second.addresses()["api_url"]
    finally:
        first.close()
        second.close()
    assert left(folder) == []
