"""What localbase sends to Postgres for a request, and pgbench sending the same."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from localbase.core.authenticator import Authenticator
from localbase.core.project import Project
from localbase.core.web.http import Request
from localbase.postgres.cluster import cluster_of
from localbase.postgres.pipeline import Command
from localbase.rest.api_request.request import parse_request
from localbase.rest.generation import SchemaGeneration
from localbase.rest.prepared.request import PreparedRequest

from bench.data_api.requests import Work
from bench.large.measure import schema_of
from bench.load import HttpRequest, Load

CONNECTIONS = 32
_MARKER = "987654321"


@dataclass(frozen=True, slots=True)
class Script:
    """A pgbench script with the texts that its variables stand for."""

    text: str
    variables: dict[str, str] = field(default_factory=dict)


class Transactions:
    """The scripts of requests to one project, as a caller without a user."""

    def __init__(self, project: Project) -> None:
        self._schema_cache = asyncio.run(schema_of(project))
        self._identities = Authenticator(project.settings.keys)
        self._key = project.settings.keys.anon

    def of_work(self, work: Work) -> Script:
        """Its request with a number of its range, another for each transaction."""
        headers = work.requests_for(self._key)[0].headers
        path, body = work.path.replace("{}", _MARKER), work.body.replace("{}", _MARKER)
        settings, statement = self._commands(HttpRequest(path, work.method, body, headers))
        variables = {f"s{i}": (value or b"").decode() for i, value in enumerate(settings.params, 1)}
        setting = re.sub(r"\$(\d+)", r":s\1", settings.sql)
        values = {
            place: _expression(f"p{place}", (value or b"").decode(), _MARKER, variables)
            for place, value in enumerate(statement.params, 1)
        }
        # Postgres infers the type of a list's parameters, but not that of expressions in their place.
        listed = re.sub(
            r"IN \(\$.*?\)", lambda match: re.sub(r"(\$\d+)", r"\1::int", match[0]), statement.sql
        )
        sql = re.sub(r"\$(\d+)", lambda match: values[int(match[1])], listed)
        numbered = f"\\set number random(1, {work.most})\n" if ":number" in sql else ""
        return Script(f"{numbered}begin;\n{setting};\n{sql};\nend;\n", variables)

    def literal(self, request: HttpRequest) -> Script:
        """The request with its own values written out. `request.path` is below the Data API's prefix."""
        settings, statement = map(_written_out, self._commands(request))
        return Script(f"begin;\n{settings};\n{statement};\nend;\n")

    def _commands(self, request: HttpRequest) -> Sequence[Command]:
        path, _, query = request.path.partition("?")
        headers = {name.lower(): value for name, value in request.headers.items()}
        body = request.body.encode() if isinstance(request.body, str) else request.body
        sent = Request(request.method, path, query.encode(), headers, body)
        generation = SchemaGeneration(self._schema_cache, self._identities, cached=False)
        api_request = parse_request(sent, self._schema_cache.options)
        caller = self._identities.resolve({}, self._key)
        bound = PreparedRequest(api_request, sent, caller, generation).bind((), None)
        assert bound is not None
        return list(bound.batch.commands)


def _written_out(command: Command) -> str:
    def quoted(match: re.Match[str]) -> str:
        value = command.params[int(match[1]) - 1]
        return "null" if value is None else "'" + bytes(value).decode().replace("'", "''") + "'"

    return re.sub(r"\$(\d+)", quoted, command.sql)


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


def pgbench(
    project: Project,
    scripts: Sequence[Script],
    seconds: float,
    url: str,
    protocol: Literal["prepared", "simple"] = "prepared",
) -> Load:
    """Each transaction is one of the scripts, drawn at random."""
    program = shutil.which("pgbench") or str(cluster_of(project).binaries.path("pgbench"))
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "-n", "-M", protocol, "-c", str(CONNECTIONS), "-j", "1", "-T", f"{seconds:.0f}"]
        for number, script in enumerate(scripts):
            (Path(folder) / f"{number}.sql").write_text(script.text)
            command += ["-f", f"{number}.sql"]
            command += [
                part for name, value in script.variables.items() for part in ("-D", f"{name}={value}")
            ]
        done = subprocess.run([*command, "-l", url], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"pgbench failed:\n{done.stderr}\n{scripts[0].text}")
        lines = [line for log in Path(folder).glob("pgbench_log.*") for line in log.read_text().splitlines()]
    times = sorted(int(line.split()[2]) / 1000 for line in lines)
    match = re.search(r"^tps = ([0-9.]+)", done.stdout, re.MULTILINE)
    assert match and times, done.stdout
    return Load(float(match[1]), times[len(times) // 2], times[int(len(times) * 0.99)], 0)
