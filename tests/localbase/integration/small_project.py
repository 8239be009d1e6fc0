"""A small project in a folder of its own, for tests that kill, damage and reset a stack."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import httpx
import psycopg
from localbase.cli.stack.health import HealthPolicy
from localbase.cli.stack.processes import stack_environ
from localbase.cli.stack.stack import report
from localbase.core.project import open_project
from localbase.postgres.cluster import cluster_of

from tests.support.ports import first_port
from tests.support.project_files import ProjectFiles
from tests.support.stacks import clean_environ, supabase

# Of this worker alone: its projects come one after the other.
PORT = first_port("small") + 21
_FIRST = "20260101000000_things.sql"
_NO_FILES = ProjectFiles()
MIGRATION = """
create schema shop;
grant usage on schema shop to anon;
create extension if not exists moddatetime with schema extensions;
create table shop.things (id int primary key, name text);
grant select on shop.things to anon;
"""


def open_to_postgres(root: Path) -> None:
    """Lets another user reach the folder: Postgres runs as one when the tests run as root.

    Where that user cannot, the data lies elsewhere and stays, for the next project of this path.
    """
    for folder in (root, *root.parents):
        # Where everyone may make folders, everyone may enter.
        if folder == Path(tempfile.gettempdir()) or folder.stat().st_mode & stat.S_ISVTX:
            break
        folder.chmod(0o755)


class SmallProject:
    """Its `supabase/` folder below `root`, on ports of its own."""

    def __init__(
        self,
        root: Path,
        files: ProjectFiles = _NO_FILES,
        *,
        schemas: Sequence[str] = ("shop",),
        runs_functions: bool = False,
        command: Path | None = None,
    ) -> None:
        """Its own table is in the first migration, unless `files` have another. The API shows `schemas`.

        `command` is for tests whose subject is how it starts: `SUPABASE`, or another installed one.
        """
        self._command = str(command) if command else supabase()[0]
        self._started_by: Mapping[str, str] = {}
        self.root = root
        replace(
            files,
            config=_config(schemas, runs_functions=runs_functions or bool(files.functions)) + files.config,
            migrations={_FIRST: MIGRATION, **files.migrations},
            seed=files.seed or "insert into shop.things values (1, 'first');",
        ).write(root)
        open_to_postgres(root)

    def __enter__(self) -> Self:
        """Throws away what a run that was killed has left at this path."""
        if self.data.exists():
            self.run("stop", "--no-backup")
        return self

    def __exit__(self, *_: object) -> None:
        """Stops it and throws its data away."""
        self.run("stop", "--no-backup", **self._started_by)

    @property
    def state(self) -> Path:
        """The folder of its stack's data and logs."""
        return self.root / "supabase" / ".localbase" / "other"

    @property
    def data(self) -> Path:
        """Postgres's data folder."""
        return cluster_of(open_project(self.root, {})).data

    def migration(self, name: str, text: str) -> None:
        """Writes a migration's file."""
        self.write(f"migrations/{name}", text)

    def write(self, name: str, text: str) -> None:
        """Writes a file of its `supabase/` folder."""
        path = self.root / "supabase" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def begin(self, *arguments: str, **extra: str) -> subprocess.Popen[str]:
        """Starts the command."""
        return subprocess.Popen(
            [self._command, *arguments, "--workdir", str(self.root)],
            env=clean_environ(extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        """Runs the command and waits for it."""
        child = self.begin(*arguments, **extra)
        out, errors = child.communicate()
        return subprocess.CompletedProcess(child.args, child.returncode, out, errors)

    def start(self, **extra: str) -> str:
        """`supabase start`, which must succeed. Returns its output."""
        self._started_by = extra
        done = self.run("start", **extra)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def supervised(self, policy: HealthPolicy) -> Iterator[None]:
        """The stack, which has been stopped, under a supervisor with another policy than usual."""
        command = [sys.executable, "-m", "localbase.cli.stack.supervision", "--workdir", str(self.root)]
        environ = {**os.environ, **stack_environ(open_project(self.root, clean_environ({})))}
        (self.state / "supervisor.json").unlink()
        supervisor = subprocess.Popen([*command, *policy.arguments()], env=environ)
        try:
            assert until(lambda: self.things().status_code == 200)
            yield
        finally:
            supervisor.terminate()
            supervisor.wait()

    def things(self, timeout: float = 20) -> httpx.Response:
        """All rows of the project's one table, over a new connection."""
        key = "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
        return httpx.get(f"http://127.0.0.1:{PORT}/rest/v1/things", headers={"apikey": key}, timeout=timeout)

    def processes(self) -> dict[str, int]:
        """The stack's processes' ids by their names."""
        processes: dict[str, int] = self.report()["processes"]
        return processes

    def report(self) -> dict[str, Any]:
        """The supervisor's report of its processes."""
        return report(open_project(self.root, {}))

    def database(self, role: str = "postgres") -> psycopg.Connection:
        """A connection, as the project's own role unless another is named."""
        return psycopg.connect(f"postgresql://{role}:postgres@127.0.0.1:{PORT + 1}/postgres", autocommit=True)

    @contextmanager
    def undone(self) -> Iterator[psycopg.Connection]:
        """A connection in a transaction that is rolled back."""
        with self.database() as connection, connection.transaction(force_rollback=True):
            yield connection

    def status_values(self) -> dict[str, str]:
        """`supabase status -o json`."""
        values: dict[str, str] = json.loads(self.run("status", "-o", "json").stdout)
        return values


def _config(schemas: Sequence[str], *, runs_functions: bool) -> str:
    functions = "" if runs_functions else "[edge_runtime]\nenabled = false\n"
    return f"""
project_id = "other"
[api]
port = {PORT}
schemas = {json.dumps(list(schemas))}
[db]
port = {PORT + 1}
[local_smtp]
port = {PORT + 3}
smtp_port = {PORT + 4}
{functions}"""


def value(database: psycopg.Connection, statement: str, *values: object) -> Any:
    """The one value that a statement gives."""
    row = database.execute(statement.encode(), values or None).fetchone()
    assert row is not None
    return row[0]


def until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Waits until another process has brought a condition about. Returns whether it did."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError, psycopg.OperationalError):
            if holds():
                return True
        time.sleep(0.05)
    return False


def is_alive(pid: int) -> bool:
    """Tell whether a process with this id runs (a zombie does not)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    if Path("/proc").is_dir():
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return "Z" not in state.stdout
