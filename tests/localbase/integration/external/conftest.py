"""A Postgres that an owner runs, in a folder of the test, and projects that name it in `[db] external_url`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from localbase.postgres.cluster import Cluster

from tests.support.plain_postgres import plain_postgres
from tests.support.ports import first_port
from tests.support.project_files import ProjectFiles
from tests.support.random_cases import few
from tests.support.stacks import clean_environ, supabase

PASSWORD = "not@the/local:one!"
VARIABLE = "OWN_DATABASE"
# On the first of them a second stack of the same database may have the next.
PORTS = (first_port("external") + 1, first_port("external") + 11)
SECRET = "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz"
MIGRATION = """
create extension pg_trgm with schema extensions;
create table public.notes (id bigint generated always as identity primary key, text text, owner uuid);
alter table public.notes enable row level security;
create policy "own notes" on public.notes using (owner = auth.uid());
create policy "everyone's pictures" on storage.objects for select using (bucket_id = 'pictures');
create function public.welcome() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notes (text, owner) values ('Welcome', new.id);
  return new;
end $$;
create trigger welcome after insert on auth.users for each row execute function public.welcome();
alter publication supabase_realtime add table public.notes;
"""


@dataclass(frozen=True)
class OwnServer:
    """The server as its owner has it: `cluster.url()` is the superuser's."""

    cluster: Cluster

    def address(self, name: str, role: str = "postgres", password: str = PASSWORD) -> str:
        """The address of a database as config.toml has it."""
        quoted = password.replace("@", "%40").replace("/", "%2F").replace(":", "%3A")
        return f"postgresql://{role}:{quoted}@127.0.0.1:{self.cluster.port}/{name}"

    def run(self, sql: str, name: str = "postgres") -> list[tuple[Any, ...]]:
        """Runs SQL as the superuser, as psql would: all of a file at once."""
        url = self.cluster.url().rpartition("/")[0] + f"/{name}"
        with closing(psycopg.connect(url, autocommit=True)) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []


class OwnProject:
    """A project on `address`, with ports from `port` on."""

    def __init__(self, root: Path, address: str, port: int = PORTS[0], config: str = "") -> None:
        self.root, self.port = root, port
        self.address = address
        text = f"""project_id = "external"
[api]
port = {port}
{config}
[db]
port = {port + 1}
external_url = "env({VARIABLE})"
[local_smtp]
port = {port + 2}
smtp_port = {port + 3}
"""
        ProjectFiles(text, {"20260101000000_notes.sql": MIGRATION}).write(root)

    def begin(self, *arguments: str, **extra: str) -> subprocess.Popen[str]:
        """Begins a command."""
        return subprocess.Popen(
            [*supabase(*arguments), "--workdir", str(self.root)],
            env=clean_environ({VARIABLE: self.address, **extra}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
        """Runs a command to its end."""
        child = self.begin(*arguments, **extra)
        out, errors = child.communicate()
        return subprocess.CompletedProcess(child.args, child.returncode, out, errors)

    def start(self) -> str:
        """Starts the stack; what was said of it."""
        done = self.run("start")
        assert done.returncode == 0, done.stderr
        return done.stderr

    def refused(self, *arguments: str, **extra: str) -> str:
        """The one sentence with which the command is refused, and its remedy."""
        done = self.run(*arguments, **extra)
        assert done.returncode == 1, done.stdout + done.stderr
        return done.stderr[done.stderr.index("error: ") :].removeprefix("error: ")

    def stop(self) -> None:
        self.run("stop")

    def call(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A request with the secret key, over a connection of its own."""
        headers = {"apikey": SECRET, "authorization": f"Bearer {SECRET}", **options.pop("headers", {})}
        url = f"http://127.0.0.1:{self.port}{path}"
        return httpx.request(method, url, headers=headers, timeout=20, **options)

    def processes(self) -> Mapping[str, int]:
        """The ids of the stack's processes, by their names."""
        state = self.root / "supabase" / ".localbase" / "external"
        processes: dict[str, int] = json.loads((state / "supervisor.json").read_text())["processes"]
        return processes

    def written(self) -> str:
        """All that the stack has written: logs, reports, and its own state."""
        files = (self.root / "supabase" / ".localbase").rglob("*")
        return "\n".join(path.read_text(errors="replace") for path in files if path.is_file())


# The oldest; weekly the one between that and localbase's own too.
@pytest.fixture(scope="session", params=few((15, 17), 1))
def own_server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[OwnServer]:
    """A server that nobody has prepared."""
    prelude = tmp_path_factory.mktemp("own") / "nothing.sql"
    prelude.write_text("select")
    with plain_postgres(request.param, prelude) as cluster:
        yield OwnServer(cluster)


@pytest.fixture(scope="session")
def own_project(own_server: OwnServer, tmp_path_factory: pytest.TempPathFactory) -> OwnProject:
    """A project whose database its owner has prepared with `db roles --print`. It does not run yet."""
    own_server.run("create database shop")
    project = OwnProject(tmp_path_factory.mktemp("project"), own_server.address("shop"))
    own_server.run(project.run("db", "roles", "--print").stdout, "shop")
    return project


@pytest.fixture(scope="module")
def running(own_project: OwnProject) -> Iterator[OwnProject]:
    own_project.start()
    yield own_project
    own_project.stop()
