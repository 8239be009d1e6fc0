"""`Content-Length` on every path through the gateway: absent on 204 and 304, true or absent on HEAD."""

from __future__ import annotations

import hashlib
import http.client
import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.support.stacks import Stack
from tests.support.users import Users

_Answer = tuple[int, str | None, bytes]


class Connection:
    """A persistent connection: a response that is longer than its length breaks the next one."""

    def __init__(self, stack: Stack) -> None:
        address = urlsplit(stack.api_url)
        self._connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
        self._key = stack.secret_key

    def request(self, method: str, path: str, body: object = None, **headers: str) -> _Answer:
        """Status, Content-Length and body."""
        all_headers = {"apikey": self._key, "content-type": "application/json"}
        all_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        sent = None if body is None else json.dumps(body).encode()
        self._connection.request(method, path, sent, all_headers)
        response = self._connection.getresponse()
        assert response.getheader("transfer-encoding") is None
        return response.status, response.getheader("content-length"), response.read()


@pytest.fixture(scope="module")
def uploaded_things(services: Stack) -> Iterator[None]:
    with psycopg.connect(services.db_url, autocommit=True) as connection:
        connection.execute("create table things (id int primary key, name text)")
        connection.execute("grant all on things to service_role")
        connection.execute("insert into things values (1, 'one')")
        connection.execute(
            "create function guc_status(status text) returns text language sql as "
            "$$ select set_config('response.status', status, true) $$"
        )
        yield
        connection.execute("drop table things; drop function guc_status")


@pytest.fixture
def connection(services: Stack, uploaded_things: None) -> Connection:
    client = Connection(services)
    while (
        client.request("GET", "/rest/v1/things")[0] != 200
        or client.request("GET", "/rest/v1/rpc/guc_status?status=200")[0] != 200
    ):
        continue
    return client


@pytest.mark.parametrize("request_id", [{}, {"x_request_id": "mine"}], ids=["fast path", "asgi path"])
def test_content_length_is_absent_without_a_body(connection: Connection, request_id: dict[str, str]) -> None:
    # From the third time on a request without an id of its own is answered below ASGI.
    for _ in range(4):
        for method, path, body in (
            ("PATCH", "/rest/v1/things?id=eq.1", {"name": "two"}),
            ("DELETE", "/rest/v1/things?id=eq.2", None),
            ("POST", "/rest/v1/rpc/guc_status", {"status": "204"}),
        ):
            assert connection.request(method, path, body, **request_id) == (204, None, b"")
        assert connection.request("GET", "/rest/v1/things?select=id", **request_id) == (
            200,
            "10",
            b'[{"id":1}]',
        )


def test_content_length_is_absent_in_the_other_services(services: Stack, connection: Connection) -> None:
    person = Users(services).new("lengths")
    assert connection.request("GET", "/functions/v1/mirror?status=204") == (204, None, b"")
    assert connection.request("GET", "/functions/v1/mirror?status=304") == (304, None, b"")
    path = f"/storage/v1/object/private/{person.id}/a.txt"
    token = f"Bearer {person.token}"
    assert connection.request("POST", path, "text", authorization=token)[0] == 200
    tag = f'"{_md5(json.dumps("text").encode())}"'
    assert connection.request("GET", path, authorization=token, if_none_match=tag) == (304, None, b"")
    assert connection.request("POST", "/auth/v1/logout", authorization=token) == (204, None, b"")


def _md5(text: bytes) -> str:
    return hashlib.md5(text, usedforsecurity=False).hexdigest()


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/rest/v1/things",
            "/rest/v1/things?id=eq.7",
            "/rest/v1/nowhere",
            "/rest/v1/",
            "/nowhere",
            "/health",
        ),
        *(
            "/auth/v1/settings",
            "/auth/v1/user",
            "/storage/v1/object/public/pictures/a.txt",
            "/functions/v1/missing",
        ),
        *("/functions/v1/mirror?status=200", "/rest/v1/rpc/guc_status?status=201"),
    ],
)
def test_content_length_of_head_is_true_or_absent(connection: Connection, path: str) -> None:
    status, length, body = connection.request("GET", path)
    assert length == str(len(body))
    response_to_head = connection.request("HEAD", path)
    if path.startswith("/auth/"):
        # Upstream's router has no HEAD.
        status, length = 405, "0"
    assert response_to_head in ((status, None, b""), (status, length, b""))
    assert connection.request("GET", path)[2] == body
