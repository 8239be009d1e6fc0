"""The types of some schemas as the Data API shows them: its schema cache, and every type of the database."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from localbase.postgres.schema_cache import cache
from localbase.postgres.schema_cache.cache import Function, Name
from localbase.postgres.transaction import Statement
from localbase.rest.relationships import Relationship, key_relationships

_TOKEN = re.compile(r"[(){}]|(?:\\.|[^\s(){}\\])+", re.DOTALL)
_RELATION = 0  # RTE_RELATION
_TYPES = """
select coalesce(json_agg(json_build_object(
  'oid', t.oid::bigint, 'schema', n.nspname, 'name', t.typname, 'kind', t.typtype,
  'element', case when t.typcategory = 'A' then t.typelem::bigint else 0 end,
  'base', t.typbasetype::bigint,
  'relation', t.typrelid::bigint,
  'relation_kind', c.relkind,
  'labels', (select json_agg(e.enumlabel order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid),
  'attributes', (
    select json_agg(json_build_array(a.attname, a.atttypid::bigint) order by a.attnum)
    from pg_attribute a
    where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped and c.relkind = 'c')
)), '[]')
from pg_type t
join pg_namespace n on n.oid = t.typnamespace
left join pg_class c on c.oid = t.typrelid
"""
# Columns of views and foreign tables that show what cannot be written.
_COMPUTED_COLUMNS = """
select coalesce(json_agg(json_build_array(c.oid::bigint, a.attnum)), '[]')
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('v', 'f') and c.relnamespace = any ($1::text[]::regnamespace[])
  and not pg_column_is_updatable(c.oid, a.attnum, true)
"""
# Views show columns of relations in any schema.
_SCHEMAS = (
    "select json_agg(nspname) from pg_namespace where nspname not in ('pg_catalog', 'information_schema')"
)


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the database. `element` is an array's, `base` a domain's; 0 where there is none."""

    oid: int
    schema: str
    name: str
    kind: str
    element: int
    base: int
    relation: int
    relation_kind: str | None
    labels: tuple[str, ...]
    attributes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A relation's column; a view's is null only where it can be."""

    name: str
    type: int
    nullable: bool
    has_default: bool
    writable: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """A table or a view."""

    schema: str
    name: str
    kind: str
    type: int
    writable: bool
    columns: tuple[Column, ...]

    @property
    def is_view(self) -> bool:
        """Tell whether rows come from a query."""
        return self.kind in ("v", "m")


@dataclass(frozen=True, slots=True)
class Schema:
    """Everything of some schemas; types of all. A relationship's relations are of one schema."""

    names: tuple[str, ...]
    types: Mapping[int, Type]
    relations: tuple[Relation, ...]
    relationships: Mapping[Name, tuple[Relationship, ...]]
    functions: tuple[Function, ...]


def read_schema(connection: psycopg.Connection, names: Sequence[str]) -> Schema:
    """Reads the schemas `names`, with the empty search path of `connection`."""
    with psycopg.RawCursor(connection) as cursor:

        def fetch(statement: Statement) -> bytes:
            cursor.execute(statement.sql, [each and each.decode() for each in statement.params])
            assert cursor.pgresult is not None
            return cursor.pgresult.get_value(0, 0) or b"null"

        every = json.loads(fetch(Statement(_SCHEMAS)))
        statements = cache.catalog_statements(names, every=every)
        readings = {name: fetch(statement) for name, statement in statements.items()}
        types = [_type(row) for row in json.loads(fetch(Statement(_TYPES)))]
        computed = json.loads(fetch(Statement(_COMPUTED_COLUMNS, [cache.array_literal(names)])))
    catalog = cache.catalog_of(readings)
    shown = {view["oid"]: _shown_columns(view["rule"]) for view in json.loads(readings["views"])}
    return Schema(
        tuple(names),
        {each.oid: each for each in types},
        _relations(catalog, names, shown, {(oid, position) for oid, position in computed}),
        _relationships(catalog),
        tuple(each for each in cache.functions_of(readings["functions"]) if each.schema in names),
    )


def _type(row: dict[str, Any]) -> Type:
    attributes = tuple((name, oid) for name, oid in row["attributes"] or ())
    return Type(**{**row, "labels": tuple(row["labels"] or ()), "attributes": attributes})


def _relations(
    catalog: cache.Catalog,
    names: Sequence[str],
    shown: Mapping[int, Mapping[int, tuple[int, int]]],
    computed: set[tuple[int, int]],
) -> tuple[Relation, ...]:
    required = {
        (relation.oid, column.position)
        for relation in catalog.relations.values()
        for column in relation.columns.values()
        if not column.nullable
    }

    def is_required(place: tuple[int, int], depth: int = 0) -> bool:
        below = shown.get(place[0], {}).get(place[1])
        return place in required or (
            below is not None and depth < len(shown) and is_required(below, depth + 1)
        )

    def typed(relation: cache.Relation, column: cache.Column) -> Column:
        place = (relation.oid, column.position)
        writable = column.identity != "a" and not column.generated and place not in computed
        return Column(column.name, column.type_oid, not is_required(place), column.has_default, writable)

    return tuple(
        Relation(
            each.schema,
            each.name,
            each.kind,
            each.type_oid,
            each.updatable and each.deletable,
            tuple(typed(each, column) for column in each.columns.values()),
        )
        for each in catalog.relations.values()
        if each.schema in names
    )


def _relationships(catalog: cache.Catalog) -> dict[Name, tuple[Relationship, ...]]:
    """By the relation that they start from. Both sides are of one schema, as clients can embed them."""
    relationships: dict[Name, list[Relationship]] = {}
    for each in key_relationships(catalog):
        if each.table[0] == each.foreign[0]:
            relationships.setdefault(each.table, []).append(each)
    return {name: tuple(sorted(each, key=_order)) for name, each in relationships.items()}


def _order(relationship: Relationship) -> tuple[object, ...]:
    foreign = tuple(column for _, column in relationship.columns)
    return (relationship.constraint, relationship.foreign, foreign, relationship.columns)


def _shown_columns(rule: str) -> dict[int, tuple[int, int]]:
    """The columns that are a table's as they are: position in the view → (relation's oid, position there).

    They are read from the rule that Postgres stores for a view (a pg_node_tree). A column that shows a table's column
    through no outer join is null where that column is; everything else can be null.
    """
    tree, _ = _value(_TOKEN.findall(rule), 0)
    query = tree[0] if isinstance(tree, list) and tree else {}
    columns = {}
    entries = query.get("rtable", [])
    for target in query.get("targetList", []):
        shown = target.get("expr")
        if not isinstance(shown, dict) or shown.get("") != "VAR" or shown.get("varlevelsup") != "0":
            continue
        # Before Postgres 16 a rule does not say which joins may null a column.
        if shown.get("varnullingrels", "") not in (["b"], "<>"):
            continue
        number = int(shown["varno"])
        entry = entries[number - 1] if 0 < number <= len(entries) else {}
        if entry.get("rtekind") == str(_RELATION):
            columns[int(target["resno"])] = (int(entry["relid"]), int(shown["varattno"]))
    return columns


def _value(tokens: list[str], at: int) -> tuple[Any, int]:
    """The value that begins at a token, and where the next one begins."""
    if tokens[at] == "{":
        return _node(tokens, at + 1)
    if tokens[at] == "(":
        items = []
        at += 1
        while tokens[at] != ")":
            item, at = _value(tokens, at)
            items.append(item)
        return items, at + 1
    return tokens[at], at + 1


def _node(tokens: list[str], at: int) -> tuple[dict[str, Any], int]:
    """A node: its name under the empty key, and its fields. A field with several values has the first."""
    node: dict[str, Any] = {"": tokens[at]}
    at += 1
    field = ""
    while tokens[at] != "}":
        if tokens[at].startswith(":"):
            field = tokens[at][1:]
            at += 1
            continue
        item, at = _value(tokens, at)
        node.setdefault(field, item)
    return node, at + 1
