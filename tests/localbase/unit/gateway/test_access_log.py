"""access_log: one line a request, under any load."""

from __future__ import annotations

import asyncio
import json
import logging
import re

import pytest
from localbase.gateway.access_log import AccessLog


def _written(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [line for record in caplog.records for line in record.getMessage().splitlines()]


def test_few_lines_are_written_at_once_and_bursts_together(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "localbase.access")

    async def steps() -> None:
        log = AccessLog()
        for number in range(40):
            log.add(f"GET /{number}", 200, 0.001, "id")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert len(caplog.records) == 10
        await asyncio.sleep(0.1)

    asyncio.run(steps())
    assert len(caplog.records) < 20
    # Every line can be read on its own: within a burst the time is repeated.
    records = [json.loads(line) for line in _written(caplog)]
    assert [record["path"] for record in records] == [f"/{n}" for n in range(40)]
    assert all(record["time"] for record in records)


def test_line_is_an_object_with_the_requests_fields(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "localbase.access")

    async def steps() -> None:
        log = AccessLog()
        log.add('POST /a"b\\c\x85é', 201, 0.01234, "r-1", received=12, sent=345)
        log.flush()

    asyncio.run(steps())
    (line,) = _written(caplog)
    record = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", record.pop("time"))
    assert record == {
        "severity": "INFO",
        "service": "gateway",
        "method": "POST",
        "path": '/a"b\\c\x85é',
        "status": 201,
        "ms": 12.3,
        "bytes_in": 12,
        "bytes_out": 345,
        "request_id": "r-1",
    }


def test_buffered_lines_are_written_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "localbase.access")

    async def steps() -> AccessLog:
        log = AccessLog()
        log.add("GET /last", 200, 0.0, "id")
        return log

    asyncio.run(steps()).flush()
    assert [json.loads(line)["path"] for line in _written(caplog)] == ["/last"]
