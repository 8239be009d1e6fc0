"""The rows that a role with its claims can see now: Postgres applies the policies, once for all rows of a table."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from localbase.postgres.pipeline import PostgresError
from localbase.postgres.pool import Database
from localbase.postgres.transaction import Statement, TransactionContext
from localbase.realtime.changes.array_text import read_places, text_array
from localbase.realtime.changes.tables import Table

_log = logging.getLogger("localbase.realtime")
Key = tuple[bytes | None, ...]
"""A primary key's values in Postgres's text form."""


@dataclass(frozen=True, slots=True)
class Identity:
    """As whom a subscription reads: a role and its claims, a JSON object."""

    role: str
    claims: bytes


async def visible(
    database: Database, table: Table, identity: Identity, keys: Sequence[Key]
) -> frozenset[int]:
    """The places of the keys whose rows `identity` can select. A policy that fails shows nothing."""
    params = [text_array(key[place] for key in keys) for place in range(len(table.key))]
    try:
        result = await database.run(
            Statement(_sql(table), params), TransactionContext(identity.role, identity.claims)
        )
    except PostgresError as error:
        _log.warning("%s cannot read %s: %s", identity.role, table.name, error.message)
        return frozenset()
    return read_places(result.rows[0][0])


def _sql(table: Table) -> str:
    count = range(1, len(table.key) + 1)
    arrays = ", ".join(f"${place}::text[]" for place in count)
    fields = ", ".join(f"k{place}" for place in count)
    same = " and ".join(
        f"t.{quoted(column.name)} {column.equals} k{place}::{column.cast}"
        for place, column in enumerate(table.key, 1)
    )
    return (
        f"select string_agg(n::text, ',') from unnest({arrays}) with ordinality as k({fields}, n) "  # noqa: S608
        f"where exists (select from {table.name} t where {same})"
    )


def quoted(name: str) -> str:
    """An identifier in quotes."""
    return '"' + name.replace('"', '""') + '"'
