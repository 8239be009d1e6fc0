"""Requests of shapes that were not seen before: columns, filters, order and embedding differ each time.

pgbench sends the SQL of a hundred of them over and over by the simple protocol, by which Postgres remembers nothing.
Then as many requests arrive at random as make four fifths of the rate that the gateway has reached just before.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

from localbase.cli.terminal import Progress
from localbase.postgres.cluster import cluster_of

from bench.data_api.requests import ROWS, SCHEMA
from bench.data_api.transactions import CONNECTIONS, Transactions, pgbench
from bench.figures import Figure
from bench.load import HttpRequest, measure, measure_arrivals
from bench.scratch import scratch_stack

_SECONDS, _ROUNDS = 3, 3
# More than are answered in a round: none comes twice.
_SHAPES, _SCRIPTS = 20_000, 100
_COLUMNS = ("id", "maker_id", "title", "note", "likes", "is_public", "created_at")
_EMBEDDED = ("", "", "makers(name)", "maker:makers(id,name,cities(name))", "makers!inner(name)")


def shape_figures() -> Iterator[Figure]:
    """The gateway's answers a second by pgbench's transactions, and the late ones at four fifths of that."""
    with scratch_stack("shapes", SCHEMA.replace("ROWS", str(ROWS))) as project:
        key, port = project.settings.keys.anon, project.settings.api.port
        url = cluster_of(project).url("authenticator")
        transactions = Transactions(project)
        rounds, lates = [], []
        for number in range(1, _ROUNDS + 1):
            with Progress().step(f"requests of new shapes, {number} of {_ROUNDS}"):
                scripts = [transactions.literal(request) for request in _shapes(number, _SCRIPTS, key, "")]
                alone = pgbench(project, scripts, _SECONDS, url, "simple")
                requests = _shapes(100 + number, _SHAPES, key)
                load = measure(port, requests, connections=CONNECTIONS, seconds=_SECONDS)
                requests, rate = _shapes(200 + number, _SHAPES, key), 0.8 * load.rps
                late = measure_arrivals(
                    port, requests, per_second=rate, connections=CONNECTIONS, seconds=_SECONDS
                )
                failures = load.failures + late.failures
                if failures or load.rps * _SECONDS > _SHAPES:
                    raise SystemExit(f"{failures} failures, {load.rps:.0f} requests/s of {_SHAPES} shapes")
                rounds.append((load.rps, alone.rps))
                lates.append(late)
    own, floor = (median(rates) for rates in zip(*rounds, strict=True))
    ratio = median(own / floor for own, floor in rounds)
    yield Figure(
        f"new shapes ({own:.0f}/s) ÷ pgbench -M simple ({floor:.0f}/s)", ratio, 0.7, "", at_least=True
    )
    late = sorted(lates, key=lambda each: each.p99 / each.p50)[_ROUNDS // 2]
    yield Figure(
        f"at 80 % load: p99 ({late.p99:.1f} ms) ÷ p50 ({late.p50:.1f} ms)", late.p99 / late.p50, 8, ""
    )


def _shapes(seed: int, count: int, key: str, prefix: str = "/rest/v1") -> list[HttpRequest]:
    chance = Random(seed)
    headers = {"apikey": key, "Authorization": f"Bearer {key}", "Accept": "application/json"}
    return [HttpRequest(prefix + _path(chance, number), headers=headers) for number in range(count)]


def _path(chance: Random, number: int) -> str:
    """One request for some twenty rows of a maker, by an index."""
    columns = chance.sample(_COLUMNS, chance.randint(2, len(_COLUMNS)))
    # A name of its own makes each one new, whatever else it has in common with another.
    named = [f"{column}_{number}:{column}" if place == 0 else column for place, column in enumerate(columns)]
    selected = ",".join(filter(None, [*named, chance.choice(_EMBEDDED)]))
    filters = chance.sample(
        (
            f"likes=gte.{chance.randint(0, 100)}",
            f"id=gt.{chance.randint(0, ROWS // 2)}",
            "is_public=is.true",
            "note=not.is.null",
            f"title=like.Picture*{chance.randint(0, 9)}*",
            f"or=(likes.lt.{chance.randint(300, 400)},id.lt.{chance.randint(0, ROWS)})",
            f"created_at=gte.2026-01-0{chance.randint(1, 9)}",
        ),
        chance.randint(1, 4),
    )
    ways = ("", ".asc", ".desc", ".desc.nullslast")
    order = ",".join(column + chance.choice(ways) for column in chance.sample(_COLUMNS, chance.randint(1, 3)))
    query = "&".join([f"maker_id=eq.{chance.randint(1, 1000)}", *filters])
    return f"/pictures?select={selected}&{query}&order={order}&limit={chance.randint(5, 20)}"
