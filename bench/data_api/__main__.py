"""The Data API's speed, as ratios that hold from machine to machine: `python -m bench.data_api`.

On one scratch stack with generated rows, in one run: pgbench sending the very transaction that localbase sends
(`-M prepared`, its floor being Postgres alone), localbase over HTTP, and the npm package `@supabase/lite` on the same
Postgres, installed below `.localbase` on first use; without the registry the others run alone. Without `wrk`
(`apt-get install wrk`) the load comes from Python, which leaves less of the processors to the server.

Each figure is the median of several rounds, in which all servers work in turn. pgbench connects over TCP, as every
client of the database is served, and (but with `--alone`) over the local socket that localbase itself uses. The last
column is the gateway's own processor time for a request, which depends least on other load.

    python -m bench.data_api [--seconds 3] [--rounds 3] [--only gallery,single] [--alone]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import httpx
import psycopg
from localbase.cli.stack.stack import report
from localbase.cli.terminal import Progress
from localbase.core.project import Project
from localbase.postgres.cluster import cluster_of

from bench.data_api.requests import ROWS, SCHEMA, WORKS, Work
from bench.data_api.transactions import CONNECTIONS, Script, Transactions, pgbench
from bench.load import Load, generator, measure, processor_seconds, resident
from bench.scratch import scratch_stack
from bench.tools import npm_tool

_PEER_PORT = 24330
_PEER_PACKAGES = ("@supabase/lite@0.10.0", "postgres@3.4.9")


def main() -> int:
    """Measures and prints one row for each kind of request and server."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--alone", action="store_true", help="without npm's package and pgbench's socket")
    arguments = parser.parse_args()
    works = [
        work
        for work in WORKS
        if not arguments.only or work.name.split()[0].strip(",") in arguments.only.split(",")
    ]
    out = sys.stdout.write
    rounds = _Rounds(arguments.seconds, arguments.rounds, arguments.alone)
    with scratch_stack("data-api", SCHEMA.replace("ROWS", str(ROWS))) as project:
        transactions = Transactions(project)
        with nullcontext() if arguments.alone else _peer(project) as peer:
            out(
                f"load over HTTP by {generator()}\n"
                f"{'':<22} {'server':<15} {'rps':>8} {'p50 ms':>8} {'p99 ms':>8} {'÷ pgbench':>10} {'÷ lite':>8}  µs\n"
            )
            progress = Progress()
            for work in works:
                with progress.step(f"measuring {work.name}"):
                    shown = _compare(
                        project, work, transactions.of_work(work), rounds, with_peer=peer is not None
                    )
                out(shown)
                sys.stdout.flush()
            gateway = resident(report(project)["processes"]["gateway"])
            out(f"memory: localbase {gateway:.0f} MB")
            out(f", @supabase/lite {resident(peer):.0f} MB\n" if peer else "\n")
    return 0


def _compare(project: Project, work: Work, script: Script, schedule: _Rounds, *, with_peer: bool) -> str:
    """Its rows of the table."""
    key = project.settings.keys.anon
    cluster = cluster_of(project)

    def over_http(port: int) -> Load:
        return measure(port, work.requests_for(key), connections=CONNECTIONS, seconds=schedule.seconds)

    gateway = report(project)["processes"]["gateway"]

    def by_gateway(load: Callable[[], Load]) -> Load:
        began = processor_seconds(gateway)
        measured = load()
        spent = processor_seconds(gateway) - began
        return replace(measured, processor=spent / (measured.rps * schedule.seconds) * 1e6)

    servers: dict[str, Callable[[], Load]] = {
        "pgbench": lambda: pgbench(project, [script], schedule.seconds, cluster.url("authenticator")),
        "localbase": lambda: by_gateway(lambda: over_http(project.settings.api.port)),
    }
    if not schedule.alone:
        near = cluster.near_url("authenticator")
        servers["pgbench, socket"] = lambda: pgbench(project, [script], schedule.seconds, near)
    if with_peer:
        servers["@supabase/lite"] = lambda: over_http(_PEER_PORT)
    # In turn, round after round: what else the machine does meanwhile concerns them all alike.
    rounds = [{name: load() for name, load in servers.items()} for _ in range(schedule.rounds)]
    shown = ""
    for name in servers:
        load = sorted((loads[name] for loads in rounds), key=lambda item: item.rps)[schedule.rounds // 2]
        floor = median(loads[name].rps / loads["pgbench"].rps for loads in rounds)
        ratio = ""
        if with_peer:
            ratio = f"{median(loads[name].rps / loads['@supabase/lite'].rps for loads in rounds):8.1f}"
        failures = sum(loads[name].failures for loads in rounds)
        shown += (
            f"{work.name:<22} {name:<15} {load.rps:8.0f} {load.p50:8.1f} {load.p99:8.1f} {floor:10.2f} {ratio:8}"
            f"{f'  {load.processor:.0f}' if load.processor else ''}"
            f"{f'  {failures} FAILED' if failures else ''}\n"
        )
    return shown


@dataclass(frozen=True, slots=True)
class _Rounds:
    """The time of each server in a round, the number of rounds, and whether only pgbench over TCP is beside it."""

    seconds: int
    rounds: int
    alone: bool


@contextmanager
def _peer(project: Project) -> Iterator[int | None]:
    """`@supabase/lite` on a copy of the same database in the same server; its process id, None without it."""
    home = npm_tool("lite", *_PEER_PACKAGES)
    if home is None:
        sys.stdout.write("@supabase/lite is not measured: it could not be installed\n")
        yield None
        return
    url = cluster_of(project).url()
    with psycopg.connect(url.removesuffix("postgres") + "template1", autocommit=True) as admin:
        # A database can be copied without connections only; localbase reconnects.
        admin.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'")
        admin.execute("create database peer template postgres")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "supabase").mkdir()
        peer_url = url.removesuffix("postgres") + "peer"
        (Path(folder) / "supabase" / "config.toml").write_text(
            f'project_id = "peer"\n[api]\nport = {_PEER_PORT}\n[db]\ndriver = "postgres"\nurl = "{peer_url}"\n'
            f'[auth]\njwt_secret = "{project.settings.auth.jwt_secret}"\n'
        )
        log = (Path(folder) / "log").open("w")
        server = subprocess.Popen(
            ["node", str(home / "node_modules/@supabase/lite/dist/cli/index.js"), "start"],
            cwd=folder,
            stdout=log,
            stderr=log,
            env={**os.environ, "PORT": str(_PEER_PORT)},
        )
        try:
            _wait_for(f"http://127.0.0.1:{_PEER_PORT}/rest/v1/cities?limit=1", Path(folder) / "log")
            yield server.pid
        finally:
            # It would wait for keep-alive connections.
            server.kill()
            server.wait()
            log.close()


def _wait_for(url: str, log: Path) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            response = httpx.get(url)
        except httpx.TransportError:
            time.sleep(0.1)
            continue
        if response.status_code == 200:
            return
        raise SystemExit(f"{url}: {response.status_code} {response.text}\n{log.read_text()}")
    raise SystemExit(f"{url} did not come up:\n{log.read_text()}")


if __name__ == "__main__":
    sys.exit(main())
