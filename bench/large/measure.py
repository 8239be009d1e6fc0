"""Runs one request in the database as the gateway does, explained: the same SQL, role and claims; then it is undone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any, LiteralString
from urllib.parse import quote

import psycopg
from localbase.core.authenticator import Authenticator, Caller, caller_of
from localbase.core.project import Project
from localbase.core.web.http import Request
from localbase.postgres.cluster import cluster_of
from localbase.postgres.pipeline import Command
from localbase.postgres.pool import Database
from localbase.postgres.schema_cache.cache import read_catalog
from localbase.rest.api_request.request import parse_request
from localbase.rest.config import config_of
from localbase.rest.generation import SchemaGeneration
from localbase.rest.plan.make import SchemaCache
from localbase.rest.prepared.request import PreparedRequest
from localbase.rest.relationships import relationships_of
from psycopg import sql

from bench.large.query import Query
from bench.large.subjects import filled

# Tables that do not grow with people, designs or orders, or hold a day's.
_SMALL = (
    "keyed_calls",
    "product_variants",
    "sweep_runs",
    "totals",
    "total_checks",
    "money_reads",
    "money_checks",
    "print_file_walk",
    "artwork_walk",
)
_SCANS: LiteralString = """
    select c.relname, c.relkind, pg_stat_get_xact_numscans(c.oid), pg_stat_get_xact_tuples_returned(c.oid)
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private', 'auth') and c.relkind in ('r', 'i')"""


@dataclass(frozen=True, slots=True)
class Measured:
    """`rows_read` are those of all scans of tables and indexes, within functions and policies too.

    `indexes` and `sequential` are what was scanned, with how often.
    """

    query: Query
    ms: float
    buffers: int
    rows_read: int
    indexes: Mapping[str, int]
    sequential: Mapping[str, int]

    @property
    def faults(self) -> list[str]:
        """Over which limits it is."""
        faults = []
        if self.ms > self.query.most_ms:
            faults.append(f"{self.ms:.0f} ms")
        if self.buffers > self.query.most_buffers:
            faults.append(f"{self.buffers:,} buffers")
        return faults + [f"sequential scan of {table}" for table in self.sequential]


class Gateway:
    """Localbase's statements for requests, for a connection that may take on every role."""

    def __init__(
        self, connection: psycopg.Connection[Any], schema_cache: SchemaCache, identities: Authenticator,
        subjects: Mapping[str, str],
    ) -> None:  # fmt: skip
        self._connection = connection
        # What psycopg prepares by itself would go with our own.
        connection.prepare_threshold = None
        self._generation = SchemaGeneration(schema_cache, identities, cached=False)
        self._options = schema_cache.options
        self._subjects = subjects

    def measure(self, query: Query, times: int = 5, *, warm: bool = True) -> Measured:
        """Median of several runs, by a plan for these values and by one for all values: the worse one counts.

        With `warm` a run before them is left out: it fills a fresh connection's caches, as no request of a pool does.
        """
        commands = self._commands(query)
        worst: Measured | None = None
        for mode in ("force_custom_plan", "force_generic_plan"):
            runs = [self._run(query, commands, mode) for _ in range(times + warm)][warm:]
            measured = sorted(runs, key=lambda run: run.ms)[len(runs) // 2]
            measured = Measured(
                query,
                median(run.ms for run in runs),
                measured.buffers,
                measured.rows_read,
                measured.indexes,
                measured.sequential,
            )
            if worst is None or measured.ms > worst.ms:
                worst = measured
        assert worst is not None
        return worst

    def _commands(self, query: Query) -> list[Command]:
        caller = self._caller(query)
        in_address = {name: quote(value, safe=",") for name, value in self._subjects.items()}
        path, _, text = filled(query.path, in_address).partition("?")
        body = filled(query.body, self._subjects).encode()
        headers = {"accept": "application/json"}
        headers |= {"content-type": "application/json"} if body else {}
        headers |= {"prefer": query.prefer} if query.prefer else {}
        request = Request(query.method, path, text.encode(), headers, body)
        api_request = parse_request(request, self._options)
        bound = PreparedRequest(api_request, request, caller, self._generation).bind((), body or None)
        assert bound is not None
        return list(bound.batch.commands)

    def _caller(self, query: Query) -> Caller:
        if query.caller in ("visitor", "service"):
            return caller_of({}, "anon" if query.caller == "visitor" else "service_role")
        return caller_of({"sub": self._subjects[query.caller]}, "authenticated")

    def _run(self, query: Query, commands: list[Command], mode: str) -> Measured:
        *settings, statement = commands
        self._connection.execute("deallocate all")
        with self._connection.transaction(force_rollback=True):
            before = self._scans()
            self._connection.execute(f"set local plan_cache_mode = {mode}")
            for setting in settings:
                self._send(setting)
            plan = self._explain(statement)
            self._connection.execute("reset role")
            after = self._scans()
        scans = {
            name: (kind, count - before[name][1], rows - before[name][2])
            for name, (kind, count, rows) in after.items()
            if count > before[name][1]
        }
        top = plan["Plan"]
        return Measured(
            query,
            plan["Planning Time"] * (mode == "force_custom_plan") + plan["Execution Time"],
            top.get("Shared Hit Blocks", 0) + top.get("Shared Read Blocks", 0),
            sum(rows for _, _, rows in scans.values()),
            {name: count for name, (kind, count, _) in scans.items() if kind == "i"},
            {name: count for name, (kind, count, _) in scans.items() if kind == "r" and name not in _SMALL},
        )

    def _send(self, command: Command) -> None:
        result = self._connection.pgconn.exec_params(command.sql.encode(), list(command.params))
        if result.error_message:
            raise psycopg.Error(result.error_message.decode())

    def _explain(self, statement: Command) -> dict[str, Any]:
        connection = self._connection
        connection.execute(sql.SQL("prepare measured as {}").format(sql.SQL(statement.sql)))
        values = sql.SQL(", ").join(
            sql.Literal(None if value is None else bytes(value).decode()) for value in statement.params
        )
        called = (
            sql.SQL("execute measured({})").format(values)
            if statement.params
            else sql.SQL("execute measured")
        )
        row = connection.execute(
            sql.SQL("explain (analyze, buffers, timing off, format json) {}").format(called)
        ).fetchone()
        assert row is not None
        plan = row[0] if isinstance(row[0], list) else json.loads(row[0])
        explained: dict[str, Any] = plan[0]
        return explained

    def _scans(self) -> dict[str, tuple[str, int, int]]:
        rows = self._connection.execute(_SCANS).fetchall()
        return {name: (kind, int(count), int(returned)) for name, kind, count, returned in rows}


async def schema_of(project: Project) -> SchemaCache:
    """Return what the gateway knows of the database."""
    database = Database(cluster_of(project).url("authenticator"))
    options = config_of(project.settings.api)
    catalog = await read_catalog(database, options.schemas, options.extra_search_path)
    await database.close()
    return SchemaCache(catalog, relationships_of(catalog, options.schemas), options)
