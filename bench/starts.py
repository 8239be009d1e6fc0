"""How long a start takes until it is of use, what it costs the processors, and what a stack at rest takes of memory.

A start ends when a row of a migration's table has come by REST and a sign-up has succeeded. The small projects have a
cache of their own, so that the first of them is the first on its machine, and the second is copied from what that one
has left. Memory is the PSS of all processes, Postgres included, a minute after those calls.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
from localbase.cli.stack.stack import report
from localbase.core.project import Project, open_project

from bench.figures import Figure
from bench.process_memory import descending, processor_seconds, pss

_ROUNDS, _REST_SECONDS = 3, 60.0
_TODO = Path(__file__).resolve().parent.parent / "examples" / "todo"
_SETTINGS = """
[api]
port = 57321
[db]
port = 57322
[studio]
port = 57323
[local_smtp]
port = 57324
smtp_port = 57325
"""
_TABLE = """
create table public.todos (id int primary key, title text);
alter table public.todos enable row level security;
create policy "Everybody sees all" on public.todos for select using (true);
grant select on public.todos to anon;
insert into public.todos values (1, 'first');
"""


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds of the clock, and of the processors."""

    wall: float
    processors: float


def start_figures(shop: Project, meanwhile: Iterable[Figure]) -> Iterator[Figure]:
    """Starts of small projects, and of the shop, which runs; with the memory of the shop and of `examples/todo`.

    `meanwhile` is measured while those two rest.
    """
    with tempfile.TemporaryDirectory(prefix="localbase-starts-") as name:
        folder = Path(name)
        # Postgres runs as another user when this runs as root.
        folder.chmod(0o755)
        environ = {**os.environ, "XDG_CACHE_HOME": f"{name}/cache"}
        roots = [_small(folder / f"project-{number}") for number in range(_ROUNDS + 1)]
        first, *others = [_started(root, environ, "todos", stops=True) for root in roots]
        yield Figure("supabase start, a machine's first project", first.wall * 1000, 2500, "ms")
        yield from _least("supabase start, a second project", others, 1200, 900)
        warm = [_started(roots[-1], environ, "todos", stops=True) for _ in range(_ROUNDS)]
        yield from _least("supabase start, a project's second time", warm, 500, 700)
        own = dict(shop.environ)
        _run(shop.root, own, "stop")
        starts = [_started(shop.root, own, "product_variants", stops=True) for _ in range(_ROUNDS)]
        yield from _least("supabase start, the shop's second time", starts, 1500, 5000)
        _started(shop.root, own, "product_variants")
        todo = folder / "todo"
        shutil.copytree(_TODO / "supabase", todo / "supabase", ignore=shutil.ignore_patterns(".localbase"))
        _started(todo, environ)
        rested = time.monotonic() + _REST_SECONDS
        try:
            yield from meanwhile
            # Both rest in the same minute; the shop is measured when the other has gone, with which it shares pages.
            time.sleep(max(0.0, rested - time.monotonic()))
            yield Figure("memory of examples/todo a minute later", _memory(todo, environ), 90, "MB")
        finally:
            _run(todo, environ, "stop")
        yield Figure("memory of the shop a minute later", _memory(shop.root, own), 250, "MB")


def _least(name: str, starts: list[Start], wall: float, processors: float) -> Iterator[Figure]:
    """The least of the rounds: other work on the machine can only add to it. Limits in milliseconds."""
    yield Figure(name, min(each.wall for each in starts) * 1000, wall, "ms")
    yield Figure(f"{name}: processors", min(each.processors for each in starts) * 1000, processors, "ms")


def _small(root: Path) -> Path:
    (root / "supabase" / "migrations").mkdir(parents=True)
    (root / "supabase" / "config.toml").write_text(f'project_id = "{root.name}"\n{_SETTINGS}')
    (root / "supabase" / "migrations" / "20260101000000_todos.sql").write_text(_TABLE)
    return root


def _started(root: Path, environ: Mapping[str, str], table: str = "", *, stops: bool = False) -> Start:
    """A start, until a visitor has a row of `table` and somebody has signed up."""
    # A client's own beginning, which reads the system's certificates, is none of the start's.
    with httpx.Client() as api:
        began, spent = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        _run(root, environ, "start")
        project = open_project(root, environ)
        api.base_url, api.headers["apikey"] = project.settings.api_url, project.settings.keys.anon
        if table:
            rows = api.get(f"/rest/v1/{table}", params={"limit": "1"}).raise_for_status().json()
            assert len(rows) == 1, f"{table} shows no row"
        person = {"email": f"{uuid.uuid4().hex}@example.com", "password": uuid.uuid4().hex}
        api.post("/auth/v1/signup", json=person).raise_for_status()
    wall = time.monotonic() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = used.ru_utime + used.ru_stime - spent.ru_utime - spent.ru_stime
    processors = command + processor_seconds(_processes(project))
    if stops:
        _run(root, environ, "stop")
    return Start(wall, processors)


def _memory(root: Path, environ: Mapping[str, str]) -> float:
    """Megabytes."""
    return pss(_processes(open_project(root, environ))) / 1e6


def _processes(project: Project) -> list[int]:
    return descending([report(project)["pid"]])


def _run(root: Path, environ: Mapping[str, str], verb: str) -> None:
    command = [sys.executable, "-m", "localbase", "--workdir", str(root), verb]
    subprocess.run(command, env=dict(environ), capture_output=True, check=True)
