"""A database's schema as the Data API sees it: relations, keys, views' origins, functions, role settings.

One query per kind, each answering a single JSON document. It is the counterpart of PostgREST's schema cache
(https://docs.postgrest.org/en/stable/references/schema_cache.html); what follows from it, such as
relationships, is worked out by the services. Types are written as Postgres writes them with an empty search
path: always unambiguous.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from localbase.postgres.pool import Database
from localbase.postgres.schema_cache import queries as queries
from localbase.postgres.schema_cache.views import Name, ViewDependencies, view_dependencies_of
from localbase.postgres.transaction import Statement, TransactionContext

__all__ = [
    "Catalog",
    "Column",
    "Function",
    "Key",
    "Name",
    "Parameter",
    "Relation",
    "ViewDependencies",
    "catalog_of",
    "catalog_statements",
    "read_catalog",
]


@dataclass(frozen=True, slots=True)
class Column:
    """A relation's column. `type` is the base type of a domain, without length; `nominal` the declared type."""

    name: str
    position: int
    type: str
    nominal: str
    nullable: bool
    default: str | None
    identity: str
    max_length: int | None
    enum: tuple[str, ...]
    description: str | None
    # Functions, quoted for SQL, by which a domain's values are shown as JSON, and read from JSON and from the URL.
    to_json: str | None = None
    from_json: str | None = None
    from_text: str | None = None
    # The declared type's number, for those who look types up.
    type_oid: int = 0
    generated: bool = False

    @property
    def has_default(self) -> bool:
        """Tell whether a row may be inserted without it although it is never null."""
        return self.default is not None or bool(self.identity) or self.generated


@dataclass(frozen=True, slots=True)
class Relation:
    """A table (`r`), partitioned table (`p`), view (`v`), materialized view (`m`) or foreign table (`f`)."""

    schema: str
    name: str
    kind: str
    description: str | None
    insertable: bool
    updatable: bool
    deletable: bool
    primary_key: tuple[str, ...]
    columns: Mapping[str, Column]
    oid: int = 0
    # The type of its rows.
    type_oid: int = 0

    @property
    def is_view(self) -> bool:
        """Tell whether rows come from a query."""
        return self.kind in ("v", "m")

    @property
    def is_represented(self) -> bool:
        """Tell whether a column is shown otherwise than Postgres would show it."""
        return any(column.to_json for column in self.columns.values())


@dataclass(frozen=True, slots=True)
class Key:
    """A primary (`p`), unique (`u`) or foreign (`f`) key of a table in any schema."""

    name: str
    kind: str
    table: Name
    oid: int
    positions: tuple[int, ...]
    columns: tuple[str, ...]
    foreign_table: Name
    foreign_oid: int
    foreign_positions: tuple[int, ...]
    foreign_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A function's input. `cast` is `type` without a length that would cut values."""

    name: str
    type: str
    cast: str
    required: bool
    variadic: bool
    type_oid: int = 0


@dataclass(frozen=True, slots=True)
class Function:
    """A function of an exposed schema; overloads are several. `settings` are its own `set` clauses."""

    schema: str
    name: str
    description: str | None
    volatility: str
    is_set: bool
    is_composite: bool
    return_schema: str
    return_type: str
    return_domain: str | None
    # The function that writes the result's type in binary, quoted, with its schema. Few types have none.
    output: str | None
    settings: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    type_oid: int = 0
    # The columns of `returns table (…)` with their types, and the number of rows that the planner expects.
    columns: tuple[tuple[str, int], ...] = ()
    rows: float = 0

    @property
    def returns_void(self) -> bool:
        """Tell whether there is nothing to answer."""
        return not self.is_set and (self.return_schema, self.return_type) == ("pg_catalog", "void")


@dataclass(frozen=True, slots=True)
class ComputedRelationship:
    """A function from one relation's row to another relation's rows."""

    function: Name
    table: Name
    foreign_table: Name
    to_one: bool


@dataclass(frozen=True, slots=True)
class MediaHandler:
    """An aggregate that makes a body of a media type from the rows of `target`, or of any relation (None)."""

    function: Name
    target: Name | None
    media: str
    output: str | None


@dataclass(frozen=True, slots=True)
class Catalog:
    """One reading of the database."""

    relations: Mapping[Name, Relation]
    keys: tuple[Key, ...]
    origins: tuple[ViewDependencies, ...]
    functions: Mapping[Name, tuple[Function, ...]]
    computed: tuple[ComputedRelationship, ...]
    role_settings: Mapping[str, tuple[tuple[str, str], ...]]
    server_settings: Mapping[str, str]
    schema_descriptions: Mapping[str, str | None]
    media_handlers: Mapping[tuple[Name | None, str], MediaHandler] = field(default_factory=dict)


async def read_catalog(database: Database, schemas: Sequence[str], extra: Sequence[str]) -> Catalog:
    """Reads everything that the exposed `schemas` need. `extra` is the search path behind them."""

    context = TransactionContext(None, settings=(("search_path", ""),))
    readings = {}
    for name, statement in catalog_statements(schemas, extra).items():
        readings[name] = (await database.run(statement, context)).rows[0][0] or b"null"
    # Some hundred relations take a few tenths of a second: requests go on meanwhile.
    return await asyncio.to_thread(catalog_of, readings)


def catalog_statements(
    schemas: Sequence[str], extra: Sequence[str] = (), *, every: Sequence[str] = ()
) -> dict[str, Statement]:
    """The queries by what they read. With `every`, relations of these schemas and partitions are read too."""
    exposed, searched = array_literal(schemas), array_literal(extra)
    related, partitions = (array_literal(every), b"true") if every else (exposed, b"false")
    return {
        "relations": Statement(queries.BASE_TYPES + queries.RELATIONS, (related, partitions)),
        "keys": Statement(queries.KEYS, (partitions,)),
        "views": Statement(queries.VIEWS, (related, searched)),
        "functions": Statement(queries.BASE_TYPES + queries.FUNCTIONS, (exposed,)),
        "computed": Statement(queries.COMPUTED_RELATIONSHIPS, (exposed,)),
        "roles": Statement(queries.ROLE_SETTINGS),
        "settable": Statement(queries.USER_SETTINGS),
        "schemas": Statement(queries.SCHEMAS, (exposed,)),
        "handlers": Statement(queries.MEDIA_HANDLERS, (exposed,)),
        "representations": Statement(queries.REPRESENTATIONS),
    }


def catalog_of(readings: Mapping[str, bytes]) -> Catalog:
    """The catalog from what `catalog_statements` answered."""
    keys = tuple(_key(row) for row in json.loads(readings["keys"]))
    roles = json.loads(readings["roles"])
    origins = view_dependencies_of(json.loads(readings["views"]))
    view_keys = _view_primary_keys(origins, keys)
    represented = {(source, target): name for source, target, name in json.loads(readings["representations"])}
    grouped: dict[Name, list[Function]] = {}
    for function in functions_of(readings["functions"]):
        if _callable(function):
            grouped.setdefault((function.schema, function.name), []).append(function)
    return Catalog(
        relations=MappingProxyType(
            {
                (row["schema"], row["name"]): _relation(row, view_keys, represented)
                for row in json.loads(readings["relations"])
            }
        ),
        keys=keys,
        origins=origins,
        functions=MappingProxyType({name: tuple(overloads) for name, overloads in grouped.items()}),
        computed=tuple(
            ComputedRelationship(
                (row["schema"], row["name"]),
                (row["table_schema"], row["table_name"]),
                (row["foreign_schema"], row["foreign_name"]),
                row["to_one"],
            )
            for row in json.loads(readings["computed"])
        ),
        role_settings=MappingProxyType(_role_settings(roles, frozenset(json.loads(readings["settable"])))),
        server_settings=MappingProxyType(_server_settings(roles)),
        schema_descriptions=MappingProxyType(json.loads(readings["schemas"])),
        media_handlers=MappingProxyType(_media_handlers(json.loads(readings["handlers"]))),
    )


def _media_handlers(rows: list[dict[str, Any]]) -> dict[tuple[Name | None, str], MediaHandler]:
    handlers = {}
    for row in rows:
        target = (row["target_schema"], row["target_name"]) if row["target_name"] else None
        handler = MediaHandler((row["schema"], row["name"]), target, row["media"], row["output"])
        handlers[target, handler.media] = handler
    return handlers


def array_literal(items: Sequence[str]) -> bytes:
    """A Postgres array of texts, as a parameter's value."""
    quoted = ('"' + item.replace("\\", "\\\\").replace('"', '\\"') + '"' for item in items)
    return ("{" + ",".join(quoted) + "}").encode()


def _relation(
    row: dict[str, Any], view_keys: Mapping[Name, tuple[str, ...]], represented: Mapping[Name, str]
) -> Relation:
    name = (row["schema"], row["name"])
    columns = {item["name"]: _column(item, represented) for item in row["columns"]}
    key = tuple(row["primary_key"])
    writable = row["writable"]
    # Bits as in pg_relation_is_updatable: 1 << command, with update 2, insert 3, delete 4.
    return Relation(
        schema=name[0],
        name=name[1],
        kind=row["kind"],
        description=row["description"],
        insertable=bool(writable & 8),
        updatable=bool(writable & 4),
        deletable=bool(writable & 16),
        primary_key=view_keys.get(name, ()) if row["kind"] in ("v", "m") else key,
        columns=MappingProxyType(columns),
        oid=row["oid"],
        type_oid=row["type_oid"],
    )


def _column(row: dict[str, Any], represented: Mapping[tuple[str, str], str]) -> Column:
    nominal = row["nominal"]
    return Column(
        **{**row, "enum": tuple(row["enum"])},
        to_json=represented.get((nominal, "json")),
        from_json=represented.get(("json", nominal)),
        from_text=represented.get(("text", nominal)),
    )


def _key(row: dict[str, Any]) -> Key:
    return Key(
        name=row["name"],
        kind=row["kind"],
        table=(row["schema"], row["relation"]),
        oid=row["oid"],
        positions=tuple(row["positions"]),
        columns=tuple(row["columns"]),
        foreign_table=(row["foreign_schema"] or "", row["foreign_relation"] or ""),
        foreign_oid=row["foreign_oid"] or 0,
        foreign_positions=tuple(row["foreign_positions"] or ()),
        foreign_columns=tuple(row["foreign_columns"] or ()),
    )


def functions_of(reading: bytes) -> tuple[Function, ...]:
    """All functions that were read, also those that no request can call."""
    return tuple(_function(row) for row in json.loads(reading))


def _function(row: dict[str, Any]) -> Function:
    parameters = tuple(Parameter(**item) for item in row["parameters"])
    columns = tuple((name, oid) for name, oid in row["columns"])
    return Function(
        **{**row, "settings": tuple(row["settings"]), "parameters": parameters, "columns": columns}
    )


def _callable(function: Function) -> bool:
    """Arguments go by name; one nameless parameter is filled by the whole body if its type is one of a body's."""
    nameless = [parameter for parameter in function.parameters if not parameter.name]
    if not nameless:
        return True
    return len(function.parameters) == 1 and nameless[0].type in ("bytea", "json", "jsonb", "text", "xml")


def _view_primary_keys(
    origins: tuple[ViewDependencies, ...], keys: tuple[Key, ...]
) -> dict[Name, tuple[str, ...]]:
    """A view has the primary key of each table of which it shows the whole key."""
    primary = {key.oid: key for key in keys if key.kind == "p"}
    return {
        origin.view: tuple(
            origin.columns[oid, position][0]
            for oid in sorted({oid for oid, _ in origin.columns} & primary.keys())
            if all((oid, position) in origin.columns for position in primary[oid].positions)
            for position in primary[oid].positions
        )
        for origin in origins
    }


def _role_settings(
    rows: list[dict[str, Any]], settable: frozenset[str]
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Per role, what it may set itself. The role and search path belong to the request."""
    settings_by_role: dict[str, dict[str, str]] = {}
    for row in rows:
        for setting in row["settings"]:
            name, _, value = setting.partition("=")
            if not row["own"] and name in settable and name not in ("role", "search_path"):
                settings_by_role.setdefault(row["role"], {})[name] = value
    return {role: tuple(values.items()) for role, values in settings_by_role.items()}


def _server_settings(rows: list[dict[str, Any]]) -> dict[str, str]:
    """The login role's settings, `pgrst.*` without that prefix: PostgREST's configuration in the database."""
    pairs = (setting.partition("=") for row in rows if row["own"] for setting in row["settings"])
    return {name.removeprefix("pgrst."): value for name, _, value in pairs}
