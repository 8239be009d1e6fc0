"""`db reset` with a changed migration while clients read and write: no error, no old schema after the new."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from localbase.core.settings import Settings

from tests.localbase.integration.small_project import MIGRATION, PORT, SmallProject
from tests.support.project_files import ProjectFiles

_URL = f"http://127.0.0.1:{PORT}/rest/v1/things"
_HEADERS = {"apikey": Settings().keys.publishable, "prefer": "return=representation"}
# Between two requests of a client: far less than the data takes to be replaced.
_PAUSE = 0.02
_BEFORE = f"{MIGRATION}\ngrant insert on shop.things to anon;"
_AFTER = f"{_BEFORE}\nalter table shop.things add colour text not null default 'red';"


@dataclass(frozen=True, slots=True)
class RequestCycle:
    """One request with its response: when it was sent and finished, and whether it had to be sent again."""

    sent: float
    finished: float
    status: int
    body: Any
    again: bool

    @property
    def columns(self) -> set[str]:
        return set(self.body[0])


class Clients:
    """Readers and writers that send requests until `leave`, each over a new connection."""

    def __init__(self, readers: int, writers: int) -> None:
        self._stop = threading.Event()
        self._numbers = count(1000)
        self._pool = ThreadPoolExecutor(readers + writers)
        self._reading = [self._pool.submit(self._work, self._read) for _ in range(readers)]
        self._writing = [self._pool.submit(self._work, self._write) for _ in range(writers)]

    def leave(self) -> tuple[list[RequestCycle], list[RequestCycle]]:
        """Return what was read, and what was written."""
        self._stop.set()
        read = [each for future in self._reading for each in future.result()]
        written = [each for future in self._writing for each in future.result()]
        return read, written

    def _work(self, request: Callable[[], httpx.Request]) -> list[RequestCycle]:
        done = []
        while not self._stop.is_set():
            done.append(_send(request()))
            self._stop.wait(_PAUSE)
        return done

    def _read(self) -> httpx.Request:
        return httpx.Request("GET", f"{_URL}?id=eq.1", headers=_HEADERS)

    def _write(self) -> httpx.Request:
        row = {"id": next(self._numbers), "name": "written"}
        return httpx.Request("POST", _URL, headers=_HEADERS, json=row)


def _send(request: httpx.Request) -> RequestCycle:
    sent = time.monotonic()
    with httpx.Client(timeout=60) as client:
        try:
            response, again = client.send(request), False
        except (httpx.RemoteProtocolError, httpx.ReadError):
            # A process that ends closes a connection that it had accepted and not read from: sent again, as clients do.
            response, again = client.send(request), True
    return RequestCycle(sent, time.monotonic(), response.status_code, response.json(), again)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    files = ProjectFiles(migrations={"20260101000000_things.sql": _BEFORE})
    with SmallProject(tmp_path / "a folder with spaces", files) as made:
        made.start()
        yield made


def test_reset_under_load_shows_no_error_and_no_stale_schema(project: SmallProject) -> None:
    clients = Clients(readers=3, writers=2)
    project.migration("20260101000000_things.sql", _AFTER)
    done = project.run("db", "reset")
    assert done.returncode == 0, done.stderr
    returned = time.monotonic()
    # At once, for the row and for the column alone.
    assert httpx.get(_URL, params={"id": "eq.1"}, headers=_HEADERS).json() == [
        {"id": 1, "name": "first", "colour": "red"}
    ]
    assert httpx.get(_URL, params={"select": "colour", "id": "eq.1"}, headers=_HEADERS).json() == [
        {"colour": "red"}
    ]
    blue = httpx.post(_URL, headers=_HEADERS, json={"id": 2, "name": "second", "colour": "blue"})
    assert (blue.status_code, blue.json()) == (201, [{"id": 2, "name": "second", "colour": "blue"}])
    read, written = clients.leave()
    assert done.returncode == 0, done.stderr
    assert {each.status for each in read} == {200}
    # One that was sent again may have been written the first time.
    assert {each.status for each in written if not each.again} == {201}
    assert {each.status for each in written if each.again} <= {201, 409}
    old, new = {"id", "name"}, {"id", "name", "colour"}
    seen = sorted((each for each in [*read, *written] if each.status != 409), key=lambda each: each.sent)
    assert {frozenset(each.columns) for each in seen} == {frozenset(old), frozenset(new)}
    first_new = min(each.finished for each in seen if each.columns == new)
    assert [each for each in seen if each.columns == old and each.sent > min(first_new, returned)] == []
    # Rows that were written before the reset are gone, those written after it are there.
    with project.database() as connection:
        names = connection.execute("select id from shop.things where name = 'written'").fetchall()
    assert {row[0] for row in names} == {
        each.body[0]["id"] for each in written if each.status == 201 and each.columns == new
    }
