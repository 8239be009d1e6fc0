"""The library project's Data API over HTTP, as any role."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import httpx
import psycopg
import pytest
from localbase.core.tokens.jwt import sign

from tests.support.stacks import Stack, running_project

Configure = Callable[..., AbstractContextManager[None]]
OWNER = "11111111-1111-1111-1111-111111111111"


class Api:
    """Requests to `/rest/v1`. Without `role` they come from the service role."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self._client = httpx.Client(base_url=f"{stack.api_url}/rest/v1")

    def close(self) -> None:
        self._client.close()

    def token(self, role: str, sub: str | None = None) -> str:
        """A signed token of any role."""
        claims: dict[str, Any] = {"role": role, "exp": int(time.time()) + 3600}
        if sub:
            claims["sub"] = sub
        return sign(claims, self._stack.jwt_secret)

    def request(
        self,
        method: str,
        url: str,
        *,
        role: str = "service_role",
        sub: str | None = None,
        json: Any = None,
        content: bytes | str | None = None,
        **headers: str | bytes,
    ) -> httpx.Response:
        """One request; `accept_profile="crm"` is the header Accept-Profile."""
        all_headers: dict[str, str | bytes] = {**self.headers(role, sub)}
        all_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name.encode(): v if isinstance(v, bytes) else v.encode() for name, v in all_headers.items()}
        if json is None:
            return self._client.request(method, url, headers=sent, content=content)
        return self._client.request(method, url, headers=sent, json=json)

    def url(self, path: str) -> str:
        """An address for a client of one's own."""
        return f"{self._stack.api_url}/rest/v1{path}"

    def headers(self, role: str, sub: str | None = None) -> dict[str, str]:
        """The headers of a request as `role`."""
        return {"apikey": self._stack.anon_key, "authorization": f"Bearer {self.token(role, sub)}"}

    def get(self, url: str, **more: Any) -> httpx.Response:
        return self.request("GET", url, **more)

    def rows(self, url: str, **more: Any) -> Any:
        """The body of a read that must succeed."""
        response = self.request("GET", url, **more)
        assert response.status_code in (200, 206), response.text
        return response.json()


def error(response: httpx.Response) -> tuple[int, dict[str, Any]]:
    """Status and body of an error, after checking its fields."""
    body = response.json()
    assert set(body) == {"code", "details", "hint", "message"}
    assert response.headers["content-type"] == "application/json; charset=utf-8"
    assert response.headers["proxy-status"] == f"PostgREST; error={body['code']}"
    return response.status_code, body


@pytest.fixture(scope="session")
def api(library: Stack) -> Iterator[Api]:
    client = Api(library)
    yield client
    client.close()


@pytest.fixture(scope="session")
def quoted_names_stack() -> Iterator[Stack]:
    """A project in which every name needs quoting (tests/projects/quoted_names)."""
    with running_project("quoted_names") as running:
        yield running


@pytest.fixture(scope="session")
def quoted(quoted_names_stack: Stack) -> Iterator[Api]:
    client = Api(quoted_names_stack)
    yield client
    client.close()


@pytest.fixture
def database(library: Stack) -> Iterator[psycopg.Connection]:
    """The library project's database as its own role."""
    with psycopg.connect(library.db_url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def counters(database: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """`counters` with the two rows a (1) and b (2), for a test to change."""
    database.execute("delete from counters")
    database.execute("insert into counters (name, amount) values ('a', 1), ('b', 2)")
    yield database
    database.execute("delete from counters")


@pytest.fixture
def configure(database: psycopg.Connection) -> Configure:
    """Changes settings of a role (by default the login role), and resets them."""

    @contextmanager
    def configured(role: str = "authenticator", **settings: str) -> Iterator[None]:
        names = {name: name if role != "authenticator" else f"pgrst.{name}" for name in settings}
        for name, value in settings.items():
            database.execute(f"alter role {role} set {names[name]} = '{value}'".encode())
        database.execute("notify pgrst, 'reload config'")
        try:
            yield
        finally:
            for name in settings:
                database.execute(f"alter role {role} reset {names[name]}".encode())
            database.execute("notify pgrst, 'reload config'")

    return configured


def until(send: Callable[[], httpx.Response], holds: Callable[[httpx.Response], bool]) -> httpx.Response:
    """Repeats the request until the response is right: a notification takes a moment."""
    deadline = time.monotonic() + 10
    while True:
        response = send()
        if holds(response) or time.monotonic() > deadline:
            return response
        time.sleep(0.02)
