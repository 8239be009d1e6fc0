"""What is known of the database for its types: frozen values, from one reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import psycopg

from localbase.cli.typegen import queries
from localbase.cli.typegen.rules import shown_columns
from localbase.postgres.views import ViewDependencies, view_dependencies_of


@dataclass(frozen=True, slots=True)
class Type:
    """A type of the catalogue. `element` is an array's, `base` a domain's; 0 where there is none."""

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
    """A relation's column."""

    name: str
    position: int
    type: int
    nullable: bool
    has_default: bool
    writable: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """A table or a view."""

    schema: str
    name: str
    oid: int
    kind: str
    type: int
    writable: bool
    columns: tuple[Column, ...]

    @property
    def is_view(self) -> bool:
        """Whether rows come from a query."""
        return self.kind in ("v", "m")


@dataclass(frozen=True, slots=True)
class Relationship:
    """A foreign key, or one that a view shows."""

    name: str
    columns: tuple[str, ...]
    is_one_to_one: bool
    foreign_name: str
    foreign_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A function's parameter, in (`i`, `b`, `v`) or out (`o`, `b`, `t`)."""

    name: str
    type: int
    mode: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function that the Data API may call."""

    schema: str
    name: str
    is_set: bool
    rows: float
    type: int
    parameters: tuple[Parameter, ...]

    @property
    def inputs(self) -> tuple[Parameter, ...]:
        """What it is called with."""
        return tuple(each for each in self.parameters if each.mode in "ibv")


@dataclass(frozen=True, slots=True)
class Schema:
    """Everything of some schemas; types of all."""

    names: tuple[str, ...]
    types: Mapping[int, Type]
    relations: tuple[Relation, ...]
    relationships: Mapping[int, tuple[Relationship, ...]]
    functions: tuple[Function, ...]


def read_schema(connection: psycopg.Connection, names: Sequence[str]) -> Schema:
    """Reads the schemas `names`."""

    def fetch(sql: str) -> list[dict[str, Any]]:
        row = connection.execute(sql, {"schemas": list(names)}).fetchone()
        rows: list[dict[str, Any]] = row[0] if row else []
        return rows

    types = {row["oid"]: _type(row) for row in fetch(queries.TYPES)}
    raw = fetch(queries.RELATIONS)
    required = {
        (row["oid"], column["position"]): column["required"] for row in raw for column in row["columns"]
    }
    shown = {row["oid"]: shown_columns(row["rule"]) for row in raw if row["rule"]}
    every = [_relation(row, required, shown) for row in raw]
    exposed = tuple(each for each in every if each.schema in names)
    return Schema(
        tuple(names),
        types,
        exposed,
        _relationships(fetch(queries.KEYS), exposed, raw),
        tuple(_function(row) for row in fetch(queries.FUNCTIONS)),
    )


def _type(row: dict[str, Any]) -> Type:
    attributes = tuple((each["name"], each["type"]) for each in row["attributes"] or ())
    return Type(**{**row, "labels": tuple(row["labels"] or ()), "attributes": attributes})


def _relation(
    row: dict[str, Any],
    required: Mapping[tuple[int, int], bool],
    shown: Mapping[int, Mapping[int, tuple[int, int]]],
) -> Relation:
    def is_required(place: tuple[int, int], depth: int = 0) -> bool:
        below = shown.get(place[0], {}).get(place[1])
        return required.get(place, False) or (
            below is not None and depth < len(shown) and is_required(below, depth + 1)
        )

    columns = tuple(
        Column(
            each["name"],
            each["position"],
            each["type"],
            not is_required((row["oid"], each["position"])),
            each["has_default"],
            each["writable"],
        )
        for each in row["columns"]
    )
    return Relation(
        row["schema"], row["name"], row["oid"], row["kind"], row["type"], row["writable"], columns
    )


def _function(row: dict[str, Any]) -> Function:
    inputs = [each for each in row["parameters"] if each["mode"] in "ibv"]
    optional = {id(each) for each in inputs[len(inputs) - row["defaults"] :]}
    parameters = tuple(
        Parameter(each["name"], each["type"], each["mode"], id(each) in optional)
        for each in row["parameters"]
    )
    return Function(row["schema"], row["name"], row["is_set"], row["rows"], row["type"], parameters)


def _relationships(
    keys: list[dict[str, Any]], relations: tuple[Relation, ...], raw: list[dict[str, Any]]
) -> dict[int, tuple[Relationship, ...]]:
    """By the relation that they start from. Both sides are of one schema, as clients can embed them."""
    views = [
        {**row, "columns": {str(each["position"]): each["name"] for each in row["columns"]}}
        for row in raw
        if row["rule"]
    ]
    origins = {each.view: each for each in view_dependencies_of(views)}
    relationships: dict[int, list[Relationship]] = {}
    for key in keys:
        sources = _places(relations, origins, key["table"], key["positions"])
        targets = _places(relations, origins, key["foreign_table"], key["foreign_positions"])
        for (source, columns), (target, foreign) in product(sources, targets):
            if source.schema == target.schema:
                relationships.setdefault(source.oid, []).append(
                    Relationship(key["name"], columns, key["is_one_to_one"], target.name, foreign)
                )
    return {
        oid: tuple(sorted(each, key=lambda one: (one.name, one.foreign_name, one.foreign_columns)))
        for oid, each in relationships.items()
    }


def _places(
    relations: tuple[Relation, ...],
    origins: Mapping[tuple[str, str], ViewDependencies],
    table: int,
    positions: list[int],
) -> list[tuple[Relation, tuple[str, ...]]]:
    """Where a table's columns are: in itself, and in every view that shows them all."""
    places: list[tuple[Relation, tuple[str, ...]]] = []
    for relation in relations:
        if relation.oid == table:
            names = {column.position: column.name for column in relation.columns}
            places.append((relation, tuple(names[position] for position in positions)))
        elif (origin := origins.get((relation.schema, relation.name))) is not None:
            choices = [origin.columns.get((table, position), ()) for position in positions]
            places += [(relation, columns) for columns in product(*choices)]
    return places
