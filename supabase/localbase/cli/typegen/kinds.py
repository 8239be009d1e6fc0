"""The common parts of all languages' generators: relations in their order, and the kinds of types in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from localbase.cli.typegen.schema import Column, Relation, Schema, Type

Section = Literal["Select", "Insert", "Update"]
_WORD = re.compile(r"[^\W_]+")
# Types whose values are text in JSON.
TEXTS = ("text", "varchar", "bpchar", "citext", "vector", "interval")
TIMES = ("date", "time", "timetz", "timestamp", "timestamptz")
RANGES = ("int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange")
OTHER_TEXTS = ("bit", "varbit", "char", "name", "money", "xml", "inet", "cidr", "macaddr", "macaddr8")
# Tables first, then views, then materialized views.
_ORDER = {"v": 1, "m": 2}


@dataclass(frozen=True, slots=True)
class Kind:
    """A type without its arrays and domains: `type` is None for one that is not known. `arrays` counts the arrays."""

    type: Type | None
    arrays: int

    @property
    def is_enum(self) -> bool:
        """Tell whether it has labels."""
        return self.type is not None and self.type.kind == "e"

    @property
    def is_composite(self) -> bool:
        """Tell whether it has columns: a type of its own, or a relation's rows."""
        return self.type is not None and self.type.kind == "c"

    @property
    def plain_name(self) -> str:
        """The name of one of Postgres's own types and of its extensions'; empty for a project's."""
        return "" if self.type is None or self.is_enum or self.is_composite else self.type.name


def kind_of(schema: Schema, oid: int) -> Kind:
    """The kind of the type `oid`: an array of several dimensions is one array in the catalog."""
    arrays = 0
    while (type_ := schema.types.get(oid)) is not None:
        if type_.element:
            arrays, oid = arrays + 1, type_.element
        elif type_.kind == "d":
            oid = type_.base
        else:
            return Kind(type_, arrays)
    return Kind(None, arrays)


def ordered_relations(schema: Schema) -> list[Relation]:
    """As the files have them."""
    return sorted(schema.relations, key=lambda each: (_ORDER.get(each.kind, 0), each.schema, each.name))


def ordered_columns(relation: Relation) -> list[Column]:
    """By name."""
    return sorted(relation.columns, key=lambda each: each.name)


def sections_of(relation: Relation) -> tuple[Section, ...]:
    """The operations that a relation allows."""
    return ("Select",) if relation.is_view else ("Select", "Insert", "Update")


def is_optional(column: Column, section: Section) -> bool:
    """Tell whether a value of the column may be missing."""
    if section == "Select":
        return column.nullable
    return section == "Update" or column.nullable or column.has_default


def composites(schema: Schema) -> list[Type]:
    """The composite types of the schemas."""
    return sorted(
        (
            each
            for each in schema.types.values()
            if each.relation_kind == "c" and not each.element and each.schema in schema.names
        ),
        key=lambda each: (each.schema, each.name),
    )


def enums(schema: Schema) -> list[Type]:
    """The enums of the schemas, and those of others that their columns have."""
    used = {
        kind.type.oid
        for oid in _used_types(schema)
        if (kind := kind_of(schema, oid)).type is not None and kind.is_enum
    }
    return sorted(
        (
            each
            for each in schema.types.values()
            if each.labels and (each.schema in schema.names or each.oid in used)
        ),
        key=lambda each: (each.schema, each.name),
    )


def _used_types(schema: Schema) -> Iterator[int]:
    for relation in schema.relations:
        yield from (column.type for column in relation.columns)
    for composite in composites(schema):
        yield from (oid for _, oid in composite.attributes)


def words_of(*names: str) -> list[str]:
    """The words of names: what is between underscores, blanks and signs."""
    return [word for name in names for word in _WORD.findall(name)]


def capitalized(*names: str) -> str:
    """`we ird`, `parted_1` → `WeIrdParted1`."""
    return "".join(word[0].upper() + word[1:] for word in words_of(*names))


class DistinctNames:
    """Gives each of several things an identifier of its own, in their order: a second `a_b` is `a_b_2`."""

    def __init__(self) -> None:
        self._used: set[str] = set()

    def take(self, name: str) -> str:
        """`name`, or with a number behind it."""
        candidate, number = name, 1
        while candidate in self._used:
            number += 1
            candidate = f"{name}_{number}"
        self._used.add(candidate)
        return candidate
