"""The project of the Storage API's tests, its users, and plain HTTP as one of them."""

from __future__ import annotations

import json
import socket
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.support.stacks import Stack
from tests.support.users import Person, Users

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Api:
    """`/storage/v1` of a stack, with a caller's token."""

    stack: Stack
    token: str

    def send(
        self,
        method: str,
        path: str,
        *,
        headers: dict[str, str] | None = None,
        content: Any = None,
        json: Any = None,
        files: Any = None,
        data: Any = None,
        params: dict[str, str] | None = None,
    ) -> httpx.Response:
        """One request. `headers` overrule the token's."""
        all_headers = {"authorization": f"Bearer {self.token}", "apikey": self.stack.anon_key} | (
            headers or {}
        )
        return httpx.request(
            method,
            f"{self.stack.api_url}/storage/v1{path}",
            headers=all_headers,
            content=content,
            json=json,
            files=files,
            data=data,
            params=params,
            timeout=60,
        )

    def error(self, method: str, path: str, **options: Any) -> tuple[int, Body]:
        """Status and body of a request that fails."""
        response = self.send(method, path, **options)
        return response.status_code, response.json()

    def early_response(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, Body]:
        """The response to a request of which only the head and `body`, its begin, are sent."""
        parts = urlsplit(self.stack.api_url)
        lines = {
            "host": parts.netloc,
            "authorization": f"Bearer {self.token}",
            "apikey": self.stack.anon_key,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in (lines | headers).items())
        with socket.create_connection((str(parts.hostname), int(parts.port or 80)), timeout=30) as wire:
            wire.sendall(f"POST /storage/v1{path} HTTP/1.1\r\n{head}\r\n".encode() + body)
            response = wire.makefile("rb")
            status = int(response.readline().split(b" ")[1])
            size = 0
            while line := response.readline().strip():
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            return status, json.loads(response.read(size))


@pytest.fixture(scope="session")
def users(storage: Stack) -> Users:
    return Users(storage)


@pytest.fixture(scope="module")
def owner(users: Users) -> Person:
    return users.new("owner")


@pytest.fixture(scope="module")
def api(storage: Stack, owner: Person) -> Api:
    """As the owner, who may do all below a folder named after the own id in the bucket `folders`."""
    return Api(storage, owner.token)


@pytest.fixture(scope="module")
def stranger(storage: Stack, users: Users) -> Api:
    return Api(storage, users.new("stranger").token)


@pytest.fixture(scope="session")
def anonymous(storage: Stack) -> Api:
    return Api(storage, storage.anon_key)


@pytest.fixture(scope="session")
def service(storage: Stack) -> Api:
    return Api(storage, storage.service_role_key)


@pytest.fixture
def bucket(service: Api) -> str:
    """A private bucket of the test's own, without policies."""
    name = f"b-{uuid.uuid4()}"
    assert service.send("POST", "/bucket", json={"name": name}).status_code == 200
    return name


@pytest.fixture
def connection(storage: Stack) -> Iterator[psycopg.Connection]:
    """The database as the platform's own role."""
    with psycopg.connect(storage.admin_db_url, autocommit=True) as opened:
        yield opened


def stored_files(stack: Stack) -> set[Path]:
    """All files that hold an object's bytes, or a part of them."""
    return {path for path in (stack.state / "storage").rglob("*") if path.is_file()}


@pytest.fixture
def unchanged(storage: Stack) -> Iterator[None]:
    """Nothing has come to the disk when the test ends, or it goes within seconds."""
    before = stored_files(storage)
    yield
    deadline = time.monotonic() + 20
    while stored_files(storage) != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert stored_files(storage) == before
