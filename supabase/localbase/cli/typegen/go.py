"""The types as Go structs, formatted as gofmt has them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from localbase.cli.typegen.kinds import (
    RANGES,
    TEXTS,
    TIMES,
    DistinctNames,
    capitalized,
    composites,
    is_optional,
    kind_of,
    ordered_columns,
    ordered_relations,
    sections_of,
)
from localbase.cli.typegen.schema import Schema

_TYPES = {
    "bool": ("bool",),
    "int16": ("int2",),
    "int32": ("int4",),
    "int64": ("int8",),
    "float32": ("float4",),
    "float64": ("float8", "numeric"),
    "string": (
        *TEXTS,
        "uuid",
        *TIMES,
        *RANGES,
        *(name.replace("range", "multirange") for name in RANGES),
    ),
    "[]byte": ("bytea",),
}
_SIMPLE = {name: shown for shown, names in _TYPES.items() for name in names}
_ANY, _COMPOSITE = "interface{}", "map[string]interface{}"
# These are nil without a pointer.
_NILABLE = (_ANY, _COMPOSITE, "[]byte")


def go_of(schema: Schema) -> str:
    """The whole file."""
    structs = DistinctNames()
    blocks = ["package database"]
    for relation in ordered_relations(schema):
        for section in sections_of(relation):
            fields = [
                (each.name, _type(schema, each.type, optional=is_optional(each, section)))
                for each in ordered_columns(relation)
            ]
            name = structs.take(_exported(capitalized(relation.schema, relation.name)) + section)
            blocks.append(_struct(name, fields))
    for composite in composites(schema):
        fields = [(name, _type(schema, oid, optional=True)) for name, oid in composite.attributes]
        blocks.append(_struct(structs.take(_exported(capitalized(composite.schema, composite.name))), fields))
    return "\n\n".join(blocks) + "\n"


def _type(schema: Schema, oid: int, *, optional: bool) -> str:
    kind = kind_of(schema, oid)
    if kind.is_composite:
        shown = _COMPOSITE
    elif kind.is_enum:
        shown = "string"
    else:
        shown = _SIMPLE.get(kind.plain_name, _ANY)
    if optional and shown not in _NILABLE:
        shown = f"*{shown}"
    return f"[]{shown}" if kind.arrays else shown


def _struct(name: str, fields: Iterable[tuple[str, str]]) -> str:
    field_names = DistinctNames()
    shown = [(field_names.take(_exported(capitalized(column))), type_, column) for column, type_ in fields]
    if not shown:
        return f"type {name} struct{{}}"
    widest_name = max(len(field) for field, _, _ in shown)
    widest_type = max(len(type_) for _, type_, _ in shown)
    lines = [
        f"\t{field:<{widest_name}} {type_:<{widest_type}} {_tag(column)}" for field, type_, column in shown
    ]
    return "\n".join([f"type {name} struct {{", *lines, "}"])


def _tag(column: str) -> str:
    key = f"json:{json.dumps(column, ensure_ascii=False)}"
    return json.dumps(key, ensure_ascii=False) if "`" in key else f"`{key}`"


def _exported(name: str) -> str:
    """Go's exported names begin with a capital letter, which some scripts and digits have not."""
    return name if name[:1].isupper() else f"X{name}"
