"""Large bodies: read correctly while other requests are served, and rejected above their limits."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator

import httpx
import psycopg
import pytest

from tests.localbase.integration.rest.conftest import Api, error

ROWS = 20_000


@pytest.fixture
def many(counters: psycopg.Connection) -> Iterator[psycopg.Connection]:
    yield counters
    counters.execute("delete from counters where name like 'many-%'")


def saved(database: psycopg.Connection) -> tuple[int, int]:
    row = database.execute(
        "select count(*), coalesce(sum(amount), 0) from counters where name like 'many-%'"
    ).fetchone()
    assert row
    return int(row[0]), int(row[1])


def post(api: Api, body: bytes, kind: str, path: str = "/counters") -> httpx.Response:
    headers = {**api.headers("service_role"), "content-type": kind}
    return httpx.post(api.url(path), content=body, headers=headers, timeout=60)


def test_many_rows_of_json_are_all_saved(api: Api, many: psycopg.Connection) -> None:
    rows = [{"name": f"many-{i}", "amount": i} for i in range(ROWS)]
    assert post(api, json.dumps(rows).encode(), "application/json").status_code == 201
    assert saved(many) == (ROWS, sum(range(ROWS)))


def test_many_lines_of_csv_are_all_saved(api: Api, many: psycopg.Connection) -> None:
    body = "name,amount\n" + "".join(f'"many-{i}",{i}\n' for i in range(ROWS))
    assert post(api, body.encode(), "text/csv").status_code == 201
    assert saved(many) == (ROWS, sum(range(ROWS)))


def test_faulty_large_body_gets_the_same_error_as_a_small_one(api: Api) -> None:
    broken = b"[" + b'{"name":"many-1","amount":1},' * ROWS + b"{}]"
    assert error(post(api, broken, "application/json")) == (
        400,
        {"code": "PGRST102", "details": None, "hint": None, "message": "All object keys must match"},
    )


def test_too_many_columns_are_rejected_before_they_are_listed(api: Api) -> None:
    for kind, body in (
        ("application/json", json.dumps({f"a{i}": 1 for i in range(50_000)}).encode()),
        ("application/x-www-form-urlencoded", "&".join(f"a{i}=1" for i in range(50_000)).encode()),
    ):
        response = error(post(api, body, kind))
        message = "A body may name at most 10000 columns"
        assert response == (400, {"code": "PGRST102", "details": None, "hint": None, "message": message})


def test_other_requests_are_answered_while_a_large_body_is_read(api: Api) -> None:
    body = b"name\n" + b"a\n" * 300_000
    done = threading.Event()

    def send() -> None:
        post(api, body, "text/csv", "/counters?select=name")
        done.set()

    sender = threading.Thread(target=send)
    sender.start()
    responses = 0
    while not done.is_set():
        assert api.request("GET", "/counters?limit=1").status_code == 200
        responses += 1
        time.sleep(0.01)
    sender.join()
    # Decoded on the loop, this body lets no other request through until it is done.
    assert responses > 20
