"""A changed table, from the catalog: its key, its columns, its policies, and the roles that may read it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from localbase.postgres.pool import Database, PoolExhausted
from localbase.postgres.transaction import Statement, TransactionContext
from localbase.realtime.changes.array_text import text_array

SERVICE = TransactionContext(None)
"""As the service's own role."""


_XID = (1 << 32) - 1
_PAUSE, _MOST_LOOKS = 0.001, 5000


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its type's name as the catalog has it, and the type to cast texts to (a domain's base)."""

    name: str
    type_name: str
    cast: str


@dataclass(frozen=True, slots=True)
class KeyColumn:
    """A column of the primary key, and the operator by which its index compares."""

    name: str
    cast: str
    equals: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table. `name` is quoted; `readable` has the columns that each role may select."""

    schema: str
    table: str
    name: str
    policies: bool
    columns: Mapping[str, TableColumn]
    key: tuple[KeyColumn, ...]
    readable: Mapping[str, frozenset[str]]

    def may_read_key(self, role: str) -> bool:
        """Tell whether `role` has SELECT on the whole primary key."""
        return self.readable.get(role, frozenset()).issuperset(column.name for column in self.key)


async def read_table(
    database: Database, relation_id: int, roles: Collection[str], transactions: Collection[int]
) -> Table | None:
    """The table with this number, as it is after `transactions`; None where it is gone.

    Their commits are in the log a moment before others see them: until then it waits.
    """
    for _ in range(_MOST_LOOKS):
        table, snapshot = await _look(database, relation_id, roles)
        if not any(is_pending(number, snapshot) for number in transactions):
            return table
        await asyncio.sleep(_PAUSE)  # Postgres does not announce when a commit becomes visible
    raise PoolExhausted


def is_pending(transaction: int, snapshot: str) -> bool:
    """Tell whether a snapshot (`xmin:xmax:running,…`) does not show what a transaction with this 32-bit number did."""
    _, following, running = snapshot.split(":")
    if transaction in {int(number) & _XID for number in running.split(",") if number}:
        return True
    # Numbers begin again at 0: what is less than half of them ahead has not come yet.
    return (transaction - int(following)) & _XID < 1 << 31


async def _look(database: Database, relation_id: int, roles: Collection[str]) -> tuple[Table | None, str]:
    """The table, and the snapshot in which it was seen."""
    params = [str(relation_id).encode(), text_array(role.encode() for role in sorted(roles))]
    result = await database.run(Statement(_SQL, params), SERVICE)
    snapshot, text = result.rows[0]
    assert snapshot is not None
    return _table(text), snapshot.decode()


def _table(text: bytes | None) -> Table | None:
    if text is None:
        return None
    facts = json.loads(text)
    columns = {name: TableColumn(name, type_name, cast) for name, type_name, cast in facts["columns"]}
    return Table(
        facts["schema"],
        facts["table"],
        facts["name"],
        facts["policies"],
        columns,
        tuple([KeyColumn(name, columns[name].cast, equals) for name, equals in facts["key"] or ()]),
        {role: frozenset(names or ()) for role, names in (facts["readable"] or {}).items()},
    )


# A domain is read as its base type: neither its checks nor their functions have to run again. A key is compared by the
# operator of its index, so that no search path decides which `=` is meant.
_SQL = """
with recursive columns as (
  select attname, attnum, atttypid, t.typname
  from pg_catalog.pg_attribute join pg_catalog.pg_type t on t.oid = atttypid
  where attrelid = $1::oid and attnum > 0 and not attisdropped
), bases as (
  select attnum, atttypid as type from columns
  union all
  select attnum, t.typbasetype from bases join pg_catalog.pg_type t on t.oid = bases.type where t.typtype = 'd'
), casts as (
  select attnum, pg_catalog.format('%I.%I', n.nspname, t.typname) as name
  from bases
  join pg_catalog.pg_type t on t.oid = bases.type
  join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  where t.typtype <> 'd'
), key as (
  select attnum, place, indclass[place - 1] as class
  from pg_catalog.pg_index, unnest(indkey::int2[]) with ordinality as k(attnum, place)
  where indrelid = $1::oid and indisprimary and place <= indnkeyatts
)
select pg_catalog.pg_current_snapshot(), (select json_build_object(
  'schema', n.nspname,
  'table', c.relname,
  'name', pg_catalog.format('%I.%I', n.nspname, c.relname),
  'policies', c.relrowsecurity,
  'columns', (
    select coalesce(json_agg(json_build_array(attname, typname, casts.name) order by attnum), '[]')
    from columns join casts using (attnum)
  ),
  'key', (
    select json_agg(
      json_build_array(
        attname, pg_catalog.format('operator(%I.%s)', op_schema.nspname, o.oprname)
      ) order by place
    )
    from key
    join columns using (attnum)
    join pg_catalog.pg_opclass class on class.oid = key.class
    join pg_catalog.pg_amop amop
      on amopfamily = opcfamily and amopstrategy = 3 and amoplefttype = opcintype and amoprighttype = opcintype
    join pg_catalog.pg_operator o on o.oid = amopopr
    join pg_catalog.pg_namespace op_schema on op_schema.oid = o.oprnamespace
  ),
  'readable', (
    select json_object_agg(rolname, (
      select json_agg(attname) from columns
      where pg_catalog.has_column_privilege(r.oid, $1::oid, attnum, 'SELECT')
    ))
    from pg_catalog.pg_roles r where rolname = any($2::name[])
  )
)
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = relnamespace
where c.oid = $1::oid)
"""
