"""Writers that meet at one object: its row goes to the server in one way, and no order of things loses bytes."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import httpx
import psycopg
import pytest

from tests.localbase.integration.storage.conftest import Api, stored_files
from tests.support.users import Person

_LOCK = "select pg_advisory_xact_lock(hashtextextended(%s, 0))"


@pytest.fixture
def name(owner: Person) -> str:
    return f"{owner.id}/{uuid.uuid4()}.txt"


def put(api: Api, name: str, content: bytes, *, upsert: bool) -> httpx.Response:
    headers = {"content-type": "text/plain", "x-upsert": str(upsert).lower()}
    return api.send("POST", f"/object/folders/{name}", content=content, headers=headers)


def opened(connection: psycopg.Connection) -> psycopg.Connection:
    """Another connection, in a transaction until the block ends."""
    return psycopg.connect(connection.info.dsn, password="postgres")


def wait_for_lock(connection: psycopg.Connection, kind: str, count: int) -> None:
    deadline = time.monotonic() + 4
    asked = "select count(*) >= %s from pg_locks where locktype = %s and not granted"
    while connection.execute(asked, [count, kind]).fetchone() != (True,):
        assert time.monotonic() < deadline
        time.sleep(0.02)  # Postgres has no event for a lock that is waited for


def test_object_that_sql_renames_meanwhile_keeps_its_bytes(
    api: Api, name: str, connection: psycopg.Connection
) -> None:
    assert put(api, name, b"first", upsert=False).status_code == 200
    with ThreadPoolExecutor() as threads, opened(connection) as sql:
        with opened(connection) as lock:
            lock.execute(_LOCK, [f"folders/{name}"])
            second = threads.submit(put, api, name, b"second", upsert=True)
            # It may write, and its bytes are there.
            wait_for_lock(connection, "advisory", 1)
            sql.execute("update storage.objects set name = %s where name = %s", [f"{name}.old", name])
        wait_for_lock(connection, "transactionid", 1)
        sql.commit()
        assert second.result().status_code == 200
    assert api.send("GET", f"/object/folders/{name}").content == b"second"
    assert api.send("GET", f"/object/folders/{name}.old").content == b"first"


@pytest.mark.parametrize(("upsert", "statuses"), [(False, [200, 400]), (True, [200, 200])])
def test_first_uploads_at_once_leave_one_object_with_its_bytes(
    api: Api, name: str, connection: psycopg.Connection, upsert: bool, statuses: list[int]
) -> None:
    before = stored_files(api.stack)
    with ThreadPoolExecutor() as threads, opened(connection) as lock:
        lock.execute(_LOCK, [f"folders/{name}"])
        sent = {
            content: threads.submit(put, api, name, content, upsert=upsert) for content in (b"one", b"two")
        }
        # Both have been let in, for there is no such object yet.
        wait_for_lock(connection, "advisory", 2)
        lock.rollback()
        answers = {content: each.result() for content, each in sent.items()}
    assert sorted(answer.status_code for answer in answers.values()) == statuses
    kept = api.send("GET", f"/object/folders/{name}").content
    assert answers[kept].status_code == 200
    (path,) = stored_files(api.stack) - before
    assert path.read_bytes() == kept
