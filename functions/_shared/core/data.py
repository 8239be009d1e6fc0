"""The database, as the subjects use it. `clients.database` does it over PostgREST; tests do it in memory.

It is a module of its own so that a function without a database need not have PostgREST's client installed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

Row = dict[str, Any]


class Data(Protocol):
    """`where` joins equalities, and None means `is null`.

    `insert` answers with the new row's id, `update` with how many rows it changed; `call` is for functions that
    give rows, `value` for those that give one value or nothing.
    """

    def rows(self, table: str, columns: str, where: Mapping[str, object]) -> list[Row]: ...
    def row(self, table: str, columns: str, where: Mapping[str, object]) -> Row | None: ...
    def select_in(self, table: str, columns: str, column: str, values: list[str]) -> list[Row]: ...
    def insert(self, table: str, values: Mapping[str, object]) -> str: ...
    def update(self, table: str, values: Mapping[str, object], where: Mapping[str, object]) -> int: ...
    def call(self, function: str, arguments: Mapping[str, object]) -> list[Row]: ...
    def value(self, function: str, arguments: Mapping[str, object]) -> object: ...
