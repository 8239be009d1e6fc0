"""access_log: one line a request, whatever the load."""

from __future__ import annotations

import asyncio
import logging

import pytest
from localbase.access_log import AccessLog


def test_a_lone_line_is_written_at_once_and_a_burst_together(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "localbase.access")

    async def scene() -> None:
        log = AccessLog()
        log.add("first")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [record.getMessage() for record in caplog.records] == ["first"]
        for number in range(3):
            log.add(f"burst {number}")
        await asyncio.sleep(0.1)

    asyncio.run(scene())
    assert len(caplog.records) == 2
    lines = caplog.records[1].getMessage().splitlines()
    assert lines[0] == "burst 0"
    # Every line can be read on its own: the logger's prefix is repeated.
    assert [line.rpartition(" INFO localbase.access ")[2] for line in lines[1:]] == ["burst 1", "burst 2"]


def test_what_is_left_is_written_at_the_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "localbase.access")

    async def scene() -> AccessLog:
        log = AccessLog()
        log.add("last")
        return log

    asyncio.run(scene()).flush()
    assert [record.getMessage() for record in caplog.records] == ["last"]
