"""The real Postgres in one transaction, which is rolled back at the end of a run.

Its time stands still but for the simulation's jumps (`ground.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import psycopg
from _shared.core.data import Row
from _shared.core.errors import ShopError, unavailable
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from tests.simulation.crossings import ConnectionBroke, Crossings

_CHECK_VIOLATION = "23514"
_EMBEDDED = re.compile(r"(\w+)\(([^)]*)\)")


class SimulatedDatabase:
    """The administrator's view: what is true in the database, whoever asks."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, row_factory=dict_row)
        # several statements at once take no parameters: they are written into the text
        self._calls = psycopg.ClientCursor(self._connection, row_factory=dict_row)
        (row,) = self.run("select extract(epoch from now())::float as began")
        self.began = float(row["began"])
        self._documents: dict[str, set[str]] = {}

    def run(self, statement: str, *values: object) -> list[Row]:
        cursor = self._connection.execute(statement.encode(), values or None)
        return cursor.fetchall() if cursor.description else []

    def documents_of(self, function: str) -> set[str]:
        """The arguments of a function that are JSON."""
        if function not in self._documents:
            rows = self.run(
                "select a.name from pg_proc p, unnest(p.proargnames, p.proargtypes::oid[]) as a (name, type)"
                " where p.pronamespace = 'public'::regnamespace and p.proname = %s and a.type = 'jsonb'::regtype",
                function,
            )
            self._documents[function] = {str(row["name"]) for row in rows}
        return self._documents[function]

    def set_elapsed(self, seconds: float) -> None:
        """Its time is so much later than it began; `go_back` brings this back too."""
        self._connection.execute("select set_config('simulation.elapsed', %s, true)", [str(seconds)])

    def as_service(self, query: str, values: list[object]) -> list[Row]:
        """One statement as the API's service role, undone where it fails. One round trip: a run makes thousands."""
        statement = f"savepoint call; set local role service_role; {query}; reset role; release call"
        try:
            cursor = self._calls.execute(statement.encode(), values)
        except psycopg.Error:
            self._connection.execute("rollback to call")
            raise
        cursor.nextset()
        cursor.nextset()
        return cursor.fetchall() if cursor.description else []

    def as_person(self, person: str, query: str, values: list[object]) -> None:
        """One statement over the API, with a person's token."""
        claims = json.dumps({"sub": person, "role": "authenticated"})
        statement = (
            "select set_config('request.jwt.claims', %s, true); set local role authenticated;"
            f" {query}; reset role; select set_config('request.jwt.claims', '', true)"
        )
        self._calls.execute(statement.encode(), [claims, *values])

    def mark(self, name: str) -> None:
        self._connection.execute(f"savepoint {name}".encode())

    def go_back(self, name: str) -> None:
        """To how it was at the mark, which stays."""
        self._connection.execute(f"rollback to {name}".encode())

    def close(self) -> None:
        """Undoes everything."""
        self._connection.rollback()
        self._connection.close()


class SimulatedData:
    """`_shared.core.data.Data` on the transaction, as the service."""

    def __init__(self, database: SimulatedDatabase, crossings: Crossings) -> None:
        self._database = database
        self._crossings = crossings

    def rows(self, table: str, columns: str, where: Mapping[str, object]) -> list[Row]:
        condition, values = _condition(where)
        return self._run(
            f"select {table}", f"select {_columns(table, columns)} from public.{table} t{condition}", values
        )

    def row(self, table: str, columns: str, where: Mapping[str, object]) -> Row | None:
        return next(iter(self.rows(table, columns, where)), None)

    def select_in(self, table: str, columns: str, column: str, values: list[str]) -> list[Row]:
        query = f"select {_columns(table, columns)} from public.{table} t where t.{column}::text = any (%s)"
        return self._run(f"select {table}", query, [values])

    def insert(self, table: str, values: Mapping[str, object]) -> str:
        slots = ", ".join(["%s"] * len(values))
        query = f"insert into public.{table} ({', '.join(values)}) values ({slots}) returning id"
        return str(self._run(f"insert {table}", query, list(values.values()))[0]["id"])

    def update(self, table: str, values: Mapping[str, object], where: Mapping[str, object]) -> int:
        condition, wanted = _condition(where)
        changes = ", ".join(f"{name} = %s" for name in values)
        query = f"update public.{table} t set {changes}{condition} returning id"
        return len(self._run(f"update {table}", query, [*values.values(), *wanted]))

    def call(self, function: str, arguments: Mapping[str, object]) -> list[Row]:
        slots = ", ".join(f"{name} => %s" for name in arguments)
        documents = self._database.documents_of(function)
        values = [Jsonb(value) if name in documents else value for name, value in arguments.items()]
        return self._run(function, f"select * from public.{function}({slots})", values)

    def value(self, function: str, arguments: Mapping[str, object]) -> object:
        rows = self.call(function, arguments)
        return next(iter(rows[0].values())) if rows else None

    def _run(self, name: str, query: str, values: list[object]) -> list[Row]:
        try:
            return self._crossings.cross(f"database: {name}", lambda: self._execute(query, values))
        except ConnectionBroke as error:
            raise unavailable("database_unavailable", "Our database did not answer.", error) from error
        except psycopg.Error as error:
            if error.sqlstate == _CHECK_VIOLATION:
                raise ShopError(409, "not_possible", "That is not possible any more.", cause=error) from error
            raise unavailable("database_unavailable", "Something went wrong on our side.", error) from error

    def _execute(self, query: str, values: list[object]) -> list[Row]:
        rows = self._database.as_service(query, values)
        return [{name: _seen(value) for name, value in row.items()} for row in rows]


def _seen(value: Any) -> Any:
    """As PostgREST writes it."""
    if isinstance(value, datetime):
        return value.isoformat()
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)


def _columns(table: str, columns: str) -> str:
    """PostgREST's list of columns, embedded tables included, as SQL."""
    embedded = _EMBEDDED.findall(columns)
    plain = [f"t.{name.strip()}" for name in _EMBEDDED.sub("", columns).split(",") if name.strip()]
    key = f"{table.removesuffix('s')}_id"
    return ", ".join(
        [
            *plain,
            *(
                f"(select coalesce(json_agg(to_json(e) order by e.id), '[]') from public.{name} e"
                f" where e.{key} = t.id) as {name}"
                for name, _ in embedded
            ),
        ]
    )


def _condition(where: Mapping[str, object]) -> tuple[str, list[object]]:
    if not where:
        return "", []
    tests = [f"t.{name} is null" if value is None else f"t.{name} = %s" for name, value in where.items()]
    return f" where {' and '.join(tests)}", [value for value in where.values() if value is not None]
