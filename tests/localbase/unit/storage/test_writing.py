"""storage.writing: which bytes go where the row that names them may have been written."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import psycopg
import pytest
from localbase.postgres.pool import PoolExhausted
from localbase.storage.context import Call
from localbase.storage.errors import StorageError
from localbase.storage.writing import NewObject, write_row


class _Files:
    def __init__(self) -> None:
        self.removed: list[str] = []

    async def remove(self, version: str) -> None:
        self.removed.append(version)


class _Call:
    """A caller whose database answers, or fails, in one way."""

    def __init__(self, answer: Any) -> None:
        self._answer, self.files = answer, _Files()

    @property
    def context(self) -> _Call:
        return self

    async def document_as_service(self, *_: str | Sequence[object]) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def _removed(answer: Any, error: type[Exception]) -> list[str]:
    new = NewObject("bucket", "key", None, "text/plain", "no-cache", upsert=True, size=1)
    call = _Call(answer)
    with pytest.raises(error):
        asyncio.run(write_row(cast(Call, call), new, "new", {}))
    return call.files.removed


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (psycopg.OperationalError("gone"), psycopg.OperationalError),
        (RecursionError(), RecursionError),
        ({"replaced": "old", "created_at": "infinity"}, ValueError),
    ],
)
def test_bytes_stay_where_their_row_may_be_committed(answer: Any, error: type[Exception]) -> None:
    assert _removed(answer, error) == []


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (psycopg.errors.RaiseException("no"), psycopg.errors.RaiseException),
        (PoolExhausted(), PoolExhausted),
        (None, StorageError),
    ],
)
def test_bytes_go_where_their_row_is_refused(answer: Any, error: type[Exception]) -> None:
    assert _removed(answer, error) == ["new"]
