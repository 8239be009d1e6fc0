"""The Data API's speed, as ratios that hold from machine to machine: `python -m bench.data_api`.

On one scratch stack with generated rows, in one run: pgbench sending the very transaction that localbase sends
(`-M prepared`, its floor being Postgres alone), localbase over HTTP, and the npm package `@supabase/lite` on the same
Postgres, installed below `.localbase` on first use; without the registry the others run alone. Without `wrk`
(`apt-get install wrk`) the load comes from Python, which leaves less of the processors to the server.

Each figure is the median of several rounds, in which all servers work in turn. pgbench connects over TCP, as every
client of the database is served, and over the local socket that localbase itself uses. The last column is the
gateway's own processor time for a request, which depends least on other load.

    python -m bench.data_api [--seconds 3] [--rounds 3] [--only gallery,single] [--alone]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
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
from localbase.core.authenticator import Authenticator
from localbase.core.project import Project
from localbase.core.web.http import Request
from localbase.postgres.cluster import cluster_of
from localbase.postgres.pool import Database
from localbase.postgres.schema_cache.cache import read_catalog
from localbase.rest.api_request.request import parse_request
from localbase.rest.config import config_of
from localbase.rest.generation import SchemaGeneration
from localbase.rest.plan.make import SchemaCache
from localbase.rest.prepared.request import PreparedRequest
from localbase.rest.relationships import relationships_of

from bench.load import Load, generator, measure, processor_seconds, resident
from bench.npm_tool import npm_tool
from bench.requests import CONFIG, ROWS, SCHEMA, WORKS, Work
from bench.scratch import scratch_stack

_CONNECTIONS = 32
_PEER_PORT = 24330
_PEER_PACKAGES = ("@supabase/lite@0.10.0", "postgres@3.4.9")


def main() -> int:
    """Measures and prints one row for each kind of request and server."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--alone", action="store_true", help="without the npm package")
    arguments = parser.parse_args()
    works = [
        work
        for work in WORKS
        if not arguments.only or work.name.split()[0].strip(",") in arguments.only.split(",")
    ]
    out = sys.stdout.write
    rounds = _Rounds(arguments.seconds, arguments.rounds)
    with scratch_stack(CONFIG, SCHEMA.replace("ROWS", str(ROWS))) as project:
        transactions = asyncio.run(_transactions(project, works))
        with nullcontext() if arguments.alone else _peer(project) as peer:
            out(
                f"load over HTTP by {generator()}\n"
                f"{'':<22} {'server':<15} {'rps':>8} {'p50 ms':>8} {'p99 ms':>8} {'÷ pgbench':>10} {'÷ lite':>8}  µs\n"
            )
            progress = Progress()
            for work in works:
                with progress.step(f"measuring {work.name}"):
                    shown = _compare(
                        project, work, transactions[work.name], rounds, with_peer=peer is not None
                    )
                out(shown)
                sys.stdout.flush()
            gateway = resident(report(project)["processes"]["gateway"])
            out(f"memory: localbase {gateway:.0f} MB")
            out(f", @supabase/lite {resident(peer):.0f} MB\n" if peer else "\n")
    return 0


def _compare(project: Project, work: Work, script: _Script, schedule: _Rounds, *, with_peer: bool) -> str:
    """Its rows of the table."""
    key = project.settings.keys.anon
    cluster = cluster_of(project)

    def over_http(port: int) -> Load:
        return measure(port, work.requests_for(key), connections=_CONNECTIONS, seconds=schedule.seconds)

    gateway = report(project)["processes"]["gateway"]

    def by_gateway(load: Callable[[], Load]) -> Load:
        began = processor_seconds(gateway)
        measured = load()
        spent = processor_seconds(gateway) - began
        return replace(measured, processor=spent / (measured.rps * schedule.seconds) * 1e6)

    servers: dict[str, Callable[[], Load]] = {
        "pgbench": lambda: _pgbench(project, script, schedule.seconds, cluster.url("authenticator")),
        "pgbench, socket": lambda: _pgbench(
            project, script, schedule.seconds, cluster.near_url("authenticator")
        ),
        "localbase": lambda: by_gateway(lambda: over_http(project.settings.api.port)),
    }
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
    """The time of each server in a round, and the number of rounds."""

    seconds: float
    rounds: int


@dataclass(frozen=True, slots=True)
class _Script:
    """A pgbench script with the texts that its variables stand for."""

    text: str
    variables: dict[str, str]


async def _transactions(project: Project, works: list[Work]) -> dict[str, _Script]:
    """Return what localbase sends for each kind of request, as pgbench scripts."""
    database = Database(cluster_of(project).url("authenticator"))
    options = config_of(project.settings.api)
    catalog = await read_catalog(database, options.schemas, options.extra_search_path)
    await database.close()
    schema_cache = SchemaCache(catalog, relationships_of(catalog, options.schemas), options)
    key = project.settings.keys.anon
    identities = Authenticator(project.settings.keys)
    return {work.name: _script(work, schema_cache, identities, key) for work in works}


def _script(work: Work, schema_cache: SchemaCache, identities: Authenticator, key: str) -> _Script:
    caller = identities.resolve({}, key)
    marker = "987654321"
    path, _, query = work.path.replace("{}", marker).partition("?")
    headers = {name.lower(): value for name, value in work.requests_for(key)[0].headers.items()}
    body = work.body.replace("{}", marker).encode()
    request = Request(work.method, path, query.encode(), headers, body)
    generation = SchemaGeneration(schema_cache, identities, cached=False)
    api_request = parse_request(request, schema_cache.options)
    bound = PreparedRequest(api_request, request, caller, generation).bind((), None)
    assert bound is not None
    settings, statement = bound.batch.commands
    variables = {f"s{i}": (value or b"").decode() for i, value in enumerate(settings.params, 1)}
    setting = re.sub(r"\$(\d+)", r":s\1", settings.sql)
    values = {
        place: _expression(f"p{place}", (value or b"").decode(), marker, variables)
        for place, value in enumerate(statement.params, 1)
    }
    # Postgres infers the type of a list's parameters, but not that of expressions in their place.
    listed = re.sub(r"IN \(\$.*?\)", lambda match: re.sub(r"(\$\d+)", r"\1::int", match[0]), statement.sql)
    sql = re.sub(r"\$(\d+)", lambda match: values[int(match[1])], listed)
    numbered = f"\\set number random(1, {work.most})\n" if ":number" in sql else ""
    return _Script(f"{numbered}begin;\n{setting};\n{sql};\nend;\n", variables)


def _expression(name: str, value: str, marker: str, variables: dict[str, str]) -> str:
    """A parameter in pgbench's words. The number within a text is put there by Postgres: pgbench joins no texts."""
    if value == marker:
        return ":number"
    pieces = value.split(marker)
    names = {place: f"{name}_{place}" for place, piece in enumerate(pieces) if piece}
    variables |= {names[place]: pieces[place] for place in names}
    if len(pieces) == 1:
        return f":{name}_0"
    # A number stands between two pieces; pgbench takes no empty variable.
    shown = [f":{names[place]}::text" if place in names else "" for place in range(len(pieces))]
    texts = [text for piece in shown[:-1] for text in (piece, ":number::text")] + shown[-1:]
    return f"concat({', '.join(filter(None, texts))})"


def _pgbench(project: Project, script: _Script, seconds: float, url: str) -> Load:
    program = shutil.which("pgbench") or cluster_of(project).binaries.path("pgbench")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "script.sql").write_text(script.text)
        variables = [part for name, value in script.variables.items() for part in ("-D", f"{name}={value}")]
        command = [
            program,
            "-n",
            "-M",
            "prepared",
            "-c",
            str(_CONNECTIONS),
            "-j",
            "1",
            "-T",
            f"{seconds:.0f}",
        ]
        done = subprocess.run(
            [*command, *variables, "-f", "script.sql", "-l", url],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"pgbench failed:\n{done.stderr}\n{script.text}")
        lines = [line for log in Path(folder).glob("pgbench_log.*") for line in log.read_text().splitlines()]
    times = sorted(int(line.split()[2]) / 1000 for line in lines)
    match = re.search(r"tps = ([0-9.]+)", done.stdout)
    assert match and times, done.stdout
    return Load(float(match[1]), times[len(times) // 2], times[int(len(times) * 0.99)], 0)


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
