"""Likes by many connections at once, with the totals that triggers hold and without: what waiting for one row costs."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from localbase.core.project import Project
from localbase.postgres.cluster import cluster_of

_CONNECTIONS = 32
_SECONDS = 5
_DESIGNS = {"one design": 1, "a hundred designs": 100}
_LIKE_AND_UNLIKE = """
\\set person random(1, 50000)
\\set design random(1, DESIGNS)
insert into public.design_likes (design_id, user_id)
select d.id, p.id from private.bench_people p, private.bench_designs d where p.n = :person and d.n = :design
on conflict do nothing;
delete from public.design_likes l using private.bench_people p, private.bench_designs d
where p.n = :person and d.n = :design and l.user_id = p.id and l.design_id = d.id;
"""
_SUBJECTS = (
    "create unlogged table private.bench_people as "
    "select row_number() over (order by id)::int as n, id from private.profiles order by id limit 50000",
    "create unlogged table private.bench_designs as "
    "select row_number() over (order by created_at)::int as n, design_id as id from public.public_designs "
    "order by created_at limit 100",
    "create unique index on private.bench_people (n)",
    "create unique index on private.bench_designs (n)",
    "analyze private.bench_people, private.bench_designs",
)


@dataclass(frozen=True, slots=True)
class Contention:
    """Transactions a second, and how long one takes on average."""

    over: str
    with_totals: bool
    per_second: float
    ms: float


def measure_contention(project: Project) -> Iterator[Contention]:
    """Each like and each unlike is a transaction. The totals are the same afterwards."""
    url = cluster_of(project).url("supabase_admin")
    with psycopg.connect(url, autocommit=True) as connection, _subjects(connection):
        for over, designs in _DESIGNS.items():
            for with_totals in (True, False):
                switch = "enable" if with_totals else "disable"
                connection.execute(f"alter table public.design_likes {switch} trigger user".encode())
                try:
                    yield _run(project, url, over, designs, with_totals=with_totals)
                finally:
                    connection.execute("alter table public.design_likes enable trigger user")


@contextmanager
def _subjects(connection: psycopg.Connection[Any]) -> Iterator[None]:
    try:
        for statement in _SUBJECTS:
            connection.execute(statement.encode())
        yield
    finally:
        connection.execute("drop table if exists private.bench_people, private.bench_designs")
        connection.execute("select private.recount()")


def _run(project: Project, url: str, over: str, designs: int, *, with_totals: bool) -> Contention:
    program = shutil.which("pgbench") or str(cluster_of(project).binaries.path("pgbench"))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "likes.sql").write_text(_LIKE_AND_UNLIKE.replace("DESIGNS", str(designs)))
        command = [program, "-n", "-M", "prepared", "-c", str(_CONNECTIONS), "-j", "2", "-T", str(_SECONDS)]
        done = subprocess.run(
            [*command, "-f", "likes.sql", url], cwd=folder, capture_output=True, text=True, check=True
        )
    rate = re.search(r"tps = ([0-9.]+)", done.stdout)
    latency = re.search(r"latency average = ([0-9.]+) ms", done.stdout)
    assert rate and latency, done.stdout
    return Contention(over, with_totals, 2 * float(rate[1]), float(latency[1]) / 2)
