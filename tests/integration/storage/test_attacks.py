"""What a caller could do to others, or to an object, by values, policies and requests at once."""

from __future__ import annotations

import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest

from tests.integration.storage.conftest import Api
from tests.integration.storage.resumable import Resumable
from tests.support.stacks import Stack
from tests.support.users import Person

_LINES = "text/html\r\nset-cookie: a=b"


@pytest.fixture
def name(owner: Person) -> str:
    return f"{owner.id}/{uuid.uuid4()}.txt"


def test_policy_that_sleeps_ends_and_others_are_served(
    api: Api, service: Api, bucket: str, connection: psycopg.Connection
) -> None:
    policy = f'"{bucket}: sleeps"'
    connection.execute(
        f"""
        create policy {policy} on storage.objects for insert to authenticated
        with check (bucket_id = '{bucket}' and pg_sleep(1000) is not null)
        """.encode()
    )

    def upload(number: int) -> tuple[int, dict[str, Any]]:
        return api.error("POST", f"/object/{bucket}/{number}", content=b"x")

    started = time.monotonic()
    try:
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(upload, range(8)))
    finally:
        connection.execute(f"drop policy {policy} on storage.objects".encode())
    assert time.monotonic() - started < 30
    timed_out = {
        "statusCode": "544",
        "code": "DatabaseTimeout",
        "error": "DatabaseTimeout",
        "message": "The connection to the database timed out",
    }
    assert answers == [(544, timed_out)] * 8
    assert service.send("POST", f"/object/{bucket}/a", content=b"x").status_code == 200
