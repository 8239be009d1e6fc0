"""Responses of the fast path are those of the ASGI path, byte for byte.

A request with an `X-Request-Id` always takes the ASGI path, so each is sent with one and, several times, without.
"""

from __future__ import annotations

import json
import random
import re
import socket
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote

import psycopg
import pytest

from tests.localbase.integration.rest.conftest import Api, Configure
from tests.support.stacks import Stack

_VARIES = re.compile(rb"(?i)(\r\n(?:date|x-request-id): )[^\r]*")
_LENGTH = re.compile(rb"(?i)\r\ncontent-length: (\d+)")


class Wire:
    """A connection on a bare socket, for responses as they are."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open()

    def _open(self) -> None:
        self._socket = socket.create_connection(("127.0.0.1", self._port))
        self._file = self._socket.makefile("rb")

    def close(self) -> None:
        self._file.close()
        self._socket.close()

    def send(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> None:
        """Sends a request without waiting for the response."""
        all_headers = {"Host": "x", **headers} | ({"Content-Length": str(len(body))} if body else {})
        lines = [
            f"{method} /rest/v1{path} HTTP/1.1",
            *(f"{name}: {value}" for name, value in all_headers.items()),
        ]
        self._socket.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + body)

    def response_to(self, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> bytes:
        """The response without its request id and date."""
        self.send(method, path, headers, body)
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self._file.readline()
            assert line, f"no response to {method} {path}: {head!r}"
            head += line
        length = _LENGTH.search(head)
        content = self._file.read(int(length[1])) if length and method != "HEAD" else b""
        if b"connection: close" in head.lower():
            self.close()
            self._open()
        return _VARIES.sub(rb"\1", head) + content


@pytest.fixture
def wire(library: Stack) -> Iterator[Wire]:
    connection = Wire(int(library.api_url.rpartition(":")[2]))
    yield connection
    connection.close()


def _same(
    wire: Wire, api: Api, method: str, path: str, body: object = None, role: str = "service_role", **more: str
) -> bytes:
    """Asserts that all responses are equal, and returns one."""
    headers = {**api.headers(role), **{name.replace("_", "-"): value for name, value in more.items()}}
    raw = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    if raw:
        headers.setdefault("content-type", "application/json")
    slow = wire.response_to(method, path, {**headers, "X-Request-Id": "slow"}, raw)
    for _ in range(4):
        assert wire.response_to(method, path, headers, raw) == slow
    return slow


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/books?id=eq.1", {}),
        ("/books?id=eq.987654", {}),
        ("/books?select=id,title&order=id&limit=2", {"prefer": "count=exact"}),
        ("/books?select=id&order=id&limit=2&offset=900", {"prefer": "count=exact"}),
        ("/books?select=id&order=id", {"prefer": "count=planned"}),
        ("/books?select=id&order=id", {"range": "1-2", "prefer": "count=exact"}),
        ("/books?title=eq.%C3%A9%E2%82%AC", {}),
        ("/books?title=eq.a+b%2Bc", {}),
        ("/books?id=eq.x", {}),
        ("/books?nope=eq.x", {}),
        ("/nowhere?id=eq.1", {}),
        ("/books?id=eq.1", {"accept": "application/vnd.pgrst.object+json"}),
        ("/books?id=gt.0", {"accept": "application/vnd.pgrst.object+json"}),
        ("/books?id=eq.1", {"accept": "text/csv"}),
        ("/books?id=eq.1", {"accept": "image/png"}),
        ("/books?select=id,authors!author_id(name)&id=eq.1", {}),
        ("/books?select=nothing(*)", {}),
        ("/rpc/add_numbers?a=1&b=2", {}),
        ("/rpc/tell_headers", {}),
        ("/rpc/bad_headers", {}),
        ("/rpc/raise_plain", {}),
        ("/rpc/raise_status", {}),
        ("/rpc/raise_whole", {}),
        ("/rpc/raise_unreadable", {}),
        ("/rpc/page", {"accept": "text/html"}),
        ("/rpc/dot?size=3", {"accept": "image/x-dot"}),
        ("/rpc/write_in_get", {}),
        ("/books?id=eq.1", {"accept-profile": "nowhere"}),
        ("/", {}),
    ],
)
def test_reads_and_errors_equal_those_of_the_asgi_path(
    wire: Wire, api: Api, path: str, more: dict[str, str]
) -> None:
    response = _same(wire, api, "GET", path, **more)
    assert response.startswith(b"HTTP/1.1 ")


def test_head_equals_that_of_the_asgi_path(wire: Wire, api: Api) -> None:
    assert b"content-range: 0-0/*" in _same(wire, api, "HEAD", "/books?id=eq.1").lower()


@pytest.mark.parametrize(
    ("method", "path", "body", "prefer"),
    [
        ("POST", "/rpc/add_numbers", {"a": 1, "b": 2}, ""),
        ("POST", "/rpc/add_numbers", {"a": "x"}, ""),
        ("POST", "/rpc/note_down", b"", ""),
        ("POST", "/rpc/forget", {}, ""),
        ("POST", "/counters", {"name": "x", "amount": "no number"}, ""),
        (
            "POST",
            "/counters",
            {"name": "y", "amount": 5},
            "resolution=merge-duplicates,return=representation",
        ),
        ("POST", "/counters", {"name": "y", "amount": 5}, "tx=rollback"),
        ("POST", "/counters", b"{", ""),
        ("PATCH", "/counters?name=eq.a", {"amount": 7}, "return=representation"),
        ("PATCH", "/counters?name=eq.nobody", {"amount": 7}, ""),
        ("PATCH", "/counters", {"amount": 7}, ""),
        ("PATCH", "/counters?amount=gt.0", {"amount": 7}, "max-affected=1,handling=strict"),
        ("DELETE", "/counters?name=eq.nobody", None, "return=representation"),
        ("DELETE", "/counters", None, ""),
        ("DELETE", "/counters?amount=gt.0", None, "max-affected=1,handling=strict"),
    ],
)
def test_changes_and_calls_equal_those_of_the_asgi_path(
    wire: Wire, api: Api, counters: object, method: str, path: str, body: object, prefer: str
) -> None:
    # Once beforehand, so that an upsert always meets its row.
    api.request(
        method,
        path,
        content=b"" if body is None else body if isinstance(body, bytes) else json.dumps(body),
        prefer=prefer,
    )
    assert _same(wire, api, method, path, body, prefer=prefer).startswith(b"HTTP/1.1 ")


@pytest.mark.parametrize("role", ["anon", "authenticated", "nobody_at_all"])
def test_rejection_of_a_role_equals_that_of_the_asgi_path(wire: Wire, api: Api, role: str) -> None:
    for path in ("/secrets?id=eq.1", "/half_open?id=eq.1", "/notes?id=eq.1", "/rpc/only_for_service"):
        _same(wire, api, "GET", path, role=role)


def test_random_operands_equal_those_of_the_asgi_path(wire: Wire, api: Api) -> None:
    chance = random.Random(20)
    texts = [
        "1",
        "2",
        "",
        "null",
        "x y",
        "%",
        "'",
        '"',
        "\\",
        "(",
        ",",
        "é€",
        "a.b",
        "_",
        "-1",
        "2001-01-01",
        "{1}",
    ]
    for _ in range(120):
        name = chance.choice(["id", "title", "price", "published", "details->>lang", "nope"])
        operator = chance.choice(["eq", "neq", "gt", "not.eq", "like", "in", "is", "isdistinct", "cs", "zz"])
        more = chance.choice(["", "&order=id&limit=2", "&select=id,title&order=id", "&or=(id.eq.1,id.eq.2)"])
        path = f"/books?{name}={operator}.{quote(chance.choice(texts))}{more}"
        _same(wire, api, "GET", path, prefer=chance.choice(["count=exact", "handling=strict,odd"]))


def test_pre_request_function_runs_and_may_reject(wire: Wire, api: Api, configure: Configure) -> None:
    response = wire.response_to("GET", "/books?id=eq.1", api.headers("anon"))
    assert response.startswith(b"HTTP/1.1 200")
    with configure(db_pre_request="before_request"):
        _same(wire, api, "GET", "/rpc/request_context", role="anon")


def test_statement_of_a_client_that_has_gone_is_cancelled(
    library: Stack, api: Api, database: psycopg.Connection
) -> None:
    port = int(library.api_url.rpartition(":")[2])
    headers = api.headers("service_role")
    wire = Wire(port)
    for _ in range(4):
        assert b" 204 " in wire.response_to("GET", "/rpc/wait_stably?seconds=0.01", headers)
    wire.send("GET", "/rpc/wait_stably?seconds=30.5", headers)
    running = (
        "select count(*) from pg_stat_activity"
        " where usename = 'authenticator' and state = 'active' and query like '%wait_stably%'"
    )
    _until(lambda: database.execute(running).fetchone() == (1,))
    wire.close()
    _until(lambda: database.execute(running).fetchone() == (0,))
    # Others go on, on as many connections as before.
    assert api.get("/books?limit=1").status_code == 200


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
