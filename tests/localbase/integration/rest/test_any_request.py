"""Random requests: each succeeds or is rejected, none is an internal error, none leaks a connection.

How many: 1,000, or `RANDOM_REQUESTS` of them.
"""

from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import psycopg

from tests.localbase.integration.rest.conftest import Api
from tests.support.random_cases import cases

_COUNT = int(os.environ.get("RANDOM_REQUESTS", cases(1000)))
_WORDS = [
    *(
        "id",
        "title",
        "price",
        "details->>lang",
        "published",
        "in_print",
        "nope",
        "tags->0",
        '"a b"',
        "*",
        "count()",
    ),
    *(
        "authors!author_id(name)",
        "genres(*)",
        "reviews!inner(stars)",
        "...shelves(kind)",
        "shelves()",
        "x::int",
    ),
]
_OPERATORS = [
    *("eq", "gt", "like", "ilike", "in", "is", "cs", "ov", "fts", "wfts", "match", "isdistinct", "not.eq"),
    *("not.in", "eq(any)", "adj", "zz"),
]
_VALUES = [
    "1",
    "(1,2)",
    "{1,2}",
    "null",
    "x",
    "[2001-01-01,)",
    "'",
    '"',
    "%",
    "\\",
    ")",
    "(",
    "é€",
    "-1",
    "9" * 30,
    "",
]
_TARGETS = [
    "/books",
    "/authors",
    "/genres",
    "/novels",
    "/counters",
    "/rpc/numbers_to",
    "/rpc/books_by",
    "/loans",
]
_PREFER = [
    "",
    "count=exact",
    "count=planned",
    "return=representation",
    "handling=strict,odd",
    "max-affected=1",
]
_ACCEPT = [
    "*/*",
    "application/json",
    "text/csv",
    "application/vnd.pgrst.object+json",
    "x",
    "application/geo+json",
]


def _request(chance: random.Random) -> tuple[str, str, dict[str, str]]:
    pick = chance.choice
    parts = []
    if chance.random() < 0.6:
        parts.append(f"select={','.join(pick(_WORDS) for _ in range(chance.randint(1, 4)))}")
    for _ in range(chance.randint(0, 3)):
        parts.append(f"{pick(_WORDS)}={pick(_OPERATORS)}.{pick(_VALUES)}")
    if chance.random() < 0.3:
        parts.append(f"or=({pick(_WORDS)}.{pick(_OPERATORS)}.{pick(_VALUES)},{pick(_WORDS)}.is.null)")
    if chance.random() < 0.4:
        parts.append(f"order={pick(_WORDS)}{pick(['', '.desc', '.asc.nullslast', '.zz'])}")
    if chance.random() < 0.3:
        parts.append(f"{pick(['', 'genres.', 'reviews.'])}limit={pick(_VALUES)}")
    query = "&".join("=".join(quote(side, safe="") for side in part.split("=", 1)) for part in parts)
    headers = {"prefer": pick(_PREFER), "accept": pick(_ACCEPT), "range": pick(["", "0-3", "5-2", "x"])}
    return pick(["GET", "GET", "GET", "HEAD", "POST", "PATCH"]), f"{pick(_TARGETS)}?{query}", headers


def test_random_requests_are_never_internal_errors(api: Api, database: psycopg.Connection) -> None:
    chance = random.Random(20250101)
    requests = [_request(chance) for _ in range(_COUNT)]

    def send(request: tuple[str, str, dict[str, str]]) -> tuple[int, str]:
        method, url, headers = request
        # As a role that may change nothing, so that the rows of other tests stay as they are.
        body = {"zz": 1} if method in ("POST", "PATCH") else None
        response = api.request(method, url, json=body, role="anon", **headers)
        return response.status_code, f"{method} {url} {headers}: {response.text[:300]}"

    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(send, requests))
    # 500 would be an internal error, unless Postgres reports an internal limit; 503 and 504 a leaked connection.
    assert [text for status, text in responses if status >= 500] == []
    assert {200, 206, 400, 404, 406} <= {status for status, _ in responses}
    busy = database.execute(
        "select count(*) from pg_stat_activity where usename = 'authenticator' and state <> 'idle'"
    ).fetchone()
    assert busy == (0,)
