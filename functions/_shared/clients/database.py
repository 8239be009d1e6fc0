"""The database, over the Data API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx

from _shared.core.data import Row
from _shared.core.errors import ShopError, unavailable
from supabase import Client, PostgrestAPIError

_CHECK_VIOLATION = "23514"
_TAKEN_DOWN = "design_taken_down"  # the hint of private.refuse_taken_down


class Database:
    """`_shared.core.data.Data` over HTTP."""

    def __init__(self, supabase: Client) -> None:
        self._client = supabase

    def rows(self, table: str, columns: str, where: Mapping[str, object]) -> list[Row]:
        return self._run(_narrow(self._client.table(table).select(columns), where))

    def row(self, table: str, columns: str, where: Mapping[str, object]) -> Row | None:
        rows = self._run(_narrow(self._client.table(table).select(columns), where).limit(1))
        return rows[0] if rows else None

    def select_in(self, table: str, columns: str, column: str, values: list[str]) -> list[Row]:
        return self._run(self._client.table(table).select(columns).in_(column, values))

    def insert(self, table: str, values: Mapping[str, object]) -> str:
        return str(self._run(self._client.table(table).insert(dict(values)).select("id"))[0]["id"])

    def update(self, table: str, values: Mapping[str, object], where: Mapping[str, object]) -> int:
        # only ids come back: a design's row would carry its whole picture
        return len(self._run(_narrow(self._client.table(table).update(dict(values)).select("id"), where)))

    def call(self, function: str, arguments: Mapping[str, object]) -> list[Row]:
        return self._run(self._client.rpc(function, dict(arguments)))

    def value(self, function: str, arguments: Mapping[str, object]) -> object:
        values: list[object] = list(self.call(function, arguments))
        return values[0] if values else None

    def _run(self, query: Any) -> list[Row]:
        try:
            data = query.execute().data
        except PostgrestAPIError as error:
            if error.hint == _TAKEN_DOWN:
                raise ShopError(409, _TAKEN_DOWN, "This design has been taken down.", cause=error) from error
            if error.code == _CHECK_VIOLATION:
                raise ShopError(409, "not_possible", "That is not possible any more.", cause=error) from error
            raise unavailable("database_unavailable", "Something went wrong on our side.", error) from error
        except httpx.HTTPError as error:
            raise unavailable("database_unavailable", "Our database did not answer.", error) from error
        rows: list[Row] = data if isinstance(data, list) else [data]
        return rows


def _narrow(query: Any, where: Mapping[str, object]) -> Any:
    for column, value in where.items():
        query = query.is_(column, "null") if value is None else query.eq(column, value)
    return query
