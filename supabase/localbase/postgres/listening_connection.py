"""A connection of psycopg that waits for notices without waking up."""

from __future__ import annotations

from typing import TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

_Value = TypeVar("_Value")
# psycopg wakes ten times a second, for an interrupt that only a thread without an event loop would miss.
_WAKE_SECONDS = 60.0


class ListeningConnection(psycopg.AsyncConnection[TupleRow]):
    """For `LISTEN`: at rest it costs no processor time."""

    async def wait(
        self,
        gen: PQGen[_Value],
        interval: float = _WAKE_SECONDS,
        timeout: float | None = None,  # noqa: ASYNC109 - psycopg's own
    ) -> _Value:
        """As psycopg's; `interval` and `timeout` are in seconds."""
        return await super().wait(gen, interval, timeout)
