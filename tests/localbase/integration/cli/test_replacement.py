"""`localbase start` in place of the official `supabase start`: any project, and no file of it edited."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from supabase import Client, create_client
from tests.localbase.integration.cli.foreign_projects import FOREIGN, Foreign, heard_broadcast
from tests.localbase.integration.small_project import until
from tests.support.deno import HOME as DENO
from tests.support.docker_daemon import docker_daemon
from tests.support.official_cli import run_official_cli
from tests.support.ports import WORKER, ports_of
from tests.support.random_cases import few
from tests.support.stacks import ROOT, clean_environ, run, supabase

# What the official stack has and this one has not: GraphQL and a server of the Model Context Protocol.
_MISSING = {"GRAPHQL_URL", "MCP_URL"}
_PORTS = ports_of("replacement")


@pytest.fixture(scope="module")
def docker() -> Iterator[str]:
    with docker_daemon() as address:
        yield address


@dataclass(frozen=True)
class Copy:
    """A project as it is cloned, and the installed command."""

    root: Path
    command: Path
    docker: str
    home: Path
    environ: Mapping[str, str]

    def localbase(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """The command in the project's folder, as a person types it."""
        # Deno is a program of the developer's own, as the browser and git are.
        (deno,) = DENO.glob("node_modules/@deno/*")
        paths = f"{deno}{os.pathsep}{os.environ['PATH']}"
        environ = {**clean_environ(self.environ), "SUPABASE_STUDIO_ENABLED": "true", "PATH": paths}
        done = subprocess.run(
            [str(self.command), *arguments],
            cwd=self.root,
            env={**environ, "HOME": str(self.home)},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def official(self) -> dict[str, str]:
        """`supabase status` of the official command line, which warns of nothing."""
        environ = {**self.environ, "DOCKER_HOST": self.docker}
        done = run_official_cli(["status", "-o", "json"], self.home, self.root, environ)
        assert (done.returncode, done.stderr) == (0, "")
        values: dict[str, str] = json.loads(done.stdout)
        return values

    def without_ports(self) -> Copy:
        """The same with the ports of its config.toml."""
        environ = {name: value for name, value in self.environ.items() if name not in _PORTS}
        return Copy(self.root, self.command, self.docker, self.home, environ)

    def changed(self) -> str:
        """Return what git sees of the start."""
        return run(
            ["git", "status", "--porcelain", "--untracked-files=all"], os.environ, cwd=self.root
        ).stdout


@contextmanager
def cloned(
    source: Path, localbase: Path, docker: str, home: Path, environ: Mapping[str, str]
) -> Iterator[Copy]:
    """Postgres's user must reach the project, so it lies beside the other copies."""
    root = ROOT / ".localbase" / "projects" / str(WORKER) / "replacement" / source.name
    made = Copy(root, localbase, docker, home, {**_PORTS, **environ})
    if root.exists():
        # left behind by a run that was killed
        made.localbase("stop")
        shutil.rmtree(root)
    hidden = shutil.ignore_patterns(".localbase", ".temp", "node_modules", "__pycache__")
    shutil.copytree(source, root, ignore=hidden)
    # The official command line writes its state there, and `supabase init` a line of .gitignore.
    (root / ".gitignore").write_text("supabase/.temp\n__pycache__\n")
    git = ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    run(["git", "init", "--quiet"], os.environ, cwd=root)
    run([*git, "add", "--all", "--force"], os.environ, cwd=root)
    run([*git, "commit", "--quiet", "--message", "first"], os.environ, cwd=root)
    try:
        yield made
    finally:
        made.localbase("stop")
        shutil.rmtree(root)


def require_equal(official: Mapping[str, str], ours: Mapping[str, Any]) -> None:
    """Every key and address of the official command line is the same here."""
    assert {name: ours.get(name) for name in official.keys() - _MISSING} == {
        name: value for name, value in official.items() if name not in _MISSING
    }


@pytest.mark.parametrize("foreign", few(FOREIGN, 4), ids=lambda each: each.folder.name)
def test_project_starts_as_it_is_and_every_service_answers(
    foreign: Foreign, localbase: Path, docker: str, tmp_path: Path
) -> None:
    # The installed one is what it is for every project: test_wheel.py holds that it is whole.
    command = localbase if foreign is FOREIGN[0] else Path(supabase()[0])
    with cloned(foreign.folder, command, docker, tmp_path, foreign.environ) as copy:
        as_configured = copy.without_ports()
        require_equal(
            as_configured.official(),
            json.loads(as_configured.localbase("status", "-o", "json", code=1).stdout),
        )
        started = copy.localbase("start")
        assert started.stderr.count("  note: ") == foreign.notes, started.stderr
        values = json.loads(copy.localbase("status", "-o", "json").stdout)
        if foreign is FOREIGN[0]:
            # With the environment's ports, as those of config.toml above.
            require_equal(copy.official(), values)

        service = create_client(values["API_URL"], values["SERVICE_ROLE_KEY"])
        for schema, table, expected in foreign.rows:
            page = service.schema(schema).table(table).select(",".join(expected[0])).execute()
            assert page.data[: len(expected)] == expected
        account = create_client(values["API_URL"], values["ANON_KEY"])
        require_account(account)
        if foreign.sent:
            account.auth.reset_password_for_email("ada@example.com")
            assert until(partial(holds_row, values["DB_URL"], foreign.sent))
        service.storage.create_bucket("of-a-test")
        service.storage.from_("of-a-test").upload("note.txt", b"a file", {"content-type": "text/plain"})
        assert service.storage.from_("of-a-test").download("note.txt") == b"a file"
        for slug, body, response in foreign.functions:
            called = service.functions.invoke(slug, {"body": body})
            assert isinstance(called, bytes)
            assert json.loads(called) == response
        if foreign.has_realtime:
            assert heard_broadcast(values["API_URL"], values["PUBLISHABLE_KEY"]) == {"text": "hello"}
        with psycopg.connect(values["DB_URL"]) as connection:
            for query, result in foreign.queries:
                assert connection.execute(query.encode()).fetchall() == result, query
        assert copy.changed() == ""


def holds_row(db_url: str, query: str) -> bool:
    """Tell whether the query finds anything."""
    with psycopg.connect(db_url) as connection:
        return connection.execute(query.encode()).fetchone() is not None


def require_account(client: Client) -> None:
    """A sign-up as any project allows it."""
    address = "ada@example.com"
    made = client.auth.sign_up({"email": address, "password": "correct-horse-7"})
    assert made.user
    assert made.user.email == address


def test_every_project_of_the_repository_is_among_them() -> None:
    folders = [*(ROOT / "examples").glob("*/"), *(ROOT / "tests" / "projects").glob("*/")]
    assert {each.folder for each in FOREIGN} == {each for each in folders if each.name != "remote_bytes"}


def test_official_command_names_the_one_section_that_is_ours(docker: str, tmp_path: Path) -> None:
    project = tmp_path / "remote_bytes"
    shutil.copytree(ROOT / "tests" / "projects" / "remote_bytes", project)
    done = run_official_cli(["status", "-o", "json"], tmp_path, project, {"DOCKER_HOST": docker})
    assert done.returncode == 0
    (warning,) = done.stderr.splitlines()
    assert "does not recognize and ignores: storage.bytes. " in warning


def test_project_of_the_official_init_starts_with_every_section_it_wrote(docker: str, tmp_path: Path) -> None:
    made = tmp_path / "fresh"
    made.mkdir()
    done = run_official_cli(["init"], tmp_path, made, {})
    assert done.returncode == 0, done.stderr
    config = made / "supabase" / "config.toml"
    assert "[experimental.pgdelta]" in config.read_text()
    with cloned(made, Path(supabase()[0]), docker, tmp_path, {}) as copy:
        copy.localbase("start")
        values = json.loads(copy.localbase("status", "-o", "json").stdout)
        require_equal(copy.official(), values)
        require_account(create_client(values["API_URL"], values["PUBLISHABLE_KEY"]))
        assert copy.changed() == ""
