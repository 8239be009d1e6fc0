"""access_log: one line a request, under any load."""

from __future__ import annotations

import asyncio
import logging

import pytest
from localbase.gateway.access_log import AccessLog


def test_few_lines_are_written_at_once_and_bursts_together(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "localbase.access")

    async def steps() -> None:
        log = AccessLog()
        for number in range(40):
            log.add(f"line {number}")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert [record.getMessage() for record in caplog.records[:10]] == [f"line {n}" for n in range(10)]
        await asyncio.sleep(0.1)

    asyncio.run(steps())
    assert len(caplog.records) < 20
    written = [line for record in caplog.records for line in record.getMessage().splitlines()]
    # Every line can be read on its own: within a burst the logger's prefix is repeated.
    assert [line.rpartition(" INFO localbase.access ")[2] for line in written] == [
        f"line {n}" for n in range(40)
    ]


def test_buffered_lines_are_written_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "localbase.access")

    async def steps() -> AccessLog:
        log = AccessLog()
        log.add("last")
        return log

    asyncio.run(steps()).flush()
    assert [record.getMessage() for record in caplog.records] == ["last"]
