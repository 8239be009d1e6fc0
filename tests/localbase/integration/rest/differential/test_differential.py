"""Responses do not depend on earlier requests: the ordinary gateway against one that caches nothing.

The ordinary gateway gets requests of many callers on persistent connections, several in a segment, split anywhere,
while the schema is read again and changes. The other gets each of them alone, whole, on its own connection. The
responses must be equal, byte for byte, apart from date and request id.

How many requests and by which seed: `make differential ARGS="--requests 200000 --seed 7"`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise

import psycopg
import pytest

from tests.localbase.integration.rest.differential.requests import Requests, callers, stream_of_three
from tests.localbase.integration.rest.differential.wire import Wire, plain_response
from tests.support.random_cases import TIMES, cases
from tests.support.stacks import ROOT, Stack

_REQUESTS = int(os.environ.get("DIFFERENTIAL_REQUESTS", cases(1000)))
_SEED = int(os.environ.get("DIFFERENTIAL_SEED", "1"))
_ROUND = 500
# The rows exist before the first request: writes must give the same response the first time and later.
_SCHEMA = """
insert into counters (name, amount) values ('first', 1) on conflict do nothing;
insert into genres (id, name) values (1, 'poetry') on conflict do nothing;
drop table if exists changing;
create table changing (id int primary key, {column} text);
insert into changing values (1, '{column}');
grant select on changing to anon, authenticated;
drop function if exists generation;
create function generation({column} text default '') returns text language sql stable as $$ select '{column}' $$;
create or replace function echo_request() returns json language sql stable as $$
  select json_build_object('role', current_user, 'claims', current_setting('request.jwt.claims', true),
    'headers', current_setting('request.headers', true), 'path', current_setting('request.path', true),
    'method', current_setting('request.method', true), 'cookies', current_setting('request.cookies', true),
    'search_path', current_setting('search_path', true))
$$;
"""


class Gateways:
    """The two, in a process of their own."""

    def __init__(self, stack: Stack) -> None:
        command = [
            sys.executable,
            "-m",
            "tests.localbase.integration.rest.differential.gateways",
            str(stack.root),
        ]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=dict(stack.environ),
        )
        assert self._process.stdout is not None
        ports = json.loads(self._process.stdout.readline())
        self.ordinary, self.plain = int(ports["ordinary"]), int(ports["plain"])

    def fast_path_count(self) -> int:
        """Return how many requests the fast path has answered."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate(timeout=10)


@pytest.fixture(scope="module")
def gateways(library: Stack) -> Iterator[Gateways]:
    both = Gateways(library)
    yield both
    both.close()


@pytest.fixture
def database(library: Stack) -> Iterator[psycopg.Connection]:
    with psycopg.connect(library.db_url, autocommit=True) as connection:
        yield connection
        connection.execute("drop table changing; drop function generation, echo_request")


def _change_schema(gateways: Gateways, database: psycopg.Connection, stack: Stack, number: int) -> None:
    """Another column, and another function's body; done when both gateways have read it."""
    column = f"column_{number}"
    database.execute(_SCHEMA.format(column=column).encode())
    key = stack.service_role_key
    request = f"GET /rest/v1/rpc/generation?{column}=x HTTP/1.1\r\nhost: localhost\r\napikey: {key}\r\n\r\n".encode()
    for port in (gateways.ordinary, gateways.plain):
        deadline = time.monotonic() + 20
        while not plain_response(port, request).endswith(f'"{column}"'.encode()):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def _compare(wire: Wire, stream: list[bytes], responses: dict[bytes, bytes], plain: int) -> None:
    """Reads the responses to `stream`, each of which must equal that of the plain gateway."""
    for place, request in enumerate(stream):
        response = wire.response(request)
        if request not in responses:
            responses[request] = plain_response(plain, request)
        before = b"\n".join(stream[:place])
        if response != responses[request]:
            pytest.fail(
                f"{request!r}\nbehind {before!r}\nwas answered\n{response!r}\nand not\n{responses[request]!r}"
            )


def _split(data: bytes, chance: random.Random) -> list[bytes]:
    """Splits mostly into one piece or two, sometimes into many."""
    count = chance.choice([0, 0, 1, 1, 1, 2, 3, 8])
    places = [0, *sorted(chance.randrange(len(data)) for _ in range(count)), len(data)]
    return [data[a:b] for a, b in pairwise(places) if a < b]


def test_callers_are_many(library: Stack) -> None:
    assert len(callers(library)) >= 20


@pytest.mark.timeout(0 if "DIFFERENTIAL_REQUESTS" in os.environ else 180)
def test_responses_equal_those_of_a_gateway_that_caches_nothing(
    library: Stack, gateways: Gateways, database: psycopg.Connection
) -> None:
    chance = random.Random(_SEED)
    compared, fast_path_count = 0, gateways.fast_path_count()
    while compared < _REQUESTS:
        _change_schema(gateways, database, library, compared)
        requests = Requests(library, chance)
        ending = [requests.ending() for _ in range(_ROUND // 20)]
        responses: dict[bytes, bytes] = {}
        wires = [Wire(gateways.ordinary) for _ in range(4)]
        goal = compared + _ROUND
        while compared < goal:
            place = chance.randrange(len(wires))
            stream = [requests.make() for _ in range(chance.choice([1, 1, 2, 3, 5, 12]))]
            ends = chance.random() < 0.08
            stream += [chance.choice(ending)] if ends else []
            if chance.random() < 0.01:
                database.execute("notify pgrst, 'reload schema'")
            wires[place].send(_split(b"".join(stream), chance))
            _compare(wires[place], stream, responses, gateways.plain)
            compared += len(stream)
            if ends:
                wires[place].close()
                wires[place] = Wire(gateways.ordinary)
        for wire in wires:
            wire.close()
    assert compared >= _REQUESTS
    # Otherwise nothing was compared.
    assert gateways.fast_path_count() - fast_path_count > compared // 10


def test_pipelined_request_may_be_split_anywhere(
    library: Stack, gateways: Gateways, database: psycopg.Connection
) -> None:
    _change_schema(gateways, database, library, 0)
    # None of the three looks at the header that differs.
    expected = [plain_response(gateways.plain, request) for request in stream_of_three(library, "0000")]
    # Between any two requests are four bytes of the end of a head: some place of three splits each.
    for place in range(1, len(b"".join(stream_of_three(library, "0000"))), 1 if TIMES > 1 else 3):
        # Headers that no request before had; then one by one, when all that is cached of them is there.
        stream = stream_of_three(library, f"{place:04}")
        data = b"".join(stream)
        responses = dict(zip(stream, expected, strict=True))
        wire = Wire(gateways.ordinary)
        wire.send([data[:place], data[place:]])
        _compare(wire, stream, responses, gateways.plain)
        for request in stream:
            wire.send([request])
            _compare(wire, [request], responses, gateways.plain)
        wire.close()
